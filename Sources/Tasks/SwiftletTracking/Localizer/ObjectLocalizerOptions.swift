import SwiftletBase
import SwiftletVision

/// The model of an object localizer, and the selection of detections.
public struct ObjectLocalizerOptions: Sendable, Hashable {
  /// The object detection model, and how it runs. Any model for `ObjectDetector` of SwiftletVision works; its classes
  /// are ignored.
  public var baseOptions: BaseOptions
  /// The minimum score in still images. Detections with a lower score are ignored. In a stream, the thresholds of
  /// `TrackingOptions` apply instead.
  public var scoreThreshold: Float
  /// The intersection over union above which only the better of two boxes is kept, whatever their classes.
  public var overlapThreshold: Float

  /// Creates localizer options.
  public init(baseOptions: BaseOptions, scoreThreshold: Float = 0.3, overlapThreshold: Float = 0.55) {
    self.baseOptions = baseOptions
    self.scoreThreshold = scoreThreshold
    self.overlapThreshold = overlapThreshold
  }

  func validate() throws(TaskError) {
    guard (0...1).contains(scoreThreshold) else {
      throw .invalidOption("the localizer's scoreThreshold must be from 0 to 1, got \(scoreThreshold)")
    }
    guard (0...1).contains(overlapThreshold) else {
      throw .invalidOption("the localizer's overlapThreshold must be from 0 to 1, got \(overlapThreshold)")
    }
  }
}

/// The object detection model for trackers whose options specify none.
///
/// There is no model until a program sets one. The bundled model is in a separate product, so that only programs that
/// need it contain it: with `import SwiftletModels`, set `DefaultLocalizer.model = BaseOptions(model:
/// .embedded(.objectDetector))`.
///
/// - Thread safety: callable concurrently.
public enum DefaultLocalizer {
  private static let chosen = Mutex<BaseOptions?>(nil)

  /// The default model of the process. A change doesn't affect existing trackers.
  public static var model: BaseOptions? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }
}

extension ObjectLocalizer {
  /// Creates a localizer.
  ///
  /// - Throws: `TaskError` if the model is missing or is not an object detection model.
  convenience init(_ options: ObjectLocalizerOptions, scoreThreshold: Float) throws {
    try self.init(
      ModelContext(options.baseOptions), scoreThreshold: scoreThreshold, overlapThreshold: options.overlapThreshold)
  }

  /// Returns the objects in an image, in pixels of the upright image, best first.
  ///
  /// - Parameter scoreThreshold: The minimum score of a detection.
  func detections(in image: InputImage, scoreThreshold: Float) throws -> [BoxDetection] {
    let geometry = ImageGeometry(image)
    return try findings(in: image).filter { $0.score >= scoreThreshold }.map { finding in
      let (left, top) = (Double(finding.left) * geometry.uprightWidth, Double(finding.top) * geometry.uprightHeight)
      let (right, bottom) = (
        Double(finding.right) * geometry.uprightWidth, Double(finding.bottom) * geometry.uprightHeight
      )
      return BoxDetection(
        box: PixelRect(x: left, y: top, width: right - left, height: bottom - top), score: Double(finding.score))
    }
  }
}
