import SwiftletBase
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletDiagnosis

@Suite("Diagnosis of a model without a reference")
struct ModelChecksTests {
  /// The kinds of the first three findings.
  private func kinds(_ model: Model, _ inputs: [[Tensor]] = []) throws -> [String] {
    try ModelDiagnosis(of: model, inputs: inputs).findings.prefix(3).map(\.kind.rawValue)
  }

  private func classifier(
    labels: Int = 6, type: ElementType = .float32, scale: Float? = nil,
    normalization: (mean: Float, deviation: Float)? = (127.5, 127.5)
  ) -> PassingModel {
    var model = PassingModel(
      type: type, scale: scale, width: 8, height: 8,
      outputs: [.init(shape: [1, 192], labels: (0..<labels).map { "label \($0)" })], normalization: normalization)
    model.colorSpace = 1
    return model
  }

  @Test("a model with correct metadata has no findings")
  func clean() throws {
    #expect(try kinds(Model(bytes: classifier(labels: 192).bytes)) == [])
  }

  @Test("faults of the metadata are named")
  func metadata() throws {
    #expect(try kinds(Model(bytes: classifier(labels: 5).bytes)).contains("label-count"))
    var names = classifier(labels: 192)
    names.outputs[0].displayNames = [(locale: "de", names: ["eins"])]
    #expect(try kinds(Model(bytes: names.bytes)).contains("label-count"))
    var files = classifier(labels: 192)
    files.hasFiles = false
    #expect(try kinds(Model(bytes: files.bytes)).contains("file-missing"))
    #expect(
      try kinds(Model(bytes: classifier(labels: 192, normalization: nil).bytes)).contains("normalization-missing"))
    #expect(
      try kinds(Model(bytes: classifier(labels: 192, normalization: (0, 0)).bytes)).contains("normalization-invalid"))
    var gray = classifier(labels: 192)
    gray.colorSpace = 2
    #expect(try kinds(Model(bytes: gray.bytes)).contains("color-space"))
    var count = classifier(labels: 192)
    count.describedOutputCount = 3
    #expect(try kinds(Model(bytes: count.bytes)).contains("metadata-count"))
    var channels = classifier(labels: 192)
    channels.normalizations = [(mean: [1, 2], deviation: [1, 1])]
    #expect(try kinds(Model(bytes: channels.bytes)).contains("normalization-channels"))
  }

  @Test("a normalization that contradicts the input's scale is named with both formulas")
  func normalization() throws {
    // The input holds −1 to 1, the metadata says x / 255.
    var model = classifier(labels: 192, type: .uint8, scale: 1 / 127.5, normalization: (0, 255))
    model.zeroPoint = 128
    let findings = try ModelDiagnosis(of: Model(bytes: model.bytes), inputs: []).findings
    #expect(findings.first?.kind.rawValue == "normalization-contradicts-quantization")
    let message = findings.first?.message ?? ""
    #expect(message.contains("(x − 128) / 127.5") || message.contains("(x − 127.5) / 127.5"), "\(message)")
    #expect(message.contains("x / 255"))
    model.normalization = (127.5, 127.5)
    #expect(try kinds(Model(bytes: model.bytes)) == [])
  }

  @Test("faults of scales, zero points, weights, and biases are named")
  func quantization() throws {
    let pair = try QuantizedPair()
    func changed(_ change: (inout Subgraph) -> Void) throws -> [String] {
      var file = pair.quantized.file
      change(&file.subgraphs[0])
      return try kinds(Model(file), pair.inputs)
    }
    let graph = pair.quantized.file.subgraphs[0]
    let (weights, bias, output) = (
      try #require(graph.operators[2].inputs[1]), try #require(graph.operators[2].inputs[2]),
      graph.operators[2].outputs[0]
    )
    #expect(try changed { $0.tensors[output].quantization?.zeroPoints = [-60] }.contains("zero-point"))
    #expect(try changed { $0.tensors[output].quantization?.scales = [0] }.contains("scale-zero"))
    #expect(
      try changed {
        $0.tensors[weights].quantization?.scales = graph.tensors[weights].quantization!.scales.map { $0 * 4 }
      }.contains("bias-scale"))
    #expect(try changed { _ = PlantedFault.perTensorWeights.plant(into: &$0, at: 2) }.contains("per-tensor-weights"))
    #expect(try changed { _ = PlantedFault.clippedWeights.plant(into: &$0, at: 2) }.contains("weights-scale"))
    #expect(
      try changed {
        $0.tensors[bias].data = Quantizer.bytes([Int32](repeating: 32_767, count: graph.tensors[bias].shape[0]))
      }.contains("bias-clipped"))
    #expect(
      try changed {
        let count = Quantizer.values(graph.tensors[weights], as: Int8.self).count
        $0.tensors[weights].data = Quantizer.bytes(
          (0..<count).map { $0 < count / 2 ? Int8(0) : Quantizer.values(graph.tensors[weights], as: Int8.self)[$0] })
      }.contains("dead-channels"))
  }

  @Test("ranges that cut off or waste numbers are named, for inputs that are typical")
  func ranges() throws {
    let pair = try QuantizedPair()
    var file = pair.quantized.file
    let output = file.subgraphs[0].operators[2].outputs[0]
    file.subgraphs[0].tensors[output].quantization?.scales[0] /= 4
    #expect(try kinds(Model(file), pair.inputs).contains("saturation"))
    file.subgraphs[0].tensors[output].quantization?.scales[0] *= 64
    let found = try ModelDiagnosis(of: Model(file), inputs: pair.inputs).findings
    #expect(found.prefix(3).contains { $0.kind.rawValue == "scale-unused" }, "\(found.prefix(4).map(\.message))")
    let untypical = try ModelDiagnosis(of: Model(file), inputs: pair.inputs, areTypical: false)
    #expect(!untypical.findings.contains { $0.kind.rawValue == "scale-unused" })
  }

  @Test("an output that is the same everywhere is named, but not if it has few numbers", arguments: [16, 17])
  func constantOutput(count: Int) throws {
    var graph = TestGraph()
    let input = graph.input(.int8, [1, count], scale: 0.5)
    graph.add(.relu, [input], [graph.output(.int8, [1, count], scale: 0.5)])
    let inputs = [[try Tensor((0..<count).map { Int8(-1 - $0) }, shape: [1, count])]]
    let findings = try ModelDiagnosis(of: graph.model(), inputs: inputs).findings
    #expect(findings.contains { $0.kind.rawValue == "constant-output" } == (count > 16))
    let untypical = try ModelDiagnosis(of: graph.model(), inputs: inputs, areTypical: false)
    #expect(!untypical.findings.contains { $0.kind.rawValue == "constant-output" })
  }

  @Test("the observed figures are those of the values")
  func observed() throws {
    let model = try Model(bytes: SmallModels.tripleSigned)
    let inputs = try [-100, -1, 0, 1, 100].map { [try Tensor([Int8($0)], shape: [1])] }
    let tensor = try #require(try ModelDiagnosis(of: model, inputs: inputs).tensors.first { $0.name == "output" })
    #expect(tensor.range == -64...63.5)
    #expect(tensor.levelCount == 5)
    #expect(tensor.lowestShare == 0.2 && tensor.highestShare == 0.2)
    #expect(tensor.histogram.counts.reduce(0, +) == 5)
    #expect(tensor.representable == -64...63.5)
  }

  @Test("operators that undo each other and operators that nothing reads are notes")
  func graph() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 2, 3])
    let turned = graph.tensor(.float32, [3, 1, 2])
    let back = graph.output(.float32, [1, 2, 3])
    let unused = graph.tensor(.float32, [1, 2, 3])
    graph.add(.transpose, [input, graph.constant([Int32(2), 0, 1])], [turned])
    graph.add(.transpose, [turned, graph.constant([Int32(1), 2, 0])], [back])
    graph.add(.neg, [input], [unused])
    let findings = try ModelDiagnosis(of: graph.model(), inputs: []).findings
    #expect(findings.map(\.kind.rawValue).contains("transpose-pair"))
    #expect(findings.map(\.kind.rawValue).contains("unused-operator"))
    #expect(findings.allSatisfy { $0.severity == .note })
  }

  @Test("constants that no operator accepts are no trap: a permutation of NaN, a bias with fewer scales than values")
  func hostileConstants() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 2])
    let (turned, back) = (graph.tensor(.float32, [2, 1]), graph.output(.float32, [1, 2]))
    graph.add(.transpose, [input, graph.constant([Float.nan, .infinity])], [turned])
    graph.add(.transpose, [turned, graph.constant([Int32(1), 0])], [back])
    #expect(try ModelDiagnosis(of: graph.model(), inputs: []).findings.contains { $0.kind.rawValue == "unsupported" })
    let pair = try QuantizedPair()
    var (quantized, float) = (pair.quantized.file, pair.float.file)
    let bias = try #require(quantized.subgraphs[0].operators[2].inputs[2])
    for shape in [[2, 6], [1, 12]] {
      quantized.subgraphs[0].tensors[bias].shape = shape
      float.subgraphs[0].tensors[bias].shape = shape
      quantized.subgraphs[0].tensors[bias].quantization = QuantizationDescription(
        scales: [Float](repeating: 0.01, count: shape[0]), zeroPoints: [Int](repeating: 0, count: shape[0]), axis: 0)
      _ = try? ModelDiagnosis(of: Model(quantized), reference: Model(float), inputs: pair.inputs)
    }
  }

  @Test("a model that cannot run has a finding that says why")
  func unsupported() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    graph.add(custom: "Missing", [input], [graph.output(.float32, [1])])
    let diagnosis = try ModelDiagnosis(of: graph.model(), inputs: [])
    #expect(diagnosis.findings.first?.kind.rawValue == "unsupported")
    #expect(diagnosis.findings.first?.message.contains("Missing") == true)
  }
}

@Suite("Figures of errors")
struct ErrorFiguresTests {
  private func figures(_ values: [Float], _ reference: [Float]) -> ErrorFigures? {
    var sums = ErrorSums()
    values.withUnsafeBufferPointer { values in
      reference.withUnsafeBufferPointer { sums.add(values, reference: $0) }
    }
    return sums.figures
  }

  @Test("figures are those of their definitions")
  func definitions() throws {
    let found = try #require(figures([1, 2, 4], [1, 3, 2]))
    #expect(abs(found.signalToNoise - 10 * log10(14.0 / 5)) < 1e-12)
    #expect(abs(found.cosine - 15 / (21.0 * 14).squareRoot()) < 1e-12)
    #expect(found.largestError == 2)
    #expect(abs(found.meanShift - 1.0 / 3) < 1e-12)
    #expect(abs(found.meanRatio - 7.0 / 6) < 1e-12)
    #expect(abs(found.scale - (14.0 / 9 / (2.0 / 3)).squareRoot()) < 1e-12)
  }

  @Test("equal, empty, and infinite values")
  func edges() throws {
    #expect(figures([1, 2], [1, 2])?.signalToNoise == .infinity)
    #expect(figures([0, 0], [0, 0])?.cosine == 1)
    #expect(figures([], []) == nil)
    let broken = try #require(figures([.nan, 1, .infinity], [1, 1, 1]))
    #expect(broken.notFiniteCount == 2 && broken.elementCount == 3)
    #expect(broken.signalToNoise == -.infinity && broken.largestError == 0)
  }
}

@Suite("Formats of numbers")
struct NumberFormatTests {
  @Test("codes are rounded, clamped, and read back", arguments: [ElementType.int8, .uint8, .int16])
  func codes(type: ElementType) throws {
    let tensor = TensorDescription(
      name: "t", type: type, shape: [4],
      quantization: QuantizationDescription(scales: [0.5], zeroPoints: [type == .uint8 ? 128 : 3], axis: 0))
    let format = try #require(NumberFormat(tensor))
    let codes = try #require(format.codes)
    for value in [-1000, -0.26, 0, 0.24, 0.26, 1000, .infinity, -.infinity] as [Float] {
      #expect(codes.contains(format.code(value)))
    }
    #expect(format.code(0.24) == format.zeroPoint && format.code(0.26) == format.zeroPoint + 1)
    #expect(format.code(.nan) == format.zeroPoint)
    #expect(format.representable?.lowerBound == format.real(codes.lowerBound))
  }

  @Test("4-bit and 16-bit constants are read")
  func constants() {
    func values(_ bytes: [UInt8], _ type: ElementType, _ shape: [Int]) -> [Float]? {
      ConstantValues.codes(of: TensorDescription(name: "c", type: type, shape: shape, data: ByteRegion(bytes)))
    }
    #expect(values([0xF1, 0x08], .int4, [3]) == [1, -1, -8])
    #expect(values([0xF1, 0x08], .uint4, [4]) == [1, 15, 8, 0])
    #expect(values([0x00, 0x3C, 0x00, 0x7C], .float16, [2]) == [1, .infinity])
    #expect(values([1], .float32, [1]) == nil, "too few bytes")
  }
}
