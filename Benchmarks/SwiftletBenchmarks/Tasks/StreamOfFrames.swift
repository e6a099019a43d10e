import SwiftletTestSupport
import SwiftletTracking

/// The frames of a camera, 30 per second, in which up to five objects are detected, tracked, and classified.
final class StreamOfFrames {
  /// The detection model.
  static let model = "detection/mobile_object_localizer_192.tflite"
  /// The classification model.
  private static let classifier = "classification/object_labeler.tflite"
  static let imageFiles = ["multi_objects.jpg", "cats_and_dogs.jpg"]

  private let video: ObjectTrackingSession
  private var frameCount = 0

  init(localizer: BaseOptions) throws {
    var classifier = localizer
    classifier.model = .file(TestData.path("models/" + Self.classifier))
    video = try ObjectTracker(
      options: ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: localizer),
        classifier: ObjectClassifierOptions(baseOptions: classifier),
        allowsMultipleObjects: true)
    ).video()
  }

  func send(_ image: InputImage) throws {
    _ = try video.objects(in: image, at: .seconds(Double(frameCount) / 30))
    frameCount += 1
  }
}
