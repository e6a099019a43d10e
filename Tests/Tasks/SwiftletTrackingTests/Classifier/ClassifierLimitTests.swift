import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Limits of classification models")
struct ClassifierLimitTests {
  private func spec(_ shape: Shape, _ type: ElementType = .float32, scales: [Float]? = nil) -> TensorSpec {
    TensorSpec(
      name: "t", elementType: type, shape: shape,
      quantization: scales.map { QuantizationParameters(scales: $0, zeroPoints: $0.map { _ in 0 }) })
  }

  private func check(_ outputs: [TensorSpec], described: Int? = nil) -> TaskError? {
    let metadata = described.map { SubgraphMetadata(outputs: [TensorMetadata](repeating: TensorMetadata(), count: $0)) }
    return trackerError { try ClassifierRules.check(outputs: outputs, metadata: metadata) }
  }

  private static let hint = ". This looks like an object detection model; an image classification model belongs here"

  @Test("outputs are rows of classes, of two or four dimensions")
  func outputShapes() {
    for shape in [[1, 5], [1, 1, 1, 5], [1, 1]] as [Shape] { #expect(check([spec(shape)]) == nil, "\(shape)") }
    for shape in [[5], [2, 5], [1, 1, 5], [1, 1, 2, 5], [1, 2, 1, 5], [2, 1, 1, 5], [1, 1, 1, 1, 5], [1, 0]] as [Shape]
    {
      let error = check([spec(shape)])
      #expect(error?.modelFault == .outputDimensions && error?.code == .invalidModel, "\(shape)")
      #expect(error?.message.contains("2-D [1 × N] or 4-D [1 × 1 × 1 × N], this one is \(shape.rank)-D: ") == true)
      #expect(error?.message.contains(Self.hint) == (shape.rank == 3))
    }
    #expect(check([spec([1, 5]), spec([5])])?.modelFault == .outputDimensions)
  }

  @Test("detection models are recognized by rank, count, or rows of six or seven numbers")
  func detectors() {
    func isDetector(_ shapes: [Shape]) -> Bool { check(shapes.map { spec($0) })?.message.contains(Self.hint) == true }
    #expect(isDetector([[10, 6]]) && isDetector([[10, 7]]) && !isDetector([[10, 5]]) && !isDetector([[10, 8]]))
    #expect(isDetector([[2, 6]]) && isDetector([[5], [1, 2, 3]]) && isDetector([[5], [5], [5], [5]]))
    #expect(!isDetector([[5], [5], [5]]) && !isDetector([[5], [1, 6]]) && isDetector([[5], [2, 6]]))
  }

  @Test("outputs are all float32, or all bytes with one scale")
  func outputTypes() {
    #expect(check([spec([1, 5], .uint8, scales: [1])]) == nil && check([spec([1, 5], .int8, scales: [1])]) == nil)
    #expect(check([spec([1, 5], .int8, scales: [1]), spec([1, 3], .uint8, scales: [2])]) == nil)
    #expect(check([spec([1, 5]), spec([1, 3])]) == nil)
    for output in [
      spec([1, 5], .uint8), spec([1, 5], .int8, scales: [1, 2]), spec([1, 5], .int32), spec([1, 5], .bool),
      spec([1, 5], .int16, scales: [1]),
    ] {
      let error = check([output])
      #expect(error?.modelFault == .outputType)
      #expect(error?.message.contains("must be float32, or uint8 or int8 with one scale and zero point") == true)
    }
    for outputs in [
      [spec([1, 5]), spec([1, 5], .int8, scales: [1])], [spec([1, 5], .int8, scales: [1]), spec([1, 5])],
    ] {
      let error = check(outputs)
      #expect(error?.modelFault == .outputType)
      #expect(error?.message.contains("must all be float32 or all be bytes, got ") == true)
    }
  }

  @Test("metadata describes all outputs, or none")
  func described() {
    let outputs = [spec([1, 5]), spec([1, 3])]
    #expect(check(outputs, described: 2) == nil && check(outputs, described: 0) == nil && check(outputs) == nil)
    for count in [1, 3] {
      let error = check(outputs, described: count)
      #expect(error?.modelFault == .metadataInconsistent)
      #expect(error?.message == "the metadata describes \(count) outputs, the model has 2 (203)")
    }
  }

  // MARK: Inputs

  private func check(
    _ shape: [Int], _ type: ElementType = .uint8, signature: [Int]? = nil, inputs: Int = 1, outputs: Int = 1,
    metadata: SubgraphMetadata? = nil, normalization: InputNormalization? = nil
  ) throws -> TaskError? {
    var graph = TestGraph()
    let input = graph.input(type, shape)
    if let signature { graph.leaveOpen(input, signature) }
    for _ in 1..<inputs { _ = graph.input(type, shape) }
    let count = shape.reduce(1, *)
    for _ in 0..<outputs {
      graph.add(.reshape, [input, graph.constant([Int32(1), Int32(count)])], [graph.output(type, [1, count])])
    }
    var base = BaseOptions(model: .bytes([]))
    base.inputNormalization = normalization
    let model = try graph.model()
    return trackerError { try ClassifierRules.check(model, metadata: metadata, base) }
  }

  @Test("an input is one color image of a fixed size")
  func inputs() throws {
    #expect(try check([1, 2, 3, 3]) == nil && check([1, 1, 1, 3]) == nil)
    for shape in [[2, 2, 3, 3], [1, 2, 3, 1], [1, 2, 3, 4], [2, 3, 3], [1, 1, 2, 3, 3]] {
      let error = try check(shape)
      #expect(error?.modelFault == .inputDimensions, "\(shape)")
      let text = shape.map(String.init).joined(separator: " × ")
      #expect(error?.message.contains("[1 × height × width × 3] (NHWC); this one's is [\(text)]") == true)
    }
    for (shape, signature, isFine) in [
      ([1, 1, 1, 3], [1, -1, -1, 3], false), ([1, 1, 5, 3], [1, -1, 5, 3], false),
      ([1, 5, 1, 3], [1, 5, -1, 3], false),
      ([1, 5, 5, 3], [1, -1, -1, 3], true), ([1, 1, 1, 3], [-1, 1, 1, 3], true), ([1, 1, 1, 3], [1, 1, 1, 3], true),
    ] {
      let error = try check(shape, signature: signature)
      #expect((error == nil) == isFine, "\(shape) \(signature)")
      #expect(isFine || error?.modelFault == .inputDimensions)
      #expect(
        isFine || error?.message.contains("leaves the size of its input open; convert it with a fixed height") == true)
    }
    let two = try check([1, 2, 3, 3], inputs: 2)
    #expect(two?.modelFault == .inputCount && two?.message.contains("one input, an image; this one has 2") == true)
    for type in [ElementType.int32, .int16, .bool] {
      let error = try check([1, 2, 3, 3], type)
      #expect(error?.modelFault == .inputType && error?.message.contains("this one's is \(type.name)") == true)
    }
  }

  @Test("metadata describes one input, or none")
  func describedInputs() throws {
    func metadata(_ count: Int) -> SubgraphMetadata {
      SubgraphMetadata(inputs: [TensorMetadata](repeating: TensorMetadata(), count: count))
    }
    #expect(
      try check([1, 2, 3, 3], metadata: metadata(0)) == nil && check([1, 2, 3, 3], metadata: metadata(1)) == nil)
    let error = try check([1, 2, 3, 3], metadata: metadata(2))
    #expect(error?.modelFault == .metadataInconsistent)
    #expect(error?.message == "the metadata describes 2 inputs, the model has 1 (203)")
  }

  private func metadata(
    _ units: [ProcessUnit] = [], colorSpace: ImageProperties.ColorSpace? = nil
  ) -> SubgraphMetadata {
    let content = colorSpace.map { TensorContent(properties: .image(ImageProperties(colorSpace: $0))) }
    return SubgraphMetadata(inputs: [TensorMetadata(content: content, processUnits: units)])
  }

  @Test("gray images are rejected, even of bytes")
  func grayscale() throws {
    for space in [ImageProperties.ColorSpace.unknown, .rgb] {
      #expect(try check([1, 2, 3, 3], metadata: metadata(colorSpace: space)) == nil)
    }
    let error = try check([1, 2, 3, 3], metadata: metadata(colorSpace: .grayscale))
    #expect(
      error?.modelFault == .invalidArgument && error?.message.hasSuffix("only RGB models are supported (2)") == true)
  }

  @Test("float32 requires a normalization of one or three channels, int8 may have one, and uint8 ignores it")
  func normalizations() throws {
    func fault(_ type: ElementType, _ mean: [Float], _ deviation: [Float]) throws -> ModelFault? {
      try check([1, 2, 3, 3], type, normalization: InputNormalization(mean: mean, standardDeviation: deviation))?
        .modelFault
    }
    #expect(try check([1, 2, 3, 3], .float32)?.modelFault == .normalizationMissing)
    #expect(try check([1, 2, 3, 3], .float32, metadata: metadata())?.modelFault == .normalizationMissing)
    #expect(try check([1, 2, 3, 3], .int8) == nil && check([1, 2, 3, 3], .int8, metadata: metadata()) == nil)
    for type in [ElementType.float32, .int8] {
      #expect(try fault(type, [1], [1]) == nil && fault(type, [1, 2, 3], [1, 2, 3]) == nil)
      for (mean, deviation) in [
        ([1, 2], [1, 2]), ([1, 2, 3, 4], [1, 2, 3, 4]), ([1], [1, 2, 3]), ([1, 2, 3], [1]), ([1], [0]),
        ([1, 2, 3], [1, 2, 0]), ([], []),
      ] as [([Float], [Float])] { #expect(try fault(type, mean, deviation) == .processUnits, "\(mean) \(deviation)") }
    }
    #expect(try fault(.uint8, [1, 2], [0]) == nil)
    let unit = ProcessUnit.normalization(Normalization(mean: [1], deviation: [2]))
    #expect(try check([1, 2, 3, 3], .float32, metadata: metadata([unit])) == nil)
    let twice = try check([1, 2, 3, 3], .float32, metadata: metadata([unit, unit]))
    #expect(
      twice?.modelFault == .processUnits
        && twice?.message.hasPrefix("the model's normalization cannot be used: ") == true)
  }

  // MARK: Files

  @Test("damaged archives and metadata are distinguished")
  func damaged() throws {
    let model = PassingModel(type: .uint8, scale: 1, width: 2, height: 1, outputs: [.init(shape: [1, 6])])
    var raw = RawArchive([.init("a", [1])])
    (raw.prefix, raw.statedMemberCount) = (model.bytes, 2)
    let archived = raw.bytes
    let archive = trackerError { _ = try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes(archived)))) }
    #expect(archive?.modelFault == .archive, "\(String(describing: archive))")
    #expect(archive?.message.hasPrefix("the archive appended to the model is damaged: ") == true)
    var graph = TestGraph()
    let input = graph.input(.uint8, [1, 1, 2, 3])
    graph.add(.reshape, [input, graph.constant([Int32(1), 6])], [graph.output(.uint8, [1, 6], scale: 1)])
    let bytes = TestGraph.bytes([graph], metadata: [0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4])
    let metadata = trackerError { _ = try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes(bytes)))) }
    #expect(metadata?.modelFault == .metadataSchema)
    #expect(metadata?.message.hasPrefix("the model's metadata is damaged: ") == true)
  }

  @Test("options can check their model, and the message names its file")
  func checkModel() {
    let model = PassingModel(type: .uint8, scale: 1, width: 2, height: 1, outputs: [.init(shape: [1, 6])])
    #expect(
      trackerError { try ObjectClassifierOptions(baseOptions: BaseOptions(model: .bytes(model.bytes))).checkModel() }
        == nil)
    let missing = trackerError {
      try ObjectClassifierOptions(baseOptions: BaseOptions(model: .file("/nowhere/a"))).checkModel()
    }
    #expect(missing?.code == .modelNotFound && missing?.message.contains("/nowhere/a") == true)
  }
}
