/// Which model says where objects are, and which of its findings count.
public struct ObjectLocalizerOptions: Sendable, Hashable {
  /// An object detection model: any that `ObjectDetector` of SwiftletVision runs. What classes it gives plays no part.
  public var baseOptions: BaseOptions
  /// In single pictures, places with a lower score are no objects. In a stream the thresholds of `TrackingOptions`
  /// decide.
  public var scoreThreshold: Float
  /// Of two boxes that overlap by more (intersection over union) only the better one counts, whatever their classes.
  public var overlapThreshold: Float

  /// Options of a localizer.
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
