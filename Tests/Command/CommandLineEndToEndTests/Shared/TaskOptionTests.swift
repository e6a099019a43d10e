import SwiftletCommandLine
import SwiftletTracking
@_spi(Facades) import SwiftletVision
import Testing

@testable import SwiftletTool

@Suite("Options of tasks on the command line")
struct TaskOptionTests {
  private func parse(_ command: any ToolCommand.Type, _ words: String...) throws -> Arguments {
    try Arguments(words + ["p.png"], for: command.declaration)
  }

  @Test("face detector: documented defaults, and a separate property per option")
  func faces() throws {
    let defaults = try DetectFacesCommand.options(parse(DetectFacesCommand.self, "--model", "m.tflite"))
    #expect(defaults.minDetectionConfidence == 0.5 && defaults.minSuppressionThreshold == 0.3)
    #expect(defaults.baseOptions.model.path == "m.tflite")
    let given = try DetectFacesCommand.options(
      parse(DetectFacesCommand.self, "--model", "m.tflite", "--min-confidence", "0.25", "--min-suppression", "0.75"))
    #expect(given.minDetectionConfidence == 0.25 && given.minSuppressionThreshold == 0.75)
  }

  @Test("hand landmarker: documented defaults, and a separate property per option")
  func hands() throws {
    let defaults = try LandmarkHandsCommand.options(parse(LandmarkHandsCommand.self, "--model", "m.task"))
    #expect(defaults.maxHands == 1)
    #expect(defaults.minDetectionConfidence == 0.5 && defaults.minPresenceConfidence == 0.5)
    #expect(defaults.minTrackingConfidence == 0.5)
    let given = try LandmarkHandsCommand.options(
      parse(
        LandmarkHandsCommand.self, "--model", "m.task", "--num-hands", "3", "--min-detection-confidence", "0.1",
        "--min-presence-confidence", "0.2", "--min-tracking-confidence", "0.3"))
    #expect(given.maxHands == 3 && given.minDetectionConfidence == 0.1)
    #expect(given.minPresenceConfidence == 0.2 && given.minTrackingConfidence == 0.3)
  }

  @Test("gesture recognizer: documented defaults, and a separate property per option")
  func gestures() throws {
    let defaults = try RecognizeGesturesCommand.options(
      parse(RecognizeGesturesCommand.self, "--model", "m.task"))
    #expect(defaults.maxHands == 1 && defaults.minTrackingConfidence == 0.5)
    for gestures in [defaults.cannedGestures, defaults.customGestures] {
      #expect(gestures.scoreThreshold == 0 && gestures.categoryAllowlist == [] && gestures.categoryDenylist == [])
    }
    let given = try RecognizeGesturesCommand.options(
      parse(
        RecognizeGesturesCommand.self, "--model", "m.task", "--num-hands", "3", "--min-detection-confidence", "0.1",
        "--min-presence-confidence", "0.2", "--min-tracking-confidence", "0.3", "--canned-allow", "a", "--custom-deny",
        "b,c", "--canned-threshold", "0.4", "--custom-threshold", "0.6"))
    #expect(given.maxHands == 3 && given.minDetectionConfidence == 0.1 && given.minPresenceConfidence == 0.2)
    #expect(given.minTrackingConfidence == 0.3)
    #expect(given.cannedGestures.categoryAllowlist == ["a"] && given.cannedGestures.categoryDenylist == [])
    #expect(given.customGestures.categoryAllowlist == [] && given.customGestures.categoryDenylist == ["b", "c"])
    #expect(given.cannedGestures.scoreThreshold == 0.4 && given.customGestures.scoreThreshold == 0.6)
  }

  @Test("face landmarker: documented defaults, and a separate property per option")
  func faceLandmarks() throws {
    let defaults = try LandmarkFacesCommand.options(parse(LandmarkFacesCommand.self, "--model", "m.task"))
    #expect(defaults.maxFaces == 1 && defaults.outputs.isEmpty)
    #expect(defaults.minDetectionConfidence == 0.5)
    let given = try LandmarkFacesCommand.options(
      parse(
        LandmarkFacesCommand.self, "--model", "m.task", "--num-faces", "4", "--min-detection-confidence", "0.1",
        "--min-presence-confidence", "0.2", "--min-tracking-confidence", "0.3", "--blendshapes"))
    #expect(given.maxFaces == 4 && given.minDetectionConfidence == 0.1 && given.minPresenceConfidence == 0.2)
    #expect(given.minTrackingConfidence == 0.3)
    #expect(given.outputs == .blendshapes)
    let matrices = try LandmarkFacesCommand.options(
      parse(LandmarkFacesCommand.self, "--model", "m.task", "--matrices"))
    #expect(matrices.outputs == .transformationMatrices)
  }

  @Test("pose landmarker: documented defaults, and a separate property per option")
  func poses() throws {
    let defaults = try LandmarkPosesCommand.options(parse(LandmarkPosesCommand.self, "--model", "m.task"))
    #expect(defaults.maxPoses == 1 && defaults.outputs.isEmpty && !defaults.keepsMediaPipeRotation)
    #expect(defaults.minDetectionConfidence == 0.5)
    let given = try LandmarkPosesCommand.options(
      parse(
        LandmarkPosesCommand.self, "--model", "m.task", "--num-poses", "4", "--min-detection-confidence", "0.1",
        "--min-presence-confidence", "0.2", "--min-tracking-confidence", "0.3", "--masks", "d"))
    #expect(given.maxPoses == 4 && given.minDetectionConfidence == 0.1 && given.minPresenceConfidence == 0.2)
    #expect(given.minTrackingConfidence == 0.3)
    #expect(given.outputs == .segmentationMasks && !given.keepsMediaPipeRotation)
    let rotation = try LandmarkPosesCommand.options(
      parse(LandmarkPosesCommand.self, "--model", "m.task", "--mediapipe-rotation"))
    #expect(rotation.outputs.isEmpty && rotation.keepsMediaPipeRotation)
  }

  @Test("holistic landmarker: documented defaults, and a separate property per option")
  func holistic() throws {
    let defaults = try LandmarkHolisticCommand.options(parse(LandmarkHolisticCommand.self, "--model", "m.task"))
    #expect(defaults.minFaceDetectionConfidence == 0.5 && defaults.minFacePresenceConfidence == 0.5)
    #expect(defaults.minPoseDetectionConfidence == 0.5 && defaults.minPosePresenceConfidence == 0.5)
    #expect(defaults.minHandLandmarksConfidence == 0.5)
    #expect(defaults.minFaceSuppressionThreshold == 0.3 && defaults.minPoseSuppressionThreshold == 0.3)
    #expect(defaults.outputs.isEmpty)
    let given = try LandmarkHolisticCommand.options(
      parse(
        LandmarkHolisticCommand.self, "--model", "m.task", "--min-face-detection-confidence", "0.1",
        "--min-face-suppression", "0.2", "--min-face-presence-confidence", "0.3", "--min-pose-detection-confidence",
        "0.4", "--min-pose-suppression", "0.6", "--min-pose-presence-confidence", "0.7",
        "--min-hand-landmarks-confidence", "0.8", "--masks", "d"))
    #expect(given.minFaceDetectionConfidence == 0.1 && given.minFaceSuppressionThreshold == 0.2)
    #expect(given.minFacePresenceConfidence == 0.3 && given.minPoseDetectionConfidence == 0.4)
    #expect(given.minPoseSuppressionThreshold == 0.6 && given.minPosePresenceConfidence == 0.7)
    #expect(given.minHandLandmarksConfidence == 0.8)
    #expect(given.outputs == .segmentationMask)
    let others = try LandmarkHolisticCommand.options(
      parse(LandmarkHolisticCommand.self, "--model", "m.task", "--blendshapes", "--keep-state"))
    #expect(others.outputs == .blendshapes)
  }

  @Test("bundles must be named", arguments: [[], ["--model", ""]])
  func namedBundle(words: [String]) throws {
    let arguments = try Arguments(words + ["p.png"], for: LandmarkHandsCommand.declaration)
    let error = #expect(throws: UsageError.self) { try LandmarkHandsCommand.options(arguments) }
    #expect(
      error?.message == "landmark-hands needs --model: a .task file, or the name of a published bundle, such as "
        + "'hand-landmarker' that was fetched; there is no bundled one")
  }

  @Test("tracker: documented defaults, and a separate property per option")
  func tracker() throws {
    let defaults = try TrackCommand.trackerOptions(parse(TrackCommand.self, "--detector", "d", "--classifier", "c"))
    #expect(!defaults.allowsMultipleObjects && defaults.maxObjectCount == 5)
    #expect(
      defaults.streamPolicy == .synchronous(every: 1) && defaults.tracking == ObjectTrackerOptions.defaultTracking)
    #expect(defaults.localizer?.baseOptions.model.path == "d" && defaults.classifier?.baseOptions.model.path == "c")
    #expect(defaults.classifier?.maxLabelCount == 10 && defaults.classifier?.locale == "en")
    #expect(defaults.classifier?.confidenceThreshold == nil)
    let given = try TrackCommand.trackerOptions(
      parse(
        TrackCommand.self, "--detector", "d", "--classifier", "c", "--multiple", "--max-objects", "7", "--every", "4",
        "--score-threshold", "0.75", "--max-labels", "3", "--confidence", "0.25", "--locale", "de", "--input-mean",
        "1", "--input-deviation", "2"))
    #expect(given.allowsMultipleObjects && given.maxObjectCount == 7 && given.streamPolicy == .synchronous(every: 4))
    #expect(given.tracking == ObjectTrackerOptions.tracking(from: 0.75))
    #expect(given.classifier?.maxLabelCount == 3 && given.classifier?.confidenceThreshold == 0.25)
    #expect(given.classifier?.locale == "de")
    // The normalization option applies to the classifier only.
    #expect(given.localizer?.baseOptions.inputNormalization == nil)
    #expect(given.classifier?.baseOptions.inputNormalization == InputNormalization(mean: [1], standardDeviation: [2]))
  }

  @Test("tracker: the bundled classifier requires the bundled detector")
  func ownModels() throws {
    #expect(try TrackCommand.trackerOptions(parse(TrackCommand.self, "--detector", "d")).classifier == nil)
    let own = try TrackCommand.trackerOptions(parse(TrackCommand.self))
    #expect(own.localizer?.baseOptions.model == .embedded(.objectDetector))
    #expect(own.classifier?.baseOptions.model == .embedded(.imageClassifier))
    let mixed = try TrackCommand.trackerOptions(parse(TrackCommand.self, "--classifier", "c"))
    #expect(mixed.localizer?.baseOptions.model == .embedded(.objectDetector))
    #expect(mixed.classifier?.baseOptions.model.path == "c")
  }
}
