import SwiftletBase
import SwiftletVision

/// The model of an object localizer, and the detections that count.
public struct ObjectLocalizerOptions: Sendable, Hashable {
  /// An object detection model: any that `ObjectDetector` of SwiftletVision runs. What classes it gives plays no part.
  public var baseOptions: BaseOptions
  /// In single images, places with a lower score are no objects. In a stream the thresholds of `TrackingOptions`
  /// decide.
  public var scoreThreshold: Float
  /// The overlap threshold (intersection over union): of two boxes that overlap by more, only the better one counts,
  /// whatever their classes.
  public var overlapThreshold: Float

  /// Creates options of a localizer.
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

/// The object detection model of trackers whose options name none.
///
/// There is none until a program sets one. The package's own is in a product of its own, so that no program carries it
/// that does not ask for it: with `import SwiftletModels`, `DefaultLocalizer.model = BaseOptions(model:
/// .embedded(.objectDetector))`.
///
/// - Thread safety: callable concurrently.
public enum DefaultLocalizer {
  private static let chosen = Mutex<BaseOptions?>(nil)

  /// The model for the whole process. Trackers that exist already keep theirs.
  public static var model: BaseOptions? {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }
}

extension ObjectLocalizer {
  /// - Throws: `TaskError` when the model is missing or is not an object detection model.
  convenience init(_ options: ObjectLocalizerOptions, scoreThreshold: Float) throws {
    try self.init(
      ModelContext(options.baseOptions), scoreThreshold: scoreThreshold, overlapThreshold: options.overlapThreshold)
  }

  /// Returns the objects in an image, in pixels of the upright image, best first.
  ///
  /// - Parameter scoreThreshold: Places with a lower score are left out.
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
