import SwiftletEngine
@_spi(Facades) import SwiftletTasks
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Rules of classification models")
struct ClassifierRulesTests {
  struct Fault {
    var change: String
    var code: ModelFault
    var words: String
    var model: [UInt8]

    init(_ change: String, _ code: ModelFault, _ words: String, _ model: [UInt8]) {
      (self.change, self.code, self.words, self.model) = (change, code, words, model)
    }
  }

  /// Returns a model of six classes that reads its scores from 2 × 1 pixels.
  static func model(
    _ output: PassingModel.Output = .init(shape: [1, 6]), _ change: (inout PassingModel) -> Void = { _ in }
  ) -> [UInt8] {
    var model = PassingModel(type: .uint8, scale: 1 / 255, width: 2, height: 1, outputs: [output])
    change(&model)
    return model.bytes
  }

  static let names = ["a", "b", "c", "d", "e", "f"]

  static let broken: [Fault] = [
    Fault("two inputs", .inputCount, "has 2", model { $0.hasSecondInput = true }),
    Fault("channels first", .inputDimensions, "[1 × 3 × 1 × 2]", model { $0.inputShape = [1, 3, 1, 2] }),
    Fault("three dimensions", .inputDimensions, "[2 × 1 × 3]", model { $0.inputShape = [2, 1, 3] }),
    Fault("a batch of two", .inputDimensions, "[2 × 1 × 1 × 3]", model { $0.inputShape = [2, 1, 1, 3] }),
    Fault("whole numbers of 32 bits", .inputType, "int32", model { ($0.type, $0.scale) = (.int32, nil) }),
    Fault("a gray color space", .invalidArgument, "gray", model { $0.colorSpace = 2 }),
    Fault(
      "float32 without normalization", .normalizationMissing, "NormalizationOptions",
      model { ($0.type, $0.scale, $0.normalization) = (.float32, nil, nil) }),
    Fault(
      "float32 without metadata", .normalizationMissing, "inputNormalization",
      model { ($0.type, $0.scale, $0.hasMetadata) = (.float32, nil, false) }),
    Fault(
      "a deviation of 0", .processUnits, "deviation",
      model { ($0.type, $0.scale, $0.normalization) = (.float32, nil, (0, 0)) }),
    Fault(
      "two means", .processUnits, "[1.0, 2.0]",
      model { ($0.type, $0.scale, $0.normalizations) = (.float32, nil, [([1, 2], [1, 1])]) }),
    Fault(
      "normalization twice", .processUnits, "at most one",
      model { ($0.type, $0.scale, $0.normalizations) = (.float32, nil, [([1], [1]), ([2], [1])]) }),
    Fault(
      "an output with three dimensions", .outputDimensions, "looks like an object detection model",
      model(.init(shape: [1, 2, 3]))),
    Fault("several rows of classes", .outputDimensions, "1 × N", model(.init(shape: [2, 3]))),
    Fault("an output without a scale", .outputType, "scale", model { $0.scale = nil }),
    Fault(
      "more outputs in the metadata", .metadataInconsistent, "describes 2 outputs, the model has 1",
      model { $0.describedOutputCount = 2 }),
    Fault(
      "fewer labels than classes", .metadataInconsistent, "5 classes",
      model(.init(shape: [1, 6], labels: Array(names.prefix(5))))),
    Fault("an empty label file", .metadataInconsistent, "empty", model(labeled(""))),
    Fault(
      "a label file that is not there", .associatedFileMissing, "labels0.txt",
      model(.init(shape: [1, 6], labels: names)) { $0.hasFiles = false }),
    Fault(
      "fewer names in English", .labelCountMismatch, "got 2 and 6",
      model(.init(shape: [1, 6], labels: names, displayNames: [("en", ["x", "y"])]))),
    Fault(
      "calibration of other classes", .scoreCalibration, "1 classes",
      model(.init(shape: [1, 6], labels: names, calibration: "1,1,1"))),
    Fault(
      "calibration that is no numbers", .scoreCalibration, "line 1",
      model(.init(shape: [1, 6], labels: names, calibration: "one"))),
    Fault("two thresholds", .processUnits, "at most one", model(thresholds([0.1, 0.2]))),
  ]

  static func labeled(_ file: String) -> PassingModel.Output {
    var output = PassingModel.Output(shape: [1, 6])
    output.labelFile = file
    return output
  }

  static func thresholds(_ values: [Float]) -> PassingModel.Output {
    var output = PassingModel.Output(shape: [1, 6], labels: names)
    output.scoreThresholds = values
    return output
  }

  @Test("each broken rule has its number and reports the found value", arguments: broken.indices)
  func faults(index: Int) throws {
    let fault = Self.broken[index]
    let error = try #require(
      trackerError { _ = try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes(fault.model)))) },
      "\(fault.change)")
    #expect(error.modelFault == fault.code, "\(fault.change): \(error)")
    #expect(error.message.contains(fault.words), "\(fault.change): \(error)")
    #expect(error.code == .invalidModel)
    #expect(error.message.hasSuffix("(\(fault.code.rawValue))"))
  }

  @Test("an object detection model is reported as one")
  func detector() throws {
    let error = try #require(
      trackerError { _ = try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes(BoxReadingModel.bytes)))) })
    #expect(
      error.modelFault == .outputDimensions && error.message.contains("looks like an object detection model"),
      "\(error)")
  }

  @Test("invalid models and missing files are distinguished")
  func unreadable() {
    let noModel = trackerError {
      _ = try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes([1, 2, 3, 4]))))
    }
    #expect(noModel?.code == .invalidModel)
    let missing = trackerError {
      _ = try ObjectModels.classifier(.init(baseOptions: BaseOptions(model: .file("/no/such/model.tflite"))))
    }
    #expect(missing?.code == .modelNotFound && missing?.message.contains("/no/such/model.tflite") == true)
    #expect(missing?.cause == .missingFile(path: "/no/such/model.tflite") && missing?.modelFault == nil)
  }

  @Test(
    "2-D and 4-D outputs of float32, uint8, and int8 are accepted, with and without metadata",
    arguments: [[1, 6], [1, 1, 1, 6]])
  func accepted(shape: [Int]) throws {
    for type in [ElementType.float32, .uint8, .int8] {
      for hasMetadata in [true, false] where hasMetadata || type != .float32 {
        let model = PassingModel(
          type: type, scale: type == .float32 ? nil : 1, width: 2, height: 1, outputs: [.init(shape: shape)],
          hasMetadata: hasMetadata)
        #expect(throws: Never.self) { try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes(model.bytes)))) }
      }
    }
  }

  @Test("a normalization in the options replaces a missing one")
  func normalization() throws {
    var base = BaseOptions(model: .bytes(Self.model { ($0.type, $0.scale, $0.hasMetadata) = (.float32, nil, false) }))
    base.inputNormalization = InputNormalization(mean: [10], standardDeviation: [2])
    let classifier = try CropClassifier(.init(baseOptions: base))
    let image = try InputImage(rgb: [10, 12, 14, 20, 30, 40], width: 2, height: 1)
    #expect(try classifier.scores(of: PixelRect(x: 0, y: 0, width: 2, height: 1), in: image) == [0, 1, 2, 5, 10, 15])
  }
}
