import Testing

@testable import SwiftletVision

/// Checks tables of landmarks against MediaPipe's lists, or against digests of them.
@Suite("Tables of landmarks")
struct LandmarkTableTests {
  /// Returns the FNV-1a hash of two-byte numbers.
  private func digest(_ numbers: [Int]) -> UInt64 {
    numbers.reduce(0xCBF2_9CE4_8422_2325) { digest, number in
      [number & 0xFF, number >> 8 & 0xFF].reduce(digest) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
  }

  private func numbers(_ lines: [LandmarkConnection]) -> [Int] { lines.flatMap { [$0.start, $0.end] } }

  static let faceLines = [
    Lines("lips", FaceLandmarks.lips, 0x5BDE_1BD9_7209_D785),
    Lines("leftEye", FaceLandmarks.leftEye, 0xFEA3_3A95_7CD4_7879),
    Lines("leftEyebrow", FaceLandmarks.leftEyebrow, 0xA146_B451_A403_9A20),
    Lines("leftIris", FaceLandmarks.leftIris, 0x039A_832A_F6E3_A5ED),
    Lines("rightEye", FaceLandmarks.rightEye, 0xFF9A_6E9B_4A77_4E5D),
    Lines("rightEyebrow", FaceLandmarks.rightEyebrow, 0x7A50_13AC_DA2E_17E1),
    Lines("rightIris", FaceLandmarks.rightIris, 0x07FF_43C7_0395_2965),
    Lines("faceOval", FaceLandmarks.faceOval, 0x1F29_9532_2734_A111),
    Lines("nose", FaceLandmarks.nose, 0xFF29_D238_812B_469B),
    Lines("tesselation", FaceLandmarks.tesselation, 0xB64F_D15B_C361_42E9),
  ]

  @Test("face connections equal MediaPipe's", arguments: faceLines)
  func face(_ lines: Lines) { #expect(digest(numbers(lines.lines)) == lines.digest) }

  struct Lines: CustomTestStringConvertible, Sendable {
    var name: String
    var lines: [LandmarkConnection]
    var digest: UInt64
    var testDescription: String { name }

    init(_ name: String, _ lines: [LandmarkConnection], _ digest: UInt64) {
      (self.name, self.lines, self.digest) = (name, lines, digest)
    }
  }

  @Test("contours are the concatenated parts")
  func contours() {
    let parts = [
      FaceLandmarks.lips, FaceLandmarks.leftEye, FaceLandmarks.leftEyebrow, FaceLandmarks.leftIris,
      FaceLandmarks.rightEye, FaceLandmarks.rightEyebrow, FaceLandmarks.rightIris, FaceLandmarks.faceOval,
    ]
    #expect(FaceLandmarks.contours == parts.flatMap { $0 })
    #expect(FaceLandmarks.count == 478 && FaceLandmarks.meshCount == 468)
  }

  @Test("landmarks and blendshape names equal MediaPipe's")
  func blendshapes() {
    #expect(digest(FaceLandmarks.blendshapePoints) == 0x8654_CB3A_3429_11E0)
    let names = """
      _neutral browDownLeft browDownRight browInnerUp browOuterUpLeft browOuterUpRight cheekPuff cheekSquintLeft \
      cheekSquintRight eyeBlinkLeft eyeBlinkRight eyeLookDownLeft eyeLookDownRight eyeLookInLeft eyeLookInRight \
      eyeLookOutLeft eyeLookOutRight eyeLookUpLeft eyeLookUpRight eyeSquintLeft eyeSquintRight eyeWideLeft \
      eyeWideRight jawForward jawLeft jawOpen jawRight mouthClose mouthDimpleLeft mouthDimpleRight mouthFrownLeft \
      mouthFrownRight mouthFunnel mouthLeft mouthLowerDownLeft mouthLowerDownRight mouthPressLeft mouthPressRight \
      mouthPucker mouthRight mouthRollLower mouthRollUpper mouthShrugLower mouthShrugUpper mouthSmileLeft \
      mouthSmileRight mouthStretchLeft mouthStretchRight mouthUpperUpLeft mouthUpperUpRight noseSneerLeft \
      noseSneerRight
      """
    #expect(FaceBlendshape.names == names.split(separator: " ").map(String.init))
    #expect(FaceBlendshape.allCases.map(\.rawValue) == Array(0..<52))
  }

  @Test("pose landmarks and connections equal MediaPipe's")
  func pose() {
    let names = """
      nose leftEyeInner leftEye leftEyeOuter rightEyeInner rightEye rightEyeOuter leftEar rightEar mouthLeft \
      mouthRight leftShoulder rightShoulder leftElbow rightElbow leftWrist rightWrist leftPinky rightPinky leftIndex \
      rightIndex leftThumb rightThumb leftHip rightHip leftKnee rightKnee leftAnkle rightAnkle leftHeel rightHeel \
      leftFootIndex rightFootIndex
      """
    #expect(PoseLandmarks.Point.allCases.map { "\($0)" } == names.split(separator: " ").map(String.init))
    #expect(PoseLandmarks.Point.allCases.map(\.rawValue) == Array(0..<33))
    let lines = """
      0 1 1 2 2 3 3 7 0 4 4 5 5 6 6 8 9 10 11 12 11 13 13 15 15 17 15 19 15 21 17 19 12 14 14 16 16 18 16 20 16 22 18 \
      20 11 23 12 24 23 24 23 25 24 26 25 27 26 28 27 29 28 30 29 31 30 32 27 31 28 32
      """
    #expect(numbers(PoseLandmarks.connections) == lines.split(separator: " ").compactMap { Int($0) })
    let pose = Pose(
      landmarks: (0..<32).map { NormalizedLandmark(x: Float($0), y: 0, z: 0) }, worldLandmarks: [])
    #expect(pose[.nose]?.x == 0 && pose[.leftFootIndex]?.x == 31 && pose[.rightFootIndex] == nil)
    #expect(pose.segmentationMask == nil)
  }

  @Test("hand landmarks and connections equal MediaPipe's")
  func hand() {
    let names = """
      wrist thumbCMC thumbMCP thumbIP thumbTip indexFingerMCP indexFingerPIP indexFingerDIP indexFingerTip \
      middleFingerMCP middleFingerPIP middleFingerDIP middleFingerTip ringFingerMCP ringFingerPIP ringFingerDIP \
      ringFingerTip pinkyMCP pinkyPIP pinkyDIP pinkyTip
      """
    #expect(HandLandmarks.Point.allCases.map { "\($0)" } == names.split(separator: " ").map(String.init))
    #expect(HandLandmarks.Point.allCases.map(\.rawValue) == Array(0..<21) && HandLandmarks.count == 21)
    #expect(numbers(HandLandmarks.palm) == [0, 1, 0, 5, 9, 13, 13, 17, 5, 9, 0, 17])
    let fingers = [
      HandLandmarks.thumb, HandLandmarks.indexFinger, HandLandmarks.middleFinger, HandLandmarks.ringFinger,
      HandLandmarks.pinky,
    ]
    for (index, finger) in fingers.enumerated() {
      #expect(numbers(finger) == [1, 2, 2, 3, 3, 4].map { $0 + 4 * index })
    }
    #expect(HandLandmarks.connections == HandLandmarks.palm + fingers.flatMap { $0 })
  }

  @Test("landmarks, connections, and blendshapes keep their values")
  func fields() throws {
    let normalized = NormalizedLandmark(x: 1, y: 2, z: 3, visibility: 4, presence: 5)
    #expect([normalized.x, normalized.y, normalized.z, normalized.visibility, normalized.presence] == [1, 2, 3, 4, 5])
    #expect(normalized.point.x == 1 && normalized.point.y == 2)
    let landmark = Landmark(x: 1, y: 2, z: 3, visibility: 4, presence: 5)
    #expect([landmark.x, landmark.y, landmark.z, landmark.visibility, landmark.presence] == [1, 2, 3, 4, 5])
    #expect(Landmark(x: 0, y: 0, z: 0).visibility == nil && Landmark(x: 0, y: 0, z: 0).presence == nil)
    #expect(LandmarkConnection.pairs([1, 2, 3, 4, 5]) == [.init(start: 1, end: 2), .init(start: 3, end: 4)])
    let scores = (0..<52).map { Float($0) }
    let blendshapes = try #require(FaceBlendshapes(scores: scores))
    #expect(blendshapes[.neutral] == 0 && blendshapes[.noseSneerLeft] == 50 && blendshapes[.noseSneerRight] == 51)
    let face = Face(landmarks: [normalized], blendshapes: blendshapes)
    #expect(face.landmarks == [normalized] && face.blendshapes == blendshapes && face.transformationMatrix == nil)
  }
}
