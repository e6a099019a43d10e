import Foundation
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

/// Checks that any argument produces a result, an error, or the documented behavior, and never ends the process.
@Suite("Arguments of vision tasks")
struct VisionArgumentTests {
  static let integers: [Int] = [.min, .min + 1, -1, 0, 1, 2, 1 << 20, 1 << 40, .max - 1, .max]
  static let floats: [Float] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, -1, 0,
    0.5, 1,
  ]

  private static let colors = PassingModel(
    type: .uint8, scale: 1 / 255, width: 1, height: 1,
    outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])
  private static func image() throws -> InputImage { try InputImage(rgb: [9, 8, 7, 6, 5, 4], width: 2, height: 1) }

  @Test("threads and counts", arguments: integers)
  func counts(number: Int) throws {
    var base = Self.colors.base
    base.threads = number
    let image = try Self.image()
    _ = try? ImageClassifier(options: ImageClassifierOptions(baseOptions: base, maxResults: number)).classification(
      of: image)
    _ = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: base)).embedding(of: image)
    _ = try? ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(model: .bytes(BoxReadingModel.bytes), threads: number), maxResults: number)
    ).objects(in: image)
    _ = try? ImageSegmenter(
      options: ImageSegmenterOptions(baseOptions: base, outputs: [.categoryMask, .confidenceMasks])
    ).segmentation(
      of:
        image)
  }

  @Test("sizes of masks", arguments: integers)
  func masks(number: Int) {
    _ = try? PlaneResizer(sourceWidth: number, sourceHeight: 1, channels: 1, width: 1, height: 1)
    _ = try? PlaneResizer(
      sourceWidth: 1, sourceHeight: 1, channels: number, width: number == 1 << 20 ? 1 : number, height: 1)
    _ = try? CategoryResampler(
      sourceWidth: 1, sourceHeight: 1, channels: number, width: 1, height: 1, appliesSigmoid: true)
  }

  @Test("times of video frames and live frames", arguments: integers)
  func times(number: Int) throws {
    let classifier = try ImageClassifier(options: ImageClassifierOptions(baseOptions: Self.colors.base))
    let video = classifier.video()
    let image = try Self.image()
    for time in [number, number, 0, number &+ 1] {
      _ = try? video.classification(of: image, at: .milliseconds(time))
    }
    let live = classifier.live()
    for time in [number, number, 0, number &+ 1] {
      try? live.send(image, at: .milliseconds(time))
    }
  }

  @Test("thresholds, normalizations, and regions", arguments: floats)
  func numbers(number: Float) throws {
    let image = try Self.image()
    _ = try? ImageClassifier(options: ImageClassifierOptions(baseOptions: Self.colors.base, scoreThreshold: number))
      .classification(of: image)
    for (mean, deviation) in [
      ([number], [Float(1)]), ([1], [number]), ([number, number, number], [number, number, number]), ([], []),
      ([1, 2], [1, 2]),
    ] {
      for type in [ElementTypeChoice.float32, .int8] {
        var base = type.model.base
        base.inputNormalization = InputNormalization(mean: mean, standardDeviation: deviation)
        _ = try? ImageEmbedder(
          options: ImageEmbedderOptions(baseOptions: base, normalizesEmbedding: true, quantizesEmbedding: true)
        )
        .embedding(of: image)
      }
    }
    let classifier = try ImageClassifier(options: ImageClassifierOptions(baseOptions: Self.colors.base))
    let value = number
    for region in [
      NormalizedRect(left: value, top: 0, right: value + 1, bottom: 1),
      NormalizedRect(left: 0, top: 0, right: value, bottom: 1),
      NormalizedRect(left: value, top: value, right: 2 * value, bottom: 2 * value),
      NormalizedRect(left: -value, top: 0, right: 0, bottom: value),
    ] {
      for angle in [0, number] {
        var turned = region
        turned.rotation = angle
        _ = try? classifier.classification(of: image, region: turned)
      }
    }
    for (confidence, suppression) in [(number, Float(0.5)), (0.5, number)] {
      _ = try? FaceDetector(
        options: FaceDetectorOptions(
          baseOptions: BaseOptions(model: .bytes(SyntheticFaceModel.bytes)), minDetectionConfidence: confidence,
          minSuppressionThreshold: suppression)
      ).faces(in: image)
    }
    _ = try? ObjectLocalizer(
      ModelContext(BaseOptions(model: .bytes(BoxReadingModel.bytes))), scoreThreshold: number, overlapThreshold: number
    ).findings(in: image)
    let embedding = Embedding(heads: [.init(values: .float([number, 1]))])
    _ = try embedding.cosineSimilarity(to: embedding)
  }

  private enum ElementTypeChoice {
    case float32, int8

    var model: PassingModel {
      PassingModel(
        type: self == .int8 ? .int8 : .float32, scale: 1, width: 1, height: 1, outputs: [.init(shape: [1, 3])])
    }
  }

  @Test("sizes of images and masks", arguments: integers)
  func sizes(number: Int) throws {
    for (width, height) in [(number, 1), (1, number), (number, number)] {
      let isOne = width == 1 && height == 1
      #expect(((try? InputImage(rgb: [1, 2, 3], width: width, height: height)) != nil) == isOne)
      #expect(((try? CategoryMask([1], width: width, height: height)) != nil) == isOne)
      #expect(((try? ConfidenceMask([1], width: width, height: height)) != nil) == isOne)
    }
  }

  @Test("names are sanitized in error messages")
  func names() {
    let hostile = "x\u{1B}[2J\u{202E}y\n"
    for path in [hostile, "/nowhere/" + hostile] {
      let error = taskError { _ = try ImageClassifier(.file(path)) }
      #expect(error?.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E } == false)
    }
  }
}
