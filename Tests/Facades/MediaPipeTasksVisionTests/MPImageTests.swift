import Foundation
import MediaPipeTasksVision
import SwiftletTestSupport
import Testing

@Suite("MPImage")
struct MPImageTests {
  @Test(
    "has the size of the stored image, for any orientation",
    arguments: [MPImageOrientation.up, .right, .down, .left, .upMirrored])
  func sizes(orientation: MPImageOrientation) throws {
    let bytes = [UInt8](repeating: 0, count: 3 * 5 * 4)
    for image in [
      try MPImage(rgb: bytes, width: 5, height: 3, orientation: orientation),
      try MPImage(rgba: bytes, width: 5, height: 3, orientation: orientation),
      try MPImage(bgra: bytes, width: 5, height: 3, orientation: orientation),
    ] {
      #expect(image.width == 5 && image.height == 3)
      #expect(image.orientation == orientation)
      #expect(image.imageSourceType == .imageBuffer)
    }
  }

  @Test("is upright by default")
  func defaultOrientation() throws {
    #expect(try MPImage(rgb: [1, 2, 3], width: 1, height: 1).orientation == .up)
    let buffer = try ImageBuffer(bytes: [7], width: 1, height: 1, pixelFormat: .gray8)
    let image = MPImage(imageBuffer: buffer)
    #expect(image.orientation == .up)
    #expect(image.imageBuffer?.packedBytes() == [7])
  }

  @Test("is rejected without enough bytes or pixels", arguments: [(2, 2), (0, 1), (-1, 4)])
  func impossible(size: (width: Int, height: Int)) throws {
    let error = try #require(failure { _ = try MPImage(rgb: [0, 0, 0], width: size.width, height: size.height) })
    #expect(error.domain == "com.google.mediapipe.tasks")
    #expect(error.code == TasksErrorCode.invalidArgumentError.rawValue)
    #expect(!error.localizedDescription.isEmpty)
  }

  @Test(
    "cannot be used mirrored", .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"),
    arguments: [MPImageOrientation.upMirrored, .downMirrored, .leftMirrored, .rightMirrored])
  func mirrored(orientation: MPImageOrientation) throws {
    let image = try MPImage(rgb: [UInt8](repeating: 0, count: 48), width: 4, height: 4, orientation: orientation)
    let detector = try FaceDetector(modelPath: TestModel.faces)
    let error = try #require(failure { _ = try detector.detect(image: image) })
    #expect(error.code == TasksErrorCode.invalidArgumentError.rawValue)
    #expect(
      error.localizedDescription.hasPrefix(
        "Unsupported UIImageOrientation. `imageOrientation` cannot be equal to any of the mirrored orientations"))
    #expect(try detector.detect(image: TestImage.plain()).detections.isEmpty)
  }

  @Test(
    "gives a task the same colors for every byte order",
    .enabled(if: TestData.isAvailable, "\(TestData.skipReason)"))
  func byteOrders() throws {
    let rgb = (0..<16 * 16 * 3).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    var (rgba, bgra): ([UInt8], [UInt8]) = ([], [])
    for pixel in stride(from: 0, to: rgb.count, by: 3) {
      rgba += [rgb[pixel], rgb[pixel + 1], rgb[pixel + 2], 10]
      bgra += [rgb[pixel + 2], rgb[pixel + 1], rgb[pixel], 200]
    }
    let embedder = try ImageEmbedder(modelPath: TestModel.embedding)
    func embedding(_ image: MPImage) throws -> [NSNumber]? {
      try embedder.embed(image: image).embeddingResult.embeddings.first?.floatEmbedding
    }
    let expected = try #require(try embedding(MPImage(rgb: rgb, width: 16, height: 16)))
    #expect(try embedding(MPImage(rgba: rgba, width: 16, height: 16)) == expected)
    #expect(try embedding(MPImage(bgra: bgra, width: 16, height: 16)) == expected)
  }

  @Test("gives a task the same colors for every layout, and keeps its orientation")
  func layouts() throws {
    let options = ImageClassifierOptions()
    options.baseOptions.modelBytes = SyntheticModels.classes
    let classifier = try ImageClassifier(options: options)
    func names(_ image: MPImage, x: Double) throws -> String {
      summary(try classifier.classify(image: image, regionOfInterest: CGRect(x: x, y: 0, width: 0.5, height: 1)))
    }
    let rgb: [UInt8] = [51, 204, 102, 255, 0, 153], rgba: [UInt8] = [51, 204, 102, 255, 255, 0, 153, 255]
    let bgra: [UInt8] = [102, 204, 51, 255, 153, 0, 255, 255]
    for orientation: MPImageOrientation in [.up, .down] {
      for image in [
        try MPImage(rgb: rgb, width: 2, height: 1, orientation: orientation),
        try MPImage(rgba: rgba, width: 2, height: 1, orientation: orientation),
        try MPImage(bgra: bgra, width: 2, height: 1, orientation: orientation),
      ] {
        #expect(image.width == 2 && image.height == 1 && image.orientation == orientation)
        #expect(image.imageSourceType == .imageBuffer && image.imageBuffer?.width == 2)
        guard orientation == .up else { continue }
        #expect(try names(image, x: 0) == "green, blue, red" && names(image, x: 0.5) == "red, blue, green")
      }
    }
    #expect(try MPImage(rgb: rgb, width: 2, height: 1).orientation == .up)
    #expect(try MPImage(rgba: rgba, width: 2, height: 1).orientation == .up)
    #expect(try MPImage(bgra: bgra, width: 2, height: 1).orientation == .up)
  }
}
