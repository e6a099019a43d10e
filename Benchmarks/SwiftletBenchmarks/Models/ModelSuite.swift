import Swiftlet
import SwiftletCommandLine
import SwiftletMeasurement
import SwiftletTestSupport

/// Measures latency, cold start, and memory of models, alone or alternating with LiteRT.
struct ModelSuite {
  /// The number of fresh processes per start measurement.
  private static let starts = 3

  private let options: BenchmarkOptions
  private let peer: LiteRTPeer
  private let folder: TemporaryFolder
  /// A model of one small operator, which loads an engine's code into memory before a model's memory is measured.
  private let small: MeasuredModel

  init(_ options: BenchmarkOptions, peer: LiteRTPeer) throws {
    self.options = options
    self.peer = peer
    folder = try TemporaryFolder()
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 4])
    graph.add(.relu, [data], [graph.output(.float32, [1, 4])])
    let path = folder.path("small.tflite")
    try AtomicFile.write(TestGraph.bytes([graph]), to: path)
    small = try MeasuredModel(path, options: RuntimeOptions())
  }

  /// Measures one model.
  ///
  /// - Throws: `MeasurementFailure` if Swiftlet cannot run the model. A failure of the peer is part of the result.
  func measure(name: String, path: String, threads: Int) throws -> ModelResult {
    let runtime = options.runtime(threads: threads)
    let measured = try MeasuredModel(path, options: runtime)
    let contender = ModelContender(measured)
    let alternation = Alternation(seconds: options.seconds)
    var result = ModelResult(
      name: name, kind: ArithmeticClass(measured.model), operatorCount: measured.compiled.operatorNames.count,
      threads: threads)
    do {
      if let process = try peer.load(path, threads: threads, session: measured.session) {
        let both = try alternation.measure([contender, process])
        var ours: [FreshStart] = []
        var theirs: [FreshStart] = []
        for _ in 0..<Self.starts {
          ours.append(try FreshStart.measure(path, options: runtime))
          theirs += [try peer.freshStart(path, threads: threads, session: measured.session)].compactMap(\.self)
        }
        let memory = try peer.freshStart(path, after: small, threads: threads, session: measured.session)?.memoryBytes
        result.ours = EngineResult(
          both[0], start: FreshStart(mediansOf: ours), memoryBytes: try memoryBytes(path, runtime))
        result.peer = EngineResult(both[1], start: FreshStart(mediansOf: theirs), memoryBytes: memory ?? 0)
        result.ratioSpread = both[0].speeds(against: both[1])
        return result
      }
    } catch let error as PeerFailure {
      result.peerFailure = error.description
      peer.forget()
    }
    let starts = try (0..<Self.starts).map { _ in try FreshStart.measure(path, options: runtime) }
    result.ours = EngineResult(
      try alternation.measure([contender])[0], start: FreshStart(mediansOf: starts),
      memoryBytes: try memoryBytes(path, runtime))
    return result
  }

  private func memoryBytes(_ path: String, _ runtime: RuntimeOptions) throws -> Int {
    try FreshStart.measure(path, after: small.path, options: runtime).memoryBytes
  }
}
