import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import SwiftletVision
import Testing

@_spi(Facades) @testable import SwiftletTracking

@Suite("Classification of crops")
struct CropClassifierTests {
  private let names = ["a", "b", "c", "d", "e", "f"]
  /// An image of 2 × 1 pixels with the scores 1/8, 1/2, 1/2, 1/4, 0, and 3/8.
  private let pixels: [UInt8] = [16, 64, 64, 32, 0, 48]

  private func model(_ output: PassingModel.Output) -> BaseOptions {
    BaseOptions(model: .bytes(PassingModel(width: 2, height: 1, outputs: [output], normalization: (0, 128)).bytes))
  }

  private func labels(_ options: ObjectClassifierOptions) throws -> [ObjectLabel] {
    let classifier = try CropClassifier(options)
    let image = try InputImage(rgb: pixels, width: 2, height: 1)
    let scores = try #require(try classifier.scores(of: PixelRect(x: 0, y: 0, width: 2, height: 1), in: image))
    return classifier.labelMaker.labels(from: scores)
  }

  @Test("labels are sorted best first, with equal ones by index, and have the model's texts")
  func order() throws {
    let labels = try labels(.init(baseOptions: model(.init(shape: [1, 6], labels: names))))
    #expect(labels.map(\.index) == [1, 2, 5, 3, 0, 4])
    #expect(labels.map(\.text) == ["b", "c", "f", "d", "a", "e"])
    #expect(labels.first?.confidence == 0.5)
  }

  @Test(
    "a valid app threshold overrides the model's, and a score at the threshold is kept",
    arguments: [
      (0.25, nil, 4), (0.25, 0.5, 4), (nil, 0.375, 3), (nil, 0.5, 2), (nil, nil, 6), (-1, 0.375, 3), (.nan, 0.375, 3),
      (1.01, nil, 6), (0, 0.5, 6),
    ] as [(Float?, Float?, Int)])
  func thresholds(app: Float?, metadata: Float?, count: Int) throws {
    var output = PassingModel.Output(shape: [1, 6], labels: names)
    output.scoreThresholds = metadata.map { [$0] } ?? []
    #expect(try labels(.init(baseOptions: model(output), confidenceThreshold: app)).count == count)
  }

  @Test("a label limit below one means ten", arguments: [(-1, 10), (0, 10), (1, 1), (3, 3), (10, 10), (99, 12)])
  func labelCount(limit: Int, count: Int) throws {
    let base = BaseOptions(
      model: .bytes(PassingModel(width: 2, height: 2, outputs: [.init(shape: [1, 12])], normalization: (0, 255)).bytes))
    let classifier = try CropClassifier(.init(baseOptions: base, maxLabelCount: limit))
    let image = try InputImage(rgb: [UInt8](repeating: 9, count: 12), width: 2, height: 2)
    let scores = try #require(try classifier.scores(of: PixelRect(x: 0, y: 0, width: 2, height: 2), in: image))
    #expect(classifier.labelMaker.labels(from: scores).count == count)
  }

  @Test("texts come from the language or the options, or are empty")
  func texts() throws {
    let translated = PassingModel.Output(
      shape: [1, 6], labels: names, displayNames: [("de", ["A", "", "C", "D", "E", "F"])])
    func texts(_ output: PassingModel.Output, _ change: (inout ObjectClassifierOptions) -> Void = { _ in }) throws
      -> [String]
    {
      var options = ObjectClassifierOptions(baseOptions: model(output), maxLabelCount: 3)
      change(&options)
      return try labels(options).map(\.text)
    }
    #expect(try texts(translated) == ["b", "c", "f"])
    #expect(try texts(translated) { $0.locale = "de" } == ["b", "C", "F"])
    #expect(try texts(translated) { $0.labels = ["0", "1", "2", "3", "4", "5"] } == ["1", "2", "5"])
    #expect(try texts(.init(shape: [1, 6])) == ["", "", ""])
    #expect(try texts(.init(shape: [1, 6])) { $0.labelsOfUnlabeledModel = names } == ["b", "c", "f"])
    #expect(try texts(translated) { $0.labelsOfUnlabeledModel = ["0", "1", "2", "3", "4", "5"] } == ["b", "c", "f"])
    #expect(trackerError { _ = try texts(translated) { $0.labels = ["0"] } }?.modelFault == .metadataInconsistent)
  }

  @Test(
    "label files may end with or without a line feed, and have CRLF line endings",
    arguments: ["a\nb\nc\nd\ne\nf", "a\nb\nc\nd\ne\nf\n", "a\r\nb\r\nc\r\nd\r\ne\r\nf\r\n"])
  func lineEnds(file: String) throws {
    var output = PassingModel.Output(shape: [1, 6])
    output.labelFile = file
    #expect(try CropClassifier(.init(baseOptions: model(output))).labels == names)
  }

  @Test("calibrated scores are used")
  func calibration() throws {
    // The sigmoid of twice the score, at most 1; class 4 has an empty line.
    let file = (0..<6).map { $0 == 4 ? "" : "1,2,0" }.joined(separator: "\n")
    let output = PassingModel.Output(shape: [1, 6], labels: names, calibration: file, defaultScore: 0.25)
    let labels = try labels(.init(baseOptions: model(output)))
    #expect(labels.map(\.index) == [1, 2, 5, 3, 0, 4])
    #expect(abs((labels.first?.confidence ?? 0) - 0.731059) < 1e-5 && labels.last?.confidence == 0.25)
  }

  @Test("a float model and its quantized variants agree within a quantization step")
  func twins() throws {
    let image = try InputImage(rgb: pixels, width: 2, height: 1)
    func scores(_ type: ElementType) throws -> [Float] {
      var model = PassingModel(
        type: type, width: 2, height: 1, outputs: [.init(shape: [1, 6])], normalization: (0, 255))
      if type != .float32 { model.scale = 1 / 255 }
      if type == .int8 { model.zeroPoint = -128 }
      let classifier = try CropClassifier(.init(baseOptions: BaseOptions(model: .bytes(model.bytes))))
      return try #require(try classifier.scores(of: PixelRect(x: 0, y: 0, width: 2, height: 1), in: image))
    }
    let real = try scores(.float32)
    for type in [ElementType.uint8, .int8] {
      #expect(zip(real, try scores(type)).allSatisfy { abs($0 - $1) <= 1 / 255 }, "\(type)")
    }
  }

  @Test(
    "the crop is clipped to the image, stretched, and upright in all orientations",
    arguments: ImageOrientation.allCases)
  func crop(orientation: ImageOrientation) throws {
    // Columns of three colors, the middle one twice as wide, in a landscape image.
    let columns: [UInt8] = [10, 10, 90, 90, 90, 90, 200, 200]
    let bytes = (0..<4).flatMap { row in columns.flatMap { [$0, row < 2 ? 0 : 255, 0] as [UInt8] } }
    let upright = try ImageBuffer(bytes: bytes, width: 8, height: 4, pixelFormat: .rgb8)
    let image = InputImage(try upright.oriented(orientation.inverse), orientation: orientation)
    let base = BaseOptions(
      model: .bytes(
        PassingModel(
          type: .uint8, scale: 1, width: 4, height: 4, outputs: [.init(shape: [1, 48])], hasMetadata: false
        ).bytes))
    let classifier = try CropClassifier(.init(baseOptions: base))
    // The crop goes from the left edge to beyond the right edge: 8 × 4 pixels become 4 × 4.
    let scores = try #require(try classifier.scores(of: PixelRect(x: -3, y: 0, width: 20, height: 4), in: image))
    let reds = (0..<4).map { scores[3 * $0] }
    #expect(zip(reds, reds.dropFirst()).allSatisfy { $0 <= $1 } && reds[0] == 10 && reds[3] >= 90, "\(scores)")
    #expect(scores[3 * 1 + 1] < scores[3 * 13 + 1], "\(scores)")
    #expect(try classifier.scores(of: PixelRect(x: 9, y: 0, width: 2, height: 2), in: image) == nil)
    #expect(classifier.runCount == 1)
  }

  @Test("a margin widens the crop on all sides")
  func margin() throws {
    let base = BaseOptions(
      model: .bytes(
        PassingModel(
          type: .uint8, scale: 1, width: 1, height: 1, outputs: [.init(shape: [1, 3])], hasMetadata: false
        ).bytes))
    var bytes = [UInt8](repeating: 0, count: 6 * 6 * 3)
    // The model reads the crop's first pixel.
    bytes[3 * (2 * 6 + 2)] = 100
    bytes[3 * (1 * 6 + 1)] = 50
    let image = try InputImage(rgb: bytes, width: 6, height: 6)
    let box = PixelRect(x: 2, y: 2, width: 2, height: 2)
    #expect(try CropClassifier(.init(baseOptions: base)).scores(of: box, in: image)?.first == 100)
    #expect(try CropClassifier(.init(baseOptions: base, cropMargin: 0.5)).scores(of: box, in: image)?.first == 50)
    #expect(
      trackerError { _ = try CropClassifier(.init(baseOptions: base, cropMargin: -1)) }?.code == .invalidOption)
  }
}
