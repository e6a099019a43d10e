import SwiftletImage
import SwiftletTestSupport
import SwiftletVision

@testable import SwiftletTracking

/// Images in which ``BoxReadingModel`` detects the objects of a test.
struct Scene {
  /// The width of the upright image; objects have coordinates in 255ths of it.
  var width = 50
  var height = 100
  var objects: [BoxReadingModel.Object]

  init(_ objects: [BoxReadingModel.Object]) { self.objects = objects }

  /// Returns an object of 60 × 60 in an image of 255 × 255.
  static func object(_ left: Int, _ top: Int, score: UInt8 = 200, side: Int = 60) -> BoxReadingModel.Object {
    .init(
      left: UInt8(clamping: left), top: UInt8(clamping: top), right: UInt8(clamping: left + side),
      bottom: UInt8(clamping: top + side),
      score: score)
  }

  /// Returns the stored image for an orientation.
  func image(_ orientation: ImageOrientation = .up) throws -> InputImage {
    let upright = try ImageBuffer(
      bytes: BoxReadingModel.pixels(objects, width: width, height: height), width: width, height: height,
      pixelFormat: .rgb8)
    return InputImage(try upright.oriented(orientation.inverse), orientation: orientation)
  }

  /// Returns the box of object `index` in the upright image, in pixels.
  func box(_ index: Int) -> PixelRect {
    let object = objects[index]
    let (x, y) = (Double(width) / 255, Double(height) / 255)
    return PixelRect(
      x: Double(object.left) * x, y: Double(object.top) * y, width: Double(object.right - object.left) * x,
      height: Double(object.bottom - object.top) * y)
  }
}

extension PixelRect {
  /// Whether all edges are within a thousandth of a pixel of the edges of `other`.
  func isClose(to other: PixelRect, within tolerance: Double = 1e-3) -> Bool {
    zip([x, y, x + width, y + height], [other.x, other.y, other.x + other.width, other.y + other.height])
      .allSatisfy { abs($0 - $1) <= tolerance }
  }
}

extension ObjectTrackerOptions {
  /// Returns a tracker that reads its objects from the image and, if a classifier is given, classifies them.
  static func reading(
    multiple: Bool = true, classifier: PassingModel? = nil,
    _ change: (inout ObjectTrackerOptions) -> Void = { _ in }
  ) -> ObjectTrackerOptions {
    var options = ObjectTrackerOptions(
      localizer: .init(baseOptions: BaseOptions(model: .bytes(BoxReadingModel.bytes))),
      classifier: classifier.map { .init(baseOptions: BaseOptions(model: .bytes($0.bytes))) },
      allowsMultipleObjects: multiple)
    change(&options)
    return options
  }
}

/// Returns the error of a call.
func trackerError(_ body: () throws -> Void) -> TaskError? { thrownError(body) }
