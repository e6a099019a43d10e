import Foundation
import SwiftletBase
import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletDiagnosis

@Suite("Diagnosis of a quantized model with its reference")
struct PairDiagnosisTests {
  @Test(
    "a pair without a fault has no culprit, and the figures are those of quantization",
    arguments: [7, 8, 9] as [UInt64])
  func clean(seed: UInt64) throws {
    let pair = try QuantizedPair(seed: seed)
    let diagnosis = try ModelDiagnosis(of: pair.quantized, reference: pair.float, inputs: pair.inputs)
    #expect(diagnosis.culprits.isEmpty, "\(diagnosis.culprits.map(\.message))")
    #expect(diagnosis.layers.allSatisfy { $0.added != nil && $0.inherited != nil && $0.total != nil })
    for layer in diagnosis.layers {
      let (added, expected) = (layer.added?.signalToNoise ?? 0, layer.expectedSignalToNoise ?? 0)
      #expect(abs(added - expected) < 6, "\(layer.operatorName) adds \(added), expected \(expected)")
      #expect(added > 25)
    }
    #expect(!diagnosis.findings.contains { $0.severity == .error }, "\(diagnosis.findings)")
  }

  @Test("a planted fault is the first culprit", arguments: PlantedFault.allCases, [0, 1, 2, 3, 4])
  func planted(fault: PlantedFault, operation: Int) throws {
    let pair = try QuantizedPair()
    var file = pair.quantized.file
    guard fault.plant(into: &file.subgraphs[0], at: operation) else { return }
    let diagnosis = try ModelDiagnosis(of: Model(file), reference: pair.float, inputs: pair.inputs)
    let first = try #require(diagnosis.culprits.first, "no culprit for \(fault) in \(operation)")
    #expect(
      first.operatorIndex == operation,
      "\(fault) in \(operation): \(diagnosis.culprits.map { "\($0.operatorIndex ?? -1) \($0.cause)" })")
    #expect(!first.message.isEmpty && !first.advice.isEmpty)
  }

  @Test("shapes in the file, which may be larger than those of a run, take no memory")
  func declaredShapes() throws {
    let pair = try QuantizedPair()
    var (file, reference) = (pair.quantized.file, pair.float.file)
    file.subgraphs[0].tensors[file.subgraphs[0].outputs[0]].shape = [1 << 27, 5]
    reference.subgraphs[0].tensors[reference.subgraphs[0].outputs[0]].shape = [1 << 27, 5]
    let (model, other) = (Model(file), Model(reference))
    let run = try PairRun(PairPlan(model, reference: other), model, other, options: RuntimeOptions())
    #expect(run.byteCount < 1 << 20)
    let layers = try ModelDiagnosis(of: model, reference: other, inputs: pair.inputs).layers
    let expected = try ModelDiagnosis(of: pair.quantized, reference: pair.float, inputs: pair.inputs).layers
    #expect(layers.map(\.total?.signalToNoise) == expected.map(\.total?.signalToNoise))
  }

  @Test("the fault of the input's scale is named at the input")
  func inputRange() throws {
    let pair = try QuantizedPair()
    var file = pair.quantized.file
    let input = file.subgraphs[0].inputs[0]
    // The range of 0 to 1 instead of −1 to 1.
    file.subgraphs[0].tensors[input].quantization = QuantizationDescription(
      scales: [1 / 255], zeroPoints: [-128], axis: 0)
    let diagnosis = try ModelDiagnosis(of: Model(file), reference: pair.float, inputs: pair.inputs)
    #expect(diagnosis.culprits.first?.tensorIndex == input)
    #expect(diagnosis.culprits.first?.cause.rawValue == "normalization")
  }

  @Test("what a layer inherits and what it adds are separate")
  func separation() throws {
    let pair = try QuantizedPair()
    var file = pair.quantized.file
    #expect(PlantedFault.weightsScale.plant(into: &file.subgraphs[0], at: 0))
    let layers = try ModelDiagnosis(of: Model(file), reference: pair.float, inputs: pair.inputs).layers
    let (first, second) = (layers[0], layers[1])
    #expect(try #require(first.added).signalToNoise < 5)
    #expect(try #require(first.inherited).signalToNoise > 35, "the first layer inherits only the input's rounding")
    #expect(try #require(second.added).signalToNoise > 25, "the second layer adds nothing unusual")
    #expect(try #require(second.inherited).signalToNoise < 8)
    #expect(try #require(second.total).signalToNoise < 8)
  }

  @Test("float16 constants beyond their range are found")
  func overflow() throws {
    let pair = try QuantizedPair()
    var file = pair.float.file
    let weights = try #require(file.subgraphs[0].operators[2].inputs[1])
    var values = Quantizer.values(file.subgraphs[0].tensors[weights], as: Float.self)
    values[5] = .infinity
    file.subgraphs[0].tensors[weights].data = Quantizer.bytes(values)
    let diagnosis = try ModelDiagnosis(of: Model(file), reference: pair.float, inputs: pair.inputs)
    #expect(diagnosis.culprits.first?.operatorIndex == 2)
    #expect(diagnosis.findings.first?.kind.rawValue == "constant-not-finite")
  }

  @Test("a reference with other inputs is an error that says so")
  func otherInputs() throws {
    let pair = try QuantizedPair()
    let other = try Model(bytes: SmallModels.triple)
    let error = #expect(throws: RuntimeError.self) {
      try ModelDiagnosis(of: pair.quantized, reference: other, inputs: pair.inputs)
    }
    #expect(error?.code == .invalidArgument && error?.message.contains("different inputs") == true)
  }

  @Test("inputs of another number, size, or type are errors")
  func badInputs() throws {
    let pair = try QuantizedPair()
    let short = try Tensor([Float](repeating: 0, count: 12), shape: [1, 2, 2, 3])
    let side = QuantizedPair.side
    let wide = try Tensor([Int64](repeating: 0, count: side * side * 3), shape: Shape([1, side, side, 3]))
    for inputs in [[], [short], [wide], [short, short]] {
      let error = #expect(throws: RuntimeError.self) { try ModelDiagnosis(of: pair.quantized, inputs: [inputs]) }
      #expect(error?.code == .invalidArgument)
    }
  }

  @Test("a diagnosis ends at its deadline, and by cancellation")
  func deadline() throws {
    let pair = try QuantizedPair()
    let options = RuntimeOptions(timeout: .nanoseconds(1))
    let error = #expect(throws: RuntimeError.self) {
      try ModelDiagnosis(of: pair.quantized, reference: pair.float, inputs: pair.inputs, options: options)
    }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test("the results don't depend on the number of threads, and progress reaches 1")
  func threads() throws {
    let pair = try QuantizedPair()
    let progress = Mutex<[Double]>([])
    let results = try [1, 3].map { threads in
      try ModelDiagnosis(
        of: pair.quantized, reference: pair.float, inputs: pair.inputs, options: RuntimeOptions(threads: threads),
        progress: { share in progress.withLock { $0.append(share) } })
    }
    #expect(results[0].culprits == results[1].culprits)
    for (one, other) in zip(results[0].layers, results[1].layers) {
      #expect(abs((one.total?.signalToNoise ?? 0) - (other.total?.signalToNoise ?? 0)) < 1e-9)
    }
    #expect(progress.withLock { $0.max() } == 1)
  }

  @Test("no inputs are no error: the constants alone are compared")
  func noInputs() throws {
    let pair = try QuantizedPair()
    let diagnosis = try ModelDiagnosis(of: pair.quantized, reference: pair.float, inputs: [])
    #expect(diagnosis.inputCount == 0 && diagnosis.layers.allSatisfy { $0.total == nil })
  }
}

@Suite("Diagnosis of published pairs", .enabled(if: TestData.has("models"), "\(TestData.skipReason)"))
struct PublishedPairTests {
  private static let pairs = [
    ("classification/vww_96_int8.tflite", "classification/vww_96_float.tflite"),
    ("classification/resnet8_cifar10_int8.tflite", "classification/resnet8_cifar10_float.tflite"),
    ("face/face_detection_front_int8.tflite", "face/face_detection_front_float.tflite"),
    ("classification/mobilenet_v1_0.25_224_dynamic_int8.tflite", "classification/mobilenet_v1_0.25_224_float.tflite"),
  ]

  private static func load(_ path: String) throws -> Model { try Model(contentsOf: TestData.path("models/" + path)) }

  /// Smooth seeded images: each a sum of waves, in the range of the input.
  private static func inputs(_ model: Model) throws -> [[Tensor]] {
    let graph = model.file.subgraphs[0]
    let input = graph.tensors[graph.inputs[0]]
    let range = NumberFormat(input)?.representable ?? -1...1
    let (height, width) = (input.shape[1], input.shape[2])
    return try (0..<2).map { number in
      var values: [Float] = []
      for y in 0..<height {
        for x in 0..<width {
          for channel in 0..<3 {
            let phase = Float(x * (number + 2) * 3 + y * (channel + 1) * 5) / Float(width) + Float(number * channel)
            let wave = (phase * 1.7).truncatingRemainder(dividingBy: 2) - 1
            values.append(range.lowerBound + (range.upperBound - range.lowerBound) * (0.5 + 0.45 * wave))
          }
        }
      }
      return [try Tensor(values, shape: Shape(input.shape))]
    }
  }

  /// The label files of detectors, with the numbers of labels that the score tensor allows: with and without a label
  /// for the background.
  private static let detectors = [
    ("detection/coco_ssd_mobilenet_v1_1.0_quant.tflite", "labelmap.txt", 90...91),
    ("detection/salad_automl_320.tflite", "dict.txt", 5...6),
  ]

  @Test("label files of detectors that don't match the classes are named", arguments: detectors)
  func detectorLabels(path: String, labels: String, counts: ClosedRange<Int>) throws {
    let bytes = try [UInt8](Data(contentsOf: URL(filePath: TestData.path("models/" + path))))
    let archiveStart = try #require(bytes.firstRange(of: [0x50, 0x4B, 3, 4])?.lowerBound)
    func kinds(labels count: Int) throws -> [String] {
      let text = (0..<count).map { "label \($0)\n" }.joined()
      var archive = RawArchive([.init(labels, Array(text.utf8))])
      archive.prefix = Array(bytes[..<archiveStart])
      let findings = try ModelDiagnosis(of: Model(bytes: archive.bytes), inputs: []).findings
      return findings.prefix(3).map(\.kind.rawValue)
    }
    for count in counts { #expect(try !kinds(labels: count).contains("label-count"), "\(count)") }
    for count in [1, counts.lowerBound - 1, counts.upperBound + 1] {
      #expect(try kinds(labels: count).contains("label-count"), "\(count)")
    }
    #expect(try kinds(labels: 0).contains("labels-damaged"))
  }

  @Test("pairs without a fault have no culprit, and all layers have a counterpart", arguments: pairs)
  func clean(quantized: String, float: String) throws {
    let (model, reference) = (try Self.load(quantized), try Self.load(float))
    let diagnosis = try ModelDiagnosis(of: model, reference: reference, inputs: try Self.inputs(model))
    #expect(diagnosis.culprits.isEmpty, "\(diagnosis.culprits.map(\.message))")
    let compared = diagnosis.layers.count { $0.added != nil }
    #expect(compared == diagnosis.layers.count, "\(compared) of \(diagnosis.layers.count)")
  }

  @Test(
    "faults planted into published models are found", arguments: Array(pairs.prefix(2)),
    [PlantedFault.weightsScale, .perTensorWeights, .swappedChannels, .clippedWeights, .activationScale])
  func planted(pair: (String, String), fault: PlantedFault) throws {
    let (model, reference) = (try Self.load(pair.0), try Self.load(pair.1))
    var file = model.file
    let operation = 2
    #expect(fault.plant(into: &file.subgraphs[0], at: operation))
    let diagnosis = try ModelDiagnosis(of: Model(file), reference: reference, inputs: try Self.inputs(model))
    #expect(diagnosis.culprits.first?.operatorIndex == operation, "\(diagnosis.culprits.map(\.message))")
  }
}
