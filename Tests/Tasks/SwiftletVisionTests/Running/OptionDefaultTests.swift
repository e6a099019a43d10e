import SwiftletImage
import SwiftletTestSupport
import Testing

@testable @_spi(Facades) import SwiftletVision

/// Checks the defaults of options, and that each option keeps its value.
@Suite("Options of vision tasks")
struct OptionDefaultTests {
  private let base = BaseOptions(model: .file("a.task"), threads: 3)

  @Test("detectors and classifiers")
  func detectors() {
    let faces = FaceDetectorOptions(baseOptions: base)
    #expect(faces.minDetectionConfidence == 0.5 && faces.minSuppressionThreshold == 0.3)
    let otherFaces = FaceDetectorOptions(
      baseOptions: base, minDetectionConfidence: 0.1, minSuppressionThreshold: 0.2)
    #expect(otherFaces.minDetectionConfidence == 0.1 && otherFaces.minSuppressionThreshold == 0.2)
    let objects = ObjectDetectorOptions(baseOptions: base)
    #expect(objects.displayNamesLocale == "en" && objects.maxResults == nil && objects.scoreThreshold == 0)
    #expect(objects.categoryAllowlist.isEmpty && objects.categoryDenylist.isEmpty)
    let otherObjects = ObjectDetectorOptions(
      baseOptions: base, displayNamesLocale: "de", maxResults: 4, scoreThreshold: 0.5,
      categoryAllowlist: ["a"], categoryDenylist: ["b"])
    #expect(otherObjects.displayNamesLocale == "de")
    #expect(otherObjects.maxResults == 4 && otherObjects.scoreThreshold == 0.5)
    #expect(otherObjects.categoryAllowlist == ["a"] && otherObjects.categoryDenylist == ["b"])
    let classes = ImageClassifierOptions(baseOptions: base)
    #expect(classes.categories == CategoryOptions())
    let otherClasses = ImageClassifierOptions(
      baseOptions: base, displayNamesLocale: "de", maxResults: 4, scoreThreshold: 0.5,
      categoryAllowlist: ["a"], categoryDenylist: ["b"])
    #expect(
      otherClasses.categories
        == CategoryOptions(
          displayNamesLocale: "de", maxResults: 4, scoreThreshold: 0.5, allowlist: ["a"], denylist: ["b"]))
    let embedder = ImageEmbedderOptions(baseOptions: base)
    #expect(!embedder.normalizesEmbedding && !embedder.quantizesEmbedding)
    let otherEmbedder = ImageEmbedderOptions(baseOptions: base, normalizesEmbedding: true)
    #expect(otherEmbedder.normalizesEmbedding && !otherEmbedder.quantizesEmbedding)
    #expect(ImageEmbedderOptions(baseOptions: base, quantizesEmbedding: true).quantizesEmbedding)
  }

  @Test("segmenters")
  func segmenters() {
    let images = ImageSegmenterOptions(baseOptions: base)
    #expect(images.displayNamesLocale == "en" && images.outputs == .confidenceMasks)
    #expect(images.maskResolution == .image)
    let other = ImageSegmenterOptions(
      baseOptions: base, displayNamesLocale: "de", outputs: .categoryMask, maskResolution: .model)
    #expect(other.displayNamesLocale == "de" && other.outputs == .categoryMask)
    #expect(other.maskResolution == .model)
    let interactive = InteractiveSegmenterOptions(baseOptions: base)
    #expect(interactive.segmenter == images)
    let otherInteractive = InteractiveSegmenterOptions(
      baseOptions: base, displayNamesLocale: "de", outputs: .categoryMask,
      maskResolution: .model)
    #expect(otherInteractive.segmenter == other)
  }

  @Test("landmarkers")
  func landmarkers() {
    let faces = FaceLandmarkerOptions(baseOptions: base)
    #expect(faces.maxFaces == 1 && faces.minDetectionConfidence == 0.5 && faces.minPresenceConfidence == 0.5)
    #expect(faces.minTrackingConfidence == 0.5 && faces.outputs == [])
    #expect(faces.smoothing == .single)
    let otherFaces = FaceLandmarkerOptions(
      baseOptions: base, maxFaces: 2, minDetectionConfidence: 0.1, minPresenceConfidence: 0.2,
      minTrackingConfidence: 0.3, outputs: .blendshapes, smoothing: .all)
    #expect(otherFaces.maxFaces == 2 && otherFaces.minDetectionConfidence == 0.1)
    #expect(otherFaces.minPresenceConfidence == 0.2 && otherFaces.minTrackingConfidence == 0.3)
    #expect(otherFaces.outputs == .blendshapes && otherFaces.smoothing == .all)
    let both: FaceLandmarkerOutputs = [.blendshapes, .transformationMatrices]
    #expect(both.contains(.transformationMatrices) && both != .blendshapes && both.rawValue == 3)
    let poses = PoseLandmarkerOptions(baseOptions: base)
    #expect(poses.maxPoses == 1 && poses.minDetectionConfidence == 0.5 && poses.minPresenceConfidence == 0.5)
    #expect(poses.minTrackingConfidence == 0.5 && poses.outputs == [] && !poses.keepsMediaPipeRotation)
    #expect(poses.smoothing == .single)
    let otherPoses = PoseLandmarkerOptions(
      baseOptions: base, maxPoses: 2, minDetectionConfidence: 0.1, minPresenceConfidence: 0.2,
      minTrackingConfidence: 0.3, outputs: .segmentationMasks, smoothing: .off)
    #expect(otherPoses.maxPoses == 2 && otherPoses.minDetectionConfidence == 0.1)
    #expect(otherPoses.minPresenceConfidence == 0.2 && otherPoses.minTrackingConfidence == 0.3)
    #expect(
      otherPoses.outputs == .segmentationMasks && !otherPoses.keepsMediaPipeRotation && otherPoses.smoothing == .off)
  }

  @Test("hands and gestures")
  func hands() {
    let hands = HandLandmarkerOptions(
      baseOptions: base, maxHands: 2, minDetectionConfidence: 0.1, minPresenceConfidence: 0.2,
      minTrackingConfidence: 0.3, smoothing: .all)
    #expect(hands.maxHands == 2 && hands.minDetectionConfidence == 0.1 && hands.minPresenceConfidence == 0.2)
    #expect(hands.minTrackingConfidence == 0.3 && hands.smoothing == .all)
    let gestures = GestureRecognizerOptions(baseOptions: base)
    #expect(gestures.maxHands == 1 && gestures.minDetectionConfidence == 0.5 && gestures.minPresenceConfidence == 0.5)
    #expect(gestures.minTrackingConfidence == 0.5 && gestures.smoothing == .off)
    #expect(gestures.cannedGestures == GestureClassifierOptions())
    #expect(gestures.customGestures == GestureClassifierOptions())
    let chosen = GestureClassifierOptions(
      displayNamesLocale: "de", maxResults: 4, scoreThreshold: 0.5, categoryDenylist: ["b"])
    let other = GestureRecognizerOptions(
      baseOptions: base, maxHands: 2, minDetectionConfidence: 0.1, minPresenceConfidence: 0.2,
      minTrackingConfidence: 0.3, smoothing: .all, cannedGestures: chosen)
    #expect(other.cannedGestures == chosen && other.customGestures == GestureClassifierOptions())
    #expect(GestureRecognizerOptions(baseOptions: base, customGestures: chosen).customGestures == chosen)
    #expect(other.hands == hands)
  }

  @Test("gesture classifiers: an allowlist takes precedence over a denylist")
  func gestureClassifiers() {
    let defaults = GestureClassifierOptions()
    #expect(defaults.displayNamesLocale == "en" && defaults.maxResults == nil && defaults.scoreThreshold == 0)
    #expect(defaults.categoryAllowlist.isEmpty && defaults.categoryDenylist.isEmpty)
    var options = GestureClassifierOptions(
      displayNamesLocale: "de", maxResults: 4, scoreThreshold: 0.5, categoryDenylist: ["b"])
    var expected = CategoryOptions(displayNamesLocale: "de", maxResults: 4, scoreThreshold: 0.5, denylist: ["b"])
    #expect(options.categories == expected)
    options.categoryAllowlist = ["a"]
    (expected.allowlist, expected.denylist) = (["a"], [])
    #expect(options.categories == expected)
  }

  @Test("holistic landmarkers")
  func holistic() {
    let options = HolisticLandmarkerOptions(baseOptions: base)
    #expect(options.minFaceDetectionConfidence == 0.5 && options.minFaceSuppressionThreshold == 0.3)
    #expect(options.minFacePresenceConfidence == 0.5 && options.minPoseDetectionConfidence == 0.5)
    #expect(options.minPoseSuppressionThreshold == 0.3 && options.minPosePresenceConfidence == 0.5)
    #expect(options.minHandLandmarksConfidence == 0.5 && options.outputs == [])
    let other = HolisticLandmarkerOptions(
      baseOptions: base, minFaceDetectionConfidence: 0.1, minFaceSuppressionThreshold: 0.2,
      minFacePresenceConfidence: 0.3, minPoseDetectionConfidence: 0.4, minPoseSuppressionThreshold: 0.6,
      minPosePresenceConfidence: 0.7, minHandLandmarksConfidence: 0.8, outputs: .blendshapes)
    #expect(other.minFaceDetectionConfidence == 0.1 && other.minFaceSuppressionThreshold == 0.2)
    #expect(other.minFacePresenceConfidence == 0.3 && other.minPoseDetectionConfidence == 0.4)
    #expect(other.minPoseSuppressionThreshold == 0.6 && other.minPosePresenceConfidence == 0.7)
    #expect(other.minHandLandmarksConfidence == 0.8 && other.outputs == .blendshapes)
    let both: HolisticLandmarkerOutputs = [.blendshapes, .segmentationMask]
    #expect(both.contains(.segmentationMask) && both != .blendshapes && both.rawValue == 3)
  }

  @Test(
    "smoothing is off, for a single object, or for all",
    arguments: [(LandmarkSmoothing.off, [false, false]), (.single, [true, false]), (.all, [true, true])])
  func smoothing(smoothing: LandmarkSmoothing, isOn: [Bool]) {
    #expect([1, 2].map { smoothing.isOn(limit: $0) } == isOn)
    #expect(LandmarkSmoothing.allCases == [.off, .single, .all])
  }

  // MARK: Components of tasks

  @Test("region recipes have documented values")
  func recipes() {
    let palms = RegionDetector.Recipe.palms
    #expect(palms.strides == [8, 16, 16, 16] && palms.keypointCount == 7 && palms.overlapThreshold == 0.3)
    #expect(palms.start == 0 && palms.end == 2 && palms.direction == 90 && palms.extent == .box)
    #expect(palms.adjustment == .init(shift: -0.5, scale: 2.6) && palms.followsOrientation)
    let faces = RegionDetector.Recipe.faces
    #expect(faces.strides == [8, 16, 16, 16] && faces.keypointCount == 6 && faces.overlapThreshold == 0.5)
    #expect(faces.start == 0 && faces.end == 1 && faces.direction == 0 && faces.extent == .box)
    #expect(faces.adjustment == .init(shift: 0, scale: 1.5, isSquare: false) && faces.followsOrientation)
    let holistic = RegionDetector.Recipe.holisticFaces(overlapThreshold: 0.2)
    #expect(holistic.extent == .keypoints && holistic.overlapThreshold == 0.2 && holistic.adjustment == .init(scale: 2))
    #expect(holistic.strides == faces.strides && holistic.start == 0 && holistic.end == 1 && holistic.direction == 0)
    let poses = RegionDetector.Recipe.poses()
    #expect(poses.strides == [8, 16, 32, 32, 32] && poses.keypointCount == 4 && poses.overlapThreshold == 0.5)
    #expect(poses.start == 0 && poses.end == 1 && poses.direction == RegionGeometry.up && poses.extent == .aroundStart)
    #expect(poses.adjustment == .init(shift: 0, scale: 1.25) && poses.followsOrientation && poses.removesLetterbox)
    let turned = RegionDetector.Recipe.poses(overlapThreshold: 0.3, followsOrientation: false)
    #expect(turned.overlapThreshold == 0.3 && !turned.followsOrientation)
    #expect(TrackingCheck.face == TrackingCheck(degrees: 15, translation: 0.1, scale: 0.3, margin: -0.2))
    #expect(TrackingCheck.hand == TrackingCheck(degrees: 40, translation: 0.2, scale: 0.4, margin: -0.1))
    #expect(CanonicalFace.memberName == "geometry_pipeline_metadata_landmarks.binarypb")
    #expect(ObjectDetectionOutputDecoders.postprocessOperator == "TFLite_Detection_PostProcess")
  }

  @Test("results keep their values")
  func results() throws {
    let point = NormalizedLandmark(x: 1, y: 2, z: 3)
    let world = Landmark(x: 4, y: 5, z: 6)
    let hand = Hand(landmarks: [point], worldLandmarks: [world], handedness: .left, handednessScore: 0.75)
    #expect(hand.landmarks == [point] && hand.worldLandmarks == [world])
    #expect(hand.handedness == .left && hand.handednessScore == 0.75)
    #expect(hand[.wrist] == point && hand[.thumbCMC] == nil)
    let gesture = Gesture(name: "Fist", score: 0.5)
    let recognized = RecognizedHand(hand: hand, gesture: gesture)
    #expect(recognized.hand == hand && recognized.gesture == gesture && gesture.name == "Fist" && gesture.score == 0.5)
    let mask = try ConfidenceMask([1], width: 1, height: 1)
    let pose = Pose(landmarks: [point], worldLandmarks: [world], segmentationMask: mask)
    #expect(pose.landmarks == [point] && pose.worldLandmarks == [world] && pose.segmentationMask == mask)
    #expect(FaceBlendshapes(scores: [0.5]) == nil)
    let scores = (0..<52).map(Float.init)
    let blendshapes = try #require(FaceBlendshapes(scores: scores))
    #expect(FaceBlendshape.allCases.map { blendshapes[$0] } == scores)
    let face = Face(landmarks: [point], blendshapes: blendshapes)
    #expect(face.landmarks == [point] && face.blendshapes == blendshapes)
    let left = HolisticHand(landmarks: [point], worldLandmarks: [world])
    let right = HolisticHand(landmarks: [], worldLandmarks: [])
    #expect(left.landmarks == [point] && left.worldLandmarks == [world])
    let person = Person(pose: pose, leftHand: left, rightHand: right, face: face)
    #expect(person.pose == pose && person.leftHand == left && person.rightHand == right && person.face == face)
    let segments = Segmentation(categoryMask: nil, confidenceMasks: [mask], qualityScores: [0.5])
    #expect(segments.confidenceMasks == [mask] && segments.categoryMask == nil && segments.qualityScores == [0.5])
    let batch = BatchResult(source: 3, index: 5, result: Result<Int, any Error>.success(7))
    #expect(try batch.source == 3 && batch.index == 5 && batch.result.get() == 7)
  }
}
