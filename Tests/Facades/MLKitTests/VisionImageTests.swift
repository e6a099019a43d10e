import Foundation
import MLKit
import SwiftletTestSupport
import Testing

@Suite("ML Kit's VisionImage")
struct VisionImageTests {
  private let objects = [Fixtures.object(90, 90), Fixtures.object(180, 10)]

  private func frames(_ image: VisionImage) throws -> [CGRect] {
    let fixtures = try Fixtures()
    let options = ObjectDetectorOptions()
    (options.detectorMode, options.shouldEnableMultipleObjects, options.localizerModel) = (
      .singleImage, true, fixtures.localizer
    )
    return try ObjectDetector.objectDetector(options: options).results(in: image).map(\.frame)
  }

  @Test("pixels of all layouts, with and without padding, are the same image")
  func layouts() throws {
    let rgb = BoxReadingModel.pixels(objects, width: 50, height: 100)
    let expected = try frames(VisionImage(rgb: rgb, width: 50, height: 100))
    #expect(expected.count == 2)
    func padded(_ order: [Int], bytesPerRow: Int) -> [UInt8] {
      (0..<100).flatMap { row -> [UInt8] in
        var bytes = (0..<50).flatMap { column in order.map { $0 < 3 ? rgb[3 * (50 * row + column) + $0] : 255 } }
        bytes += [UInt8](repeating: 99, count: bytesPerRow - bytes.count)
        return bytes
      }
    }
    #expect(try frames(VisionImage(rgba: padded([0, 1, 2, 3], bytesPerRow: 200), width: 50, height: 100)) == expected)
    #expect(
      try frames(VisionImage(bgra: padded([2, 1, 0, 3], bytesPerRow: 256), width: 50, height: 100, bytesPerRow: 256))
        == expected)
    #expect(
      try frames(VisionImage(rgb: padded([0, 1, 2], bytesPerRow: 160), width: 50, height: 100, bytesPerRow: 160))
        == expected)
    #expect(
      try frames(VisionImage(imageBuffer: ImageBuffer(bytes: rgb, width: 50, height: 100, pixelFormat: .rgb8)))
        == expected)
  }

  @Test("luma and chroma planes have a range and a matrix")
  func planes() throws {
    // All pixels have the same chroma, so luma alone distinguishes the fields: no object at 0, many with maximum
    // scores.
    let uv = [UInt8](repeating: 128, count: 50 * 50)
    let black = try VisionImage(
      nv12: [UInt8](repeating: 16, count: 5000), uv: uv, width: 50, height: 100, range: .video, matrix: .bt709)
    #expect(try frames(black).isEmpty)
    #expect(throws: MLKitError.self) {
      try VisionImage(nv12: [0, 0], uv: uv, width: 50, height: 100, range: .full)
    }
  }

  @Test("too few bytes and sizes of 0 are invalid images")
  func invalid() {
    for (width, height) in [(0, 10), (10, 0), (10, 11), (-1, 2)] {
      let error = mlKitError {
        _ = try VisionImage(rgb: [UInt8](repeating: 0, count: 300), width: width, height: height)
      }
      #expect(error?.code == .invalidArgument, "\(width) × \(height)")
      #expect(error?.message.hasPrefix("the image cannot be used: ") == true, "\(String(describing: error))")
    }
    let narrow = mlKitError {
      _ = try VisionImage(rgba: [UInt8](repeating: 0, count: 400), width: 10, height: 10, bytesPerRow: 30)
    }
    #expect(narrow?.code == .invalidArgument)
  }

  @Test("invalid timestamps become the time of the call", arguments: [.nan, .infinity, -.infinity, 1e300] as [Double])
  func times(timestamp: Double) throws {
    let fixtures = try Fixtures()
    let detector = ObjectDetector.objectDetector(options: fixtures.custom())
    let image = try Fixtures.image(objects)
    image.timestamp = timestamp
    let first = try detector.results(in: image).first?.trackingID
    #expect(try first != nil && detector.results(in: image).first?.trackingID == first)
  }

  private final class Foreign: NSObject, MLKitCompatibleImage {}

  @Test("an image of a class without pixels is rejected")
  func foreignClass() throws {
    let fixtures = try Fixtures()
    let detector = ObjectDetector.objectDetector(options: fixtures.custom())
    let error = mlKitError { _ = try detector.results(in: Foreign()) }
    #expect(error?.message.contains("Foreign") == true && error?.message.contains("VisionImage") == true)
  }

  @Test(
    "the orientation rotates the models' input, and frames refer to the stored image",
    arguments: ImageOrientation.allCases)
  func orientation(_ orientation: ImageOrientation) throws {
    let upright = try ImageBuffer(
      bytes: BoxReadingModel.pixels(objects, width: 50, height: 100), width: 50, height: 100, pixelFormat: .rgb8)
    let stored = try upright.oriented(orientation.inverse)
    let fixtures = try Fixtures()
    let detector = ObjectDetector.objectDetector(
      options: fixtures.custom { ($0.detectorMode, $0.shouldEnableMultipleObjects) = (.singleImage, true) })
    let image = VisionImage(imageBuffer: stored)
    image.orientation = orientation
    let found = try detector.results(in: image), expected = try detector.results(in: VisionImage(imageBuffer: upright))
    #expect(found.count == 2)
    for (object, other) in zip(found, expected) {
      let (turned, frame) = (object.frame(upright: true), other.frame)
      #expect(
        abs(turned.minX - frame.minX) < 1e-3 && abs(turned.maxY - frame.maxY) < 1e-3 && object.labels == other.labels)
      #expect(object.frame.maxX <= CGFloat(stored.width) && object.frame.maxY <= CGFloat(stored.height))
    }
  }
}
