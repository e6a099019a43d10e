import Foundation
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletMeasurement

@Suite("Details of measurements")
struct MeasurementDetailTests {
  // MARK: Classes of arithmetic

  /// Returns the class of a model with these operators, given the types of their data and weights.
  private func kind(_ nodes: (name: BuiltinOperator, types: [ElementType])...) throws -> ArithmeticClass {
    var graph = TestGraph()
    for node in nodes {
      let inputs = node.types.map { graph.input($0, [1]) }
      graph.add(node.name, inputs, [graph.output(.float32, [1])])
    }
    return ArithmeticClass(try Model(bytes: TestGraph.bytes([graph])))
  }

  @Test("the class depends on data and weights")
  func dataAndWeights() throws {
    #expect(try kind((.conv2D, [.float32, .float32])) == .float32)
    #expect(try kind((.conv2D, [.float32, .float16])) == .float32)
    for weights in [ElementType.int8, .uint8, .int4] {
      #expect(try kind((.fullyConnected, [.float32, weights])) == .dynamicRange, "\(weights)")
    }
    #expect(try kind((.conv2D, [.int8, .int8])) == .bytes && kind((.conv2D, [.uint8, .uint8])) == .bytes)
    #expect(try kind((.conv2D, [.int16, .int8])) == .int16)
    // Operators without a class are ignored; without any classified operator, the class is float32.
    #expect(try kind((.conv2D, [.int32, .int8])) == .float32)
    #expect(try kind((.abs, [.int32]), (.abs, [.int8])) == .bytes)
  }

  @Test("only GEMMs count if there are any, and their majority decides")
  func majority() throws {
    #expect(try kind((.abs, [.float32]), (.abs, [.float32]), (.conv2D, [.int8, .int8])) == .bytes)
    #expect(try kind((.abs, [.float32]), (.neg, [.float32]), (.abs, [.int8])) == .float32)
    #expect(
      try kind((.conv2D, [.int16, .int8]), (.depthwiseConv2D, [.int8, .int8]), (.batchMatMul, [.int8, .int8])) == .bytes
    )
    #expect(
      try kind((.conv2D, [.int8, .int8]), (.fullyConnected, [.int16, .int8]), (.conv3D, [.int16, .int8])) == .int16)
    for product in [
      BuiltinOperator.conv2D, .depthwiseConv2D, .conv3D, .fullyConnected, .batchMatMul, .lstm,
      .unidirectionalSequenceLSTM, .svdf,
    ] {
      #expect(try kind((.abs, [.float32]), (.abs, [.float32]), (product, [.int8, .int8])) == .bytes, "\(product)")
    }
    // The data of a transposed convolution is its third input.
    #expect(try kind((.transposeConv, [.int32, .int8, .int16]), (.abs, [.float32]), (.abs, [.float32])) == .int16)
  }

  @Test("classes have the group names of reports")
  func names() {
    #expect(ArithmeticClass.allCases.map(\.rawValue) == ["float32", "int8/uint8", "dynamic-range", "int16"])
  }

  // MARK: Alternation

  /// A contender with scripted times, whose last time repeats.
  private final class Scripted: Contender {
    var times: [Double]
    var blocks: [(warmup: Int, count: Int)] = []

    init(_ times: Double...) { self.times = times }

    func run(warmup: Int, count: Int) -> [Double] {
      blocks.append((warmup, count))
      let time = times.count > 1 ? times.removeFirst() : times[0]
      return [Double](repeating: time, count: count)
    }
  }

  @Test("the defaults are seven rounds of 20 ms and 5000 runs")
  func defaults() {
    let alternation = Alternation(seconds: 3)
    #expect(alternation.seconds == 3 && alternation.rounds == 7 && alternation.blockLength == 20)
    #expect(alternation.runsPerBlock == 5000)
  }

  @Test("runs shorter than a block are timed five more times before the block is sized")
  func sizing() throws {
    func blocks(_ times: Double..., length: Double = 20) throws -> [String] {
      let contender = Scripted()
      contender.times = times
      _ = try Alternation(seconds: 0, rounds: 1, blockLength: length).measure([contender])
      return contender.blocks.map { "\($0.warmup)+\($0.count)" }
    }
    #expect(try blocks(19.9, 10) == ["1+1", "1+5", "1+2"] && blocks(20) == ["1+1", "1+1"])
    #expect(try blocks(19, 6) == ["1+1", "1+5", "1+4"], "a part of a run is a run more")
    #expect(try blocks(39.9) == ["1+1", "1+1"] && blocks(40) == ["1+1", "0+1"])
    #expect(try blocks(0) == ["1+1", "1+5", "1+5000"])
  }

  @Test("a result has the median of each round, and speedups are ratios of the other's times")
  func results() {
    let ours = Alternation.Result(blocks: [[1, 3, 2], [4]]), other = Alternation.Result(blocks: [[8], [6, 10]])
    #expect(ours.all.values == [1, 2, 3, 4] && ours.rounds == [2, 4])
    #expect(ours.speed(against: other) == 8 / 2.5 && ours.speeds(against: other).values == [2, 4])
  }

  // MARK: Samples, histograms, metrics

  @Test("a time that ends a class is in the next one")
  func histogramClasses() throws {
    func quantile(_ time: Double) throws -> Double {
      var histogram = LatencyHistogram()
      histogram.add(milliseconds: time)
      return try #require(histogram.quantile(1))
    }
    // Buckets are sixteenths of doublings, from one microsecond.
    #expect(try abs(quantile(0.001) - 0.001 * pow(2, 1.0 / 16)) < 1e-12)
    #expect(try abs(quantile(0.0020001) - 0.002 * pow(2, 1.0 / 16)) < 1e-9)
    #expect(try abs(quantile(1e12) - 0.001 * pow(2, 30)) < 1e-3)
    var two = LatencyHistogram()
    for time in [1.0, 1, 1, 100] { two.add(milliseconds: time) }
    #expect(
      try #require(two.quantile(0.75)) < 1.05 && #require(two.quantile(0.76)) > 99 && #require(two.quantile(0)) < 1.05)
    #expect(two.count == 4)
  }

  @Test("a tenth of a run contains at least one value")
  func tenths() throws {
    let tolerance = SteadyStateMetric.Tolerance(share: 0, amount: 0)
    let nine = try #require(SteadyStateMetric("x", (0..<9).map(Double.init), tolerance: tolerance))
    #expect(nine.first == 0 && nine.last == 8)
    let thirty = try #require(SteadyStateMetric("x", (0..<30).map(Double.init), tolerance: tolerance))
    #expect(thirty.first == 1 && thirty.last == 28 && thirty.name == "x")
    let figure = SteadyStateMetric("x", first: 10, last: 12, tolerance: .init(share: 0.2, amount: 1))
    #expect(figure.limit == 12 && figure.isFlat)
  }

  // MARK: Synthetic inputs and models

  @Test("synthetic inputs are floats in -1…1 and all bytes, the same in every run, and 0 for wide integers")
  func syntheticInputs() throws {
    var graph = TestGraph()
    let floats = graph.input(.float32, [500]), more = graph.input(.float32, [500])
    let bytes = graph.input(.int8, [2000]), shorts = graph.input(.int16, [2]), wide = graph.input(.int32, [3])
    for (input, type, count) in [
      (floats, ElementType.float32, 500), (more, .float32, 500), (bytes, .int8, 2000), (shorts, .int16, 2),
      (wide, .int32, 3),
    ] {
      let output = graph.output(type, [count])
      graph.add(.reshape, [input, graph.constant([Int32(count)])], [output])
    }
    func outputs() throws -> [Tensor] {
      let session = try graph.session()
      try SyntheticInput.fill(session)
      return try (0..<5).map { index in
        try session.withInput(index) { memory in
          let spec = session.inputs[index]
          return try Tensor(elementType: spec.elementType, shape: spec.shape, bytes: [UInt8](memory))
        }
      }
    }
    let first = try outputs()
    #expect(try first.map(\.bytes) == outputs().map(\.bytes))
    func values(_ tensor: Tensor) -> [Float] {
      tensor.bytes.withUnsafeBytes { raw in
        (0..<raw.count / 4).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: Float.self) }
      }
    }
    let (one, two) = (values(first[0]), values(first[1]))
    #expect(one.allSatisfy { (-1..<1).contains($0) } && (one.min() ?? 0) < -0.97 && (one.max() ?? 0) > 0.97)
    #expect(abs(one.reduce(0, +)) < 50 && Set(one).count > 490 && one != two)
    // The first number of SplitMix64 for state 0, as its upper 24 bits divided by 2^24.
    #expect(abs(one[0] - (Float(0xE2_20A8) / Float(1 << 24) * 2 - 1)) < 1e-6)
    #expect(Set(first[2].bytes).count == 256 && first[4].bytes == [UInt8](repeating: 0, count: 12))
    #expect(Set(first[3].bytes).count > 1)
  }

  @Test("a model that cannot be measured is reported once with the reason")
  func failures() throws {
    let folder = NSTemporaryDirectory() + "swiftlet-measure-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    func failure(_ bytes: [UInt8]?, options: RuntimeOptions = RuntimeOptions()) throws -> MeasurementFailure {
      let path = folder + "/m.tflite"
      try? FileManager.default.removeItem(atPath: path)
      if let bytes { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
      let failure: MeasurementFailure? = thrownError { try MeasuredModel(path, options: options) }
      let found = try #require(failure)
      #expect(found.file == path && !found.reason.hasPrefix(path) && found.description == path + ": " + found.reason)
      return found
    }
    #expect(
      try !failure(nil).isForInput && !failure([1, 2, 3]).isForInput && !failure(SmallModels.unknownOperator).isForInput
    )
    // A synthetic index beyond the end of the table is the input's fault.
    var graph = TestGraph()
    let index = graph.input(.int8, [64])
    let wide = graph.tensor(.int32, [64])
    graph.add(.cast, [index], [wide])
    graph.add(.gather, [graph.constant([Float(1), 2]), wide], [graph.output(.float32, [64])])
    #expect(try failure(TestGraph.bytes([graph])).isForInput)
    let path = folder + "/good.tflite"
    try Data(SmallModels.sum).write(to: URL(fileURLWithPath: path))
    let model = try MeasuredModel(path, options: RuntimeOptions(threads: 1))
    #expect(model.path == path && model.load > 0 && model.first > 0)
    #expect(try model.run() > 0 && ModelContender(model).run(warmup: 2, count: 3).count == 3)
    #expect(MeasurementFailure(file: "f", reason: "r").isForInput == false)
  }

  // MARK: System

  @Test("values follow the complete key, without spaces")
  func systemText() throws {
    let path = NSTemporaryDirectory() + "swiftlet-text-" + UUID().uuidString
    let text =
      "model names : no\nmodel nam: no\nmodel name without\nmodel name\t:  First one \t\nmodel name: second\nlast:x"
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(
      SystemText.value(of: "model name", in: path) == "First one" && SystemText.value(of: "last", in: path) == "x")
    #expect(SystemText.value(of: "other", in: path) == nil && SystemText.value(of: "last", in: path + "-none") == nil)
  }

  @Test("memory and CPU time increase with use")
  func usage() throws {
    let memory = ProcessMemory()
    let before = ProcessorTime.spent()
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 96 << 20, alignment: 16)
    block.initializeMemory(as: UInt8.self, repeating: 1)
    block.deallocate()
    #expect(memory.growth >= 0 && ProcessMemory.peakResidentBytes() > 96 << 20)
    let spent = ProcessorTime.spent() - before
    // The work takes a few hundredths of a second. The bounds check that the unit is milliseconds.
    #expect(spent > 0.5 && spent < 3.6e6)
    #if os(Linux)
      let status = try #require(ProcessStatus.number("Threads"))
      #expect(
        status >= 1 && ProcessStatus.number("VmHWM").map { $0 > 1000 } == true && ProcessStatus.number("Nothing") == nil
      )
    #endif
  }

  // MARK: Schedules

  private func duration(
    _ tiles: [[Double]], _ dependencies: [[Int]], workers: Int, handover: Double = 0, patience: Double = 2000
  ) -> Double {
    ScheduleSimulation(
      zip(tiles, dependencies).map { PhaseTimes(tiles: $0, dependencies: $1) }, handover: handover, patience: patience
    ).duration(workers: workers)
  }

  @Test("independent phases run concurrently, and dependent ones in order")
  func dependencies() {
    #expect(duration([[100, 100], [100, 100]], [[], []], workers: 4, patience: 0) <= 200)
    #expect(duration([[100], [100]], [[], [0]], workers: 2) == 200)
    #expect(duration([[100, 100], [50, 50]], [[], [0]], workers: 2, handover: 7) == 100 + 7 + 50 + 7)
    // The second phase depends on the first only, the third on both.
    #expect(duration([[10], [20], [30]], [[], [0], [0, 1]], workers: 1) == 60)
  }

  @Test("a worker takes the tiles of an absent worker after a wait, but not the last tile of an active one")
  func helpers() {
    // The first worker has one long tile and then others: the second helps from the end, and leaves the last.
    #expect(duration([[500, 100, 100, 10]], [[]], workers: 2) == 600)
    #expect(duration([[1000, 1000]], [[]], workers: 2) == 1000 && duration([[1000]], [[]], workers: 2) == 1000)
    // Three tiles of two workers: two for one, one for the other. The last tile of a part is left to its own worker.
    #expect(duration([[100, 100, 100]], [[]], workers: 2) == 200)
    #expect(duration([[5, 5, 5, 5, 5, 5]], [[]], workers: 3) == 10 && duration([[5, 5, 5]], [[]], workers: 8) == 5)
  }
}
