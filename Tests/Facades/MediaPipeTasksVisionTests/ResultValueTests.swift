import Foundation
import SwiftletVision
import Testing

@testable import MediaPipeTasksVision

/// Checks that every part of the tasks' results is passed on to the facade's results.
@Suite("Values of results")
struct ResultValueTests {
  private typealias Native = SwiftletVision.ResultCategory

  private let time = Duration.milliseconds(1234)

  private func category(_ index: Int) -> Native {
    .init(index: index, score: Float(index) / 4, categoryName: "name \(index)", displayName: "display \(index)")
  }

  private func isCategory(_ category: MediaPipeTasksVision.ResultCategory?, _ index: Int) -> Bool {
    category?.index == index && category?.score == Float(index) / 4 && category?.categoryName == "name \(index)"
      && category?.displayName == "display \(index)"
  }

  /// Returns a landmark with distinct numbers, which also differ from those of other landmarks.
  private func point(_ number: Float) -> SwiftletVision.NormalizedLandmark {
    .init(x: number, y: number + 0.125, z: number + 0.25, visibility: number + 0.375, presence: number + 0.5)
  }

  private func meters(_ number: Float) -> SwiftletVision.Landmark {
    .init(x: number, y: number + 0.125, z: number + 0.25, visibility: number + 0.375, presence: number + 0.5)
  }

  private func numbers(_ point: MediaPipeTasksVision.NormalizedLandmark) -> [Float] {
    [point.x, point.y, point.z, point.visibility?.floatValue ?? -1, point.presence?.floatValue ?? -1]
  }

  private func numbers(_ point: MediaPipeTasksVision.Landmark) -> [Float] {
    [point.x, point.y, point.z, point.visibility?.floatValue ?? -1, point.presence?.floatValue ?? -1]
  }

  private func expected(_ number: Float) -> [Float] {
    [number, number + 0.125, number + 0.25, number + 0.375, number + 0.5]
  }

  @Test("of landmarks: all values, or nil if absent")
  func landmarks() {
    #expect(numbers(MediaPipeTasksVision.NormalizedLandmark(point(2))) == expected(2))
    #expect(numbers(MediaPipeTasksVision.Landmark(meters(3))) == expected(3))
    let bare = MediaPipeTasksVision.NormalizedLandmark(.init(x: 1, y: 2, z: 3))
    #expect(bare.visibility == nil && bare.presence == nil)
    let bareMeters = MediaPipeTasksVision.Landmark(.init(x: 1, y: 2, z: 3))
    #expect(bareMeters.visibility == nil && bareMeters.presence == nil)
    let line = MediaPipeTasksVision.Connection(LandmarkConnection(start: 3, end: 5))
    #expect(line.start == 3 && line.end == 5)
  }

  @Test("of detections of objects and faces")
  func detections() {
    let box = PixelRect(x: 1, y: 2, width: 3, height: 4)
    let keypoint = NormalizedPoint(x: 0.25, y: 0.75)
    let objects = MediaPipeTasksVision.ObjectDetectorResult(
      [
        ObjectDetection(categories: [category(1), category(2)], box: box, keypoints: [keypoint]),
        ObjectDetection(categories: [], box: PixelRect(x: 0, y: 0, width: 0, height: 0)),
      ], at: time)
    let faces = MediaPipeTasksVision.FaceDetectorResult(
      [FaceDetection(score: 0.5, box: box, keypoints: [keypoint])], at: time)
    #expect(objects.timestampInMilliseconds == 1234 && faces.timestampInMilliseconds == 1234)
    #expect(objects.detections.count == 2 && faces.detections.count == 1)
    #expect(objects.detections[1].keypoints == nil && objects.detections[1].categories.isEmpty)
    let categories = objects.detections[0].categories
    #expect(isCategory(categories.first, 1) && isCategory(categories.last, 2))
    // A face has a single class without a name.
    let face = faces.detections[0].categories
    #expect(face.count == 1 && face[0].index == 0 && face[0].score == 0.5 && face[0].categoryName == nil)
    for detection in [objects.detections[0], faces.detections[0]] {
      #expect(detection.boundingBox == CGRect(x: 1, y: 2, width: 3, height: 4))
      let point = detection.keypoints?.first
      #expect(point?.location == CGPoint(x: 0.25, y: 0.75) && point?.label == nil && point?.score == 0)
    }
  }

  @Test("of classifications and embeddings: each head with its index and name")
  func heads() {
    let classes = MediaPipeTasksVision.ImageClassifierResult(
      Classification(heads: [
        .init(name: "first", categories: [category(1)]), .init(categories: [category(2), category(3)]),
      ]), at: time)
    #expect(classes.timestampInMilliseconds == 1234 && classes.classificationResult.timestampInMilliseconds == 1234)
    let heads = classes.classificationResult.classifications
    #expect(heads.map(\.headIndex) == [0, 1] && heads.map(\.headName) == ["first", ""])
    #expect(heads.map(\.categories.count) == [1, 2])
    #expect(isCategory(heads[0].categories.first, 1) && isCategory(heads[1].categories.last, 3))
    let vectors = MediaPipeTasksVision.ImageEmbedderResult(
      SwiftletVision.Embedding(heads: [
        .init(name: "first", values: .float([0.5, -2])), .init(values: .int8([-128, 127])),
      ]), at: time)
    #expect(vectors.timestampInMilliseconds == 1234 && vectors.embeddingResult.timestampInMilliseconds == 1234)
    let embeddings = vectors.embeddingResult.embeddings
    #expect(embeddings.map(\.headIndex) == [0, 1] && embeddings.map(\.headName) == ["first", ""])
    #expect(embeddings[0].floatEmbedding == [0.5, -2] && embeddings[0].quantizedEmbedding == nil)
    #expect(embeddings[1].floatEmbedding == nil && embeddings[1].quantizedEmbedding == [-128, 127])
  }

  @Test("of segmentations: masks and scores")
  func masks() throws {
    let floats = try ConfidenceMask([0.25, 0.5], width: 2, height: 1)
    let bytes = try CategoryMask([3, 4, 5], width: 1, height: 3)
    let result = MediaPipeTasksVision.ImageSegmenterResult(
      Segmentation(categoryMask: bytes, confidenceMasks: [floats, floats], qualityScores: [0.5, 0.75]), at: time)
    #expect(result.confidenceMasks?.count == 2 && result.qualityScores == [0.5, 0.75])
    #expect(result.timestampInMilliseconds == 1234)
    let mask = try #require(result.confidenceMasks?.first), categories = try #require(result.categoryMask)
    #expect(mask.width == 2 && mask.height == 1 && mask.dataType == .float32)
    #expect((0..<2).map { mask.float32Data[$0] } == [0.25, 0.5])
    #expect(categories.width == 1 && categories.height == 3 && categories.dataType == .uInt8)
    #expect((0..<3).map { categories.uint8Data[$0] } == [3, 4, 5])
    let copy = try #require(categories.copy() as? MediaPipeTasksVision.Mask)
    #expect(copy.width == 1 && copy.height == 3 && (0..<3).map { copy.uint8Data[$0] } == [3, 4, 5])
    let floatCopy = try #require(mask.copy() as? MediaPipeTasksVision.Mask)
    #expect(floatCopy.dataType == .float32 && (0..<2).map { floatCopy.float32Data[$0] } == [0.25, 0.5])
    let bare = MediaPipeTasksVision.ImageSegmenterResult(
      Segmentation(categoryMask: nil, confidenceMasks: [], qualityScores: []), at: time)
    #expect(bare.confidenceMasks == nil && bare.categoryMask == nil && bare.qualityScores == [])
  }

  private func hand(_ number: Float, _ handedness: Handedness = .right) -> Hand {
    Hand(
      landmarks: [point(number), point(number + 1)], worldLandmarks: [meters(number + 2)],
      handedness: handedness, handednessScore: number / 8)
  }

  @Test("of hands: landmarks, world landmarks, and handedness of each")
  func hands() {
    let result = MediaPipeTasksVision.HandLandmarkerResult(
      [hand(1), hand(5, .left)], at: time)
    #expect(result.timestampInMilliseconds == 1234)
    #expect(result.landmarks.map { $0.map(numbers) } == [[expected(1), expected(2)], [expected(5), expected(6)]])
    #expect(result.worldLandmarks.map { $0.map(numbers) } == [[expected(3)], [expected(7)]])
    #expect(result.handedness.map(\.count) == [1, 1])
    expectHandedness(result.handedness)
  }

  /// Expects a right hand, followed by a left one.
  private func expectHandedness(_ found: [[MediaPipeTasksVision.ResultCategory]]) {
    let all = found.compactMap(\.first)
    #expect(all.map(\.index) == [0, 1] && all.map(\.score) == [0.125, 0.625])
    #expect(all.map(\.categoryName) == ["Right", "Left"] && all.map(\.displayName) == ["Right", "Left"])
  }

  @Test("of gestures: per hand, and nothing if no hand has one")
  func gestures() {
    let result = MediaPipeTasksVision.GestureRecognizerResult(
      [
        RecognizedHand(hand: hand(1), gesture: nil),
        RecognizedHand(hand: hand(5, .left), gesture: Gesture(name: "Fist", score: 0.5)),
      ], at: time)
    #expect(result.timestampInMilliseconds == 1234)
    #expect(result.gestures.map(\.count) == [0, 1])
    let gesture = result.gestures[1].first
    #expect(gesture?.index == -1 && gesture?.score == 0.5 && gesture?.categoryName == "Fist")
    #expect(gesture?.displayName == nil)
    expectHandedness(result.handedness)
    #expect(result.landmarks.map { $0.map(numbers) } == [[expected(1), expected(2)], [expected(5), expected(6)]])
    #expect(result.worldLandmarks.map { $0.map(numbers) } == [[expected(3)], [expected(7)]])
    let none = MediaPipeTasksVision.GestureRecognizerResult(
      [RecognizedHand(hand: hand(1), gesture: nil)], at: time)
    #expect(none.gestures.isEmpty && none.handedness.isEmpty && none.landmarks.isEmpty && none.worldLandmarks.isEmpty)
    #expect(none.timestampInMilliseconds == 1234)
  }

  @Test("of poses: landmarks, world landmarks, and masks if there are any")
  func poses() throws {
    let mask = try ConfidenceMask([0.25, 0.5], width: 2, height: 1)
    let result = MediaPipeTasksVision.PoseLandmarkerResult(
      [
        Pose(landmarks: [point(1), point(2)], worldLandmarks: [meters(3)]),
        Pose(landmarks: [point(4)], worldLandmarks: [meters(5)], segmentationMask: mask),
      ], at: time)
    #expect(result.timestampInMilliseconds == 1234)
    #expect(result.landmarks.map { $0.map(numbers) } == [[expected(1), expected(2)], [expected(4)]])
    #expect(result.worldLandmarks.map { $0.map(numbers) } == [[expected(3)], [expected(5)]])
    #expect(result.segmentationMasks.map(\.width) == [2])
  }

  @Test("of faces: landmarks, blendshapes, and matrices")
  func faces() throws {
    let blendshapes = FaceBlendshapes(scores: (0..<52).map { Float($0) / 64 })
    let matrix = TransformationMatrix(
      columns: (
        SIMD4(0, 1, 2, 3), SIMD4(4, 5, 6, 7), SIMD4(8, 9, 10, 11), SIMD4(12, 13, 14, 15)
      ))
    let result = MediaPipeTasksVision.FaceLandmarkerResult(
      [
        Face(landmarks: [point(1)], blendshapes: blendshapes, transformationMatrix: matrix),
        Face(landmarks: [point(2), point(3)]),
      ], at: time)
    #expect(result.timestampInMilliseconds == 1234)
    #expect(result.faceLandmarks.map { $0.map(numbers) } == [[expected(1)], [expected(2), expected(3)]])
    #expect(result.faceBlendshapes.count == 1 && result.faceBlendshapes[0].headIndex == 0)
    #expect(result.faceBlendshapes[0].headName == "")
    expectBlendshapes(result.faceBlendshapes[0].categories)
    #expect(result.facialTransformationMatrixes.count == 1)
    let first = result.facialTransformationMatrixes.first
    #expect(first?.rows == 4 && first?.columns == 4)
    #expect((0..<16).map { first?.data[$0] } == (0..<16).map { Float($0) })
  }

  /// Expects blendshapes whose scores are their index in 64ths.
  private func expectBlendshapes(_ categories: [MediaPipeTasksVision.ResultCategory]?) {
    #expect(categories?.map(\.index) == Array(0..<52) && categories?.map(\.score) == (0..<52).map { Float($0) / 64 })
    #expect(categories?.first?.categoryName == "_neutral" && categories?.last?.categoryName == "noseSneerRight")
    #expect(categories?.allSatisfy { $0.displayName == nil } == true)
  }

  @Test("of holistic results: each part, and empty if it is missing")
  func holistic() throws {
    let mask = try ConfidenceMask([0.25, 0.5], width: 2, height: 1)
    let result = MediaPipeTasksVision.HolisticLandmarkerResult(
      Person(
        pose: Pose(landmarks: [point(1)], worldLandmarks: [meters(2)], segmentationMask: mask),
        leftHand: HolisticHand(landmarks: [point(3)], worldLandmarks: [meters(4)]),
        rightHand: HolisticHand(landmarks: [point(5)], worldLandmarks: [meters(6)]),
        face: Face(
          landmarks: [point(7)], blendshapes: FaceBlendshapes(scores: (0..<52).map { Float($0) / 64 }))), at: time)
    #expect(result.timestampInMilliseconds == 1234)
    #expect(result.poseLandmarks.map(numbers) == [expected(1)])
    #expect(result.poseWorldLandmarks.map(numbers) == [expected(2)])
    #expect(result.leftHandLandmarks.map(numbers) == [expected(3)])
    #expect(result.leftHandWorldLandmarks.map(numbers) == [expected(4)])
    #expect(result.rightHandLandmarks.map(numbers) == [expected(5)])
    #expect(result.rightHandWorldLandmarks.map(numbers) == [expected(6)])
    #expect(result.faceLandmarks.map(numbers) == [expected(7)])
    #expect(result.faceBlendshapes?.headIndex == 0 && result.faceBlendshapes?.headName == "")
    expectBlendshapes(result.faceBlendshapes?.categories)
    #expect(result.poseSegmentationMask?.width == 2)
    let none = MediaPipeTasksVision.HolisticLandmarkerResult(
      nil, at: time)
    #expect(none.poseLandmarks.isEmpty && none.poseWorldLandmarks.isEmpty && none.leftHandLandmarks.isEmpty)
    #expect(none.leftHandWorldLandmarks.isEmpty && none.rightHandLandmarks.isEmpty)
    #expect(none.rightHandWorldLandmarks.isEmpty && none.faceLandmarks.isEmpty)
    #expect(none.faceBlendshapes == nil && none.poseSegmentationMask == nil)
  }

  @Test("of hand and pose connections equal MediaPipe's")
  func lines() {
    func pairs(_ lines: [MediaPipeTasksVision.Connection]) -> [[UInt]] {
      lines.map { [$0.start, $0.end] }.sorted { $0.lexicographicallyPrecedes($1) }
    }
    func finger(_ first: UInt) -> [[UInt]] { (first..<first + 3).map { [$0, $0 + 1] } }
    let hand = MediaPipeTasksVision.HandLandmarker.self
    #expect(pairs(hand.handPalmConnections) == [[0, 1], [0, 5], [0, 17], [5, 9], [9, 13], [13, 17]])
    #expect(pairs(hand.handThumbConnections) == finger(1) && pairs(hand.handIndexFingerConnections) == finger(5))
    #expect(pairs(hand.handMiddleFingerConnections) == finger(9) && pairs(hand.handRingFingerConnections) == finger(13))
    #expect(pairs(hand.handPinkyConnections) == finger(17))
    let all = [
      hand.handPalmConnections, hand.handThumbConnections, hand.handIndexFingerConnections,
      hand.handMiddleFingerConnections, hand.handRingFingerConnections, hand.handPinkyConnections,
    ].flatMap(pairs)
    #expect(Set(pairs(hand.handConnections)) == Set(all) && hand.handConnections.count == 21)
    let pose = pairs(MediaPipeTasksVision.PoseLandmarker.poseLandmarks)
    #expect(pose.count == 35 && Set(pose).count == 35 && pose.allSatisfy { $0.allSatisfy { $0 < 33 } })
    #expect(pose.contains([11, 12]) && pose.contains([23, 24]))
  }

  @Test("of equal landmarks have equal hashes")
  func hashes() {
    let one = MediaPipeTasksVision.Landmark(x: 1, y: 2, z: 3, visibility: nil, presence: nil)
    let other = MediaPipeTasksVision.Landmark(x: 1.000_000_5, y: 2, z: 3, visibility: 1, presence: nil)
    #expect(one == other && one.hash == other.hash && Set([one, other]).count == 1)
  }

  @Test("of positions: a difference below a millionth in every direction is ignored")
  func places() {
    let place = LandmarkPosition(x: 0, y: 0, z: 0)
    for difference in [Float(9e-7), -9e-7] {
      #expect(LandmarkPosition(x: difference, y: difference, z: difference).isClose(to: place))
    }
    for difference in [Float(1.1e-6), -1.1e-6] {
      #expect(!LandmarkPosition(x: difference, y: 0, z: 0).isClose(to: place))
      #expect(!LandmarkPosition(x: 0, y: difference, z: 0).isClose(to: place))
      #expect(!LandmarkPosition(x: 0, y: 0, z: difference).isClose(to: place))
    }
  }

  @Test("of regions: a point, or the points of a scribble, and an empty region is the whole image")
  func regions() {
    func keypoint(_ x: Double, _ y: Double) -> MediaPipeTasksVision.NormalizedKeypoint {
      .init(location: CGPoint(x: x, y: y), label: nil, score: 0)
    }
    let point = RegionOfInterest(normalizedKeyPoint: keypoint(0.25, 0.75))
    #expect(point.keypoint?.location.x == 0.25 && point.scribbles == nil)
    #expect(point.value == .point(.init(x: 0.25, y: 0.75)))
    let scribble = RegionOfInterest(scribbles: [keypoint(0.25, 0.75), keypoint(0.5, 0.125)])
    #expect(scribble.keypoint == nil && scribble.scribbles?.count == 2)
    #expect(scribble.value == .scribble([.init(x: 0.25, y: 0.75), .init(x: 0.5, y: 0.125)]))
    #expect(CGRect.zero.regionOfInterest == nil)
    let box = CGRect(x: 0.125, y: 0.25, width: 0.5, height: 0.625)
    let region = box.regionOfInterest
    #expect(region?.center == .init(x: 0.375, y: 0.5625) && region?.width == 0.5 && region?.height == 0.625)
    #expect(CGRect(x: 0, y: 0, width: 0, height: 0.5).regionOfInterest != nil)
    // Sizes are computed from edges in single precision.
    let edges = CGRect(x: 0.1, y: 0.2, width: 0.7 - 0.1, height: 0.85 - 0.2).regionOfInterest
    #expect(edges == .init(left: 0.1, top: 0.2, right: 0.7, bottom: 0.85) && edges?.width != 0.6)
  }

  @Test("of strokes, modes, and hand landmarks equal MediaPipe's")
  func rawValues() {
    #expect([BrushMode.unspecified, .positive, .negative, .lasso].map(\.rawValue) == [0, 1, 2, 3])
    let stroke = Stroke(points: [], brushMode: .lasso, isCompleted: true)
    #expect(stroke.points.isEmpty && stroke.brushMode == .lasso && stroke.isCompleted)
    #expect(!Stroke(points: [], brushMode: .negative, isCompleted: false).isCompleted)
    #expect(HandLandmark.allCases.map(\.rawValue) == Array(0...20))
    #expect(HandLandmark.wrist.rawValue == 0 && HandLandmark.thumbTIP.rawValue == 4)
    #expect(HandLandmark.indexFingerTIP.rawValue == 8 && HandLandmark.middleFingerTIP.rawValue == 12)
    #expect(HandLandmark.ringFingerTIP.rawValue == 16 && HandLandmark.pinkyTIP.rawValue == 20)
    #expect(MPImageSourceType.imageBuffer.rawValue == 3 && MPImageSourceType(rawValue: 7).rawValue == 7)
  }
}
