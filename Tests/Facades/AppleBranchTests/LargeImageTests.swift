import AllocationCounter
import MLKitObjectDetection
import SwiftletTestSupport
import Testing

import class MediaPipeTasksVision.ImageClassifier
import class MediaPipeTasksVision.MPImage

/// Checks images of more than 2²⁴ pixels.
@Suite("Large images", .serialized)
struct LargeImageTests {
  private static let objects = [
    BoxReadingModel.Object(left: 51, top: 102, right: 153, bottom: 204, score: 250),
    BoxReadingModel.Object(left: 160, top: 10, right: 240, bottom: 90, score: 200),
  ]

  /// Returns an image of 5 × 5 fields, which takes little memory whatever its size.
  private static func image(width: Int, height: Int) -> UIImage {
    let rgb = BoxReadingModel.pixels(objects, width: 5, height: 5)
    let rgba = stride(from: 0, to: rgb.count, by: 3).flatMap { rgb[$0..<$0 + 3] + [255] }
    return UIImage(
      cgImage: CGImage(stub: Array(rgba), width: 5, height: 5, enlargement: (width / 5, height / 5)))
  }

  /// Calls `body`, and returns the bytes of the largest bitmap that was drawn, and of all memory that this thread
  /// allocated.
  private static func memory(_ body: () throws -> Void) rethrows -> (bitmap: Int, all: Int) {
    CGContext.stubRecord = .init()
    let before = swiftlet_test_allocations_so_far().bytes
    try body()
    return (CGContext.stubRecord.largestByteCount, swiftlet_test_allocations_so_far().bytes - before)
  }

  private static func expected(width: Double, height: Double) -> [CGRect] {
    objects.map { object in
      let (left, top) = (Double(object.left) / 255 * width, Double(object.top) / 255 * height)
      let (right, bottom) = (Double(object.right) / 255 * width, Double(object.bottom) / 255 * height)
      return CGRect(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  private static func isClose(_ found: [CGRect], _ expected: [CGRect], by margin: Double) -> Bool {
    found.count == expected.count
      && zip(found, expected).allSatisfy { found, expected in
        abs(found.minX - expected.minX) <= margin && abs(found.minY - expected.minY) <= margin
          && abs(found.maxX - expected.maxX) <= margin && abs(found.maxY - expected.maxY) <= margin
      }
  }

  @Test("of 48 million pixels are rendered within 64 megabytes, with boxes of the whole image")
  func detector() throws {
    let model = try ModelFile(BoxReadingModel.bytes)
    let detector = try LargeObjects(modelPath: model.path)
    let image = Self.image(width: 8000, height: 6000)
    _ = try detector.boxes(in: Self.image(width: 50, height: 50))
    var boxes: [CGRect] = []
    let memory = try Self.memory { boxes = try detector.boxes(in: image) }
    #expect(Self.isClose(boxes, Self.expected(width: 8000, height: 6000), by: 16), "\(boxes)")
    #expect(memory.bitmap <= 1 << 26 && memory.bitmap > 1 << 25 && memory.all < 80_000_000, "\(memory)")
    #expect(CGContext.stubRecord.lastInterpolationQuality == .high)
    // The same for an image that is drawn without scaling. Edges and sizes are integers, each rounded down.
    let ordinary = try Self.memory { boxes = try detector.boxes(in: Self.image(width: 800, height: 600)) }
    #expect(Self.isClose(boxes, Self.expected(width: 800, height: 600), by: 2), "\(boxes)")
    #expect(ordinary.bitmap == 800 * 600 * 4 && CGContext.stubRecord.lastInterpolationQuality == .default)
  }

  @Test("of 48 million pixels are rendered within 64 megabytes for an object tracker too")
  func parts() throws {
    let model = try ModelFile(BoxReadingModel.bytes)
    let options = ObjectDetectorOptions()
    options.detectorMode = .singleImage
    options.shouldEnableMultipleObjects = true
    options.localizerModel = LocalModel(path: model.path)
    options.strictMainThreadCheck = false
    let detector = ObjectDetector.objectDetector(options: options)
    let image = VisionImage(image: Self.image(width: 8000, height: 6000))
    var frames: [CGRect] = []
    let memory = try Self.memory {
      frames = try detector.results(in: image).map(\.frame).sorted { $0.minX < $1.minX }
    }
    #expect(Self.isClose(frames, Self.expected(width: 8000, height: 6000), by: 16), "\(frames)")
    #expect(memory.bitmap <= 1 << 26 && memory.bitmap > 1 << 25 && memory.all < 80_000_000, "\(memory)")
  }

  @Test("are rendered equally for the whole image and for a small region")
  func region() throws {
    let model = try ModelFile.reading(width: 3, height: 2)
    let classifier = try ImageClassifier(modelPath: model.path)
    let image = try MPImage(uiImage: Self.image(width: 8000, height: 6000))
    let whole = try Self.memory { _ = try classifier.classify(image: image) }
    let part = try Self.memory {
      _ = try classifier.classify(image: image, regionOfInterest: CGRect(x: 0.2, y: 0.4, width: 0.01, height: 0.01))
    }
    // 4729 × 3547 pixels are just below 2²⁴.
    #expect(whole.bitmap == 4729 * 3547 * 4 && part.bitmap == whole.bitmap, "\(whole), \(part)")
  }

  @Test("of 12 million pixels are rendered at full size")
  func ordinary() throws {
    let model = try ModelFile(BoxReadingModel.bytes)
    let detector = try LargeObjects(modelPath: model.path)
    let memory = try Self.memory { _ = try detector.boxes(in: Self.image(width: 4000, height: 3000)) }
    #expect(memory.bitmap == 48_000_000)
  }

  @Test("without a context are an error")
  func refused() throws {
    let model = try ModelFile(BoxReadingModel.bytes)
    let detector = try LargeObjects(modelPath: model.path)
    CGContext.stubRecord.refuses = true
    defer { CGContext.stubRecord.refuses = false }
    #expect(throws: (any Error).self) { _ = try detector.boxes(in: Self.image(width: 50, height: 50)) }
  }
}
