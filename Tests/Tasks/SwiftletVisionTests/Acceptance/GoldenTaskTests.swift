import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Golden results of tasks", .enabled(if: GoldenTask.isAvailable, "\(TestData.skipReason)"))
struct GoldenTaskTests {
  @Test("bundles are assembled from the parts in the test data")
  func bundles() throws {
    let gestures = try TaskBundle(ByteRegion(try GoldenTask.modelBytes("gesture_recognizer.task")))
    #expect(gestures.memberNames == ["hand_landmarker.task", "hand_gesture_recognizer.task"])
    #expect(
      try gestures.bundle("hand_gesture_recognizer.task").memberNames.sorted() == [
        "canned_gesture_classifier.tflite", "gesture_embedder.tflite",
      ])
    let holistic = try TaskBundle(ByteRegion(try GoldenTask.modelBytes("holistic_landmarker.task")))
    #expect(
      holistic.memberNames.sorted() == [
        "face_blendshapes.tflite", "face_detector.tflite", "face_landmarks_detector.tflite",
        "hand_landmarks_detector.tflite", "hand_roi_refinement.tflite", "pose_detector.tflite",
        "pose_landmarks_detector.tflite",
      ])
  }

  @Test("every landmark task has images and sequences with golden results")
  func cases() throws {
    for task in ["hand", "face", "pose", "gesture", "holistic"] {
      let (images, sequences) = (GoldenTask.cases(task), GoldenTask.cases(task, sequences: true))
      #expect(!images.isEmpty && !sequences.isEmpty)
      for golden in images { #expect(try golden.image().width > 0 && !golden.result().isNull) }
      for golden in sequences { #expect(try golden.frames().count == golden.result().elements.count) }
    }
  }
}
