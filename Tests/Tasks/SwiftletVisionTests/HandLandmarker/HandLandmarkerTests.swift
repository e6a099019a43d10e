import Foundation
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Hand landmarker")
struct HandLandmarkerTests {
  /// The indices of a box at the center of the image, and of one in its upper left quarter.
  private static let (middle, corner) = (8, 0)

  @Test("the landmarks of a palm's region are in image coordinates")
  func points() throws {
    let landmarker = try SyntheticHands.landmarker(SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(depth: 4)))
    let hands = try landmarker.hands(in: SyntheticHands.image([Self.middle: SyntheticHands.palm()]))
    try #require(hands.count == 1)
    // MediaPipe uses a direction of 90 radians, so that an upright palm's region is rotated.
    let angle = Float(90 - 14 * 2 * Double.pi - Double.pi / 2)
    let (x, y) = (0.5 + 0.125 * sin(angle), 0.5 - 0.125 * cos(angle))
    let base = hands[0].landmarks[HandLandmarks.Point.middleFingerMCP.rawValue]
    #expect(abs(base.x - x) < 1e-4 && abs(base.y - y) < 1e-4)
    #expect(abs(base.z - 0.65 / 0.4) < 1e-4)
    #expect(base.visibility == nil && base.presence == nil)
    let wrist = hands[0].landmarks[0]
    #expect(abs(wrist.x - (x - 0.3 * 0.65 * sin(angle))) < 1e-4 && abs(wrist.y - (y + 0.3 * 0.65 * cos(angle))) < 1e-4)
    let world = hands[0].worldLandmarks[0]
    #expect(abs(world.x + 0.3 * sin(angle)) < 1e-4 && abs(world.y - 0.3 * cos(angle)) < 1e-4 && world.z == 0.25)
  }

  @Test(
    "handedness is the more probable hand, or the right one for equal scores",
    arguments: [(0.75, .right, 0.75), (0.5, .right, 0.5), (0.25, .left, 0.75)] as [(Float, Handedness, Float)])
  func handedness(right: Float, handedness: Handedness, score: Float) throws {
    let landmarker = try SyntheticHands.landmarker(
      SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(right: right)))
    let hands = try landmarker.hands(in: SyntheticHands.image([Self.middle: SyntheticHands.palm()]))
    #expect(hands.map(\.handedness) == [handedness] && hands.map(\.handednessScore) == [score])
  }

  @Test("at most the requested number of hands is returned, best palms first")
  func limit() throws {
    let image = try SyntheticHands.image([
      Self.corner: SyntheticHands.palm(score: 5), Self.middle: SyntheticHands.palm(side: 3, score: 10),
      6: SyntheticHands.palm(score: 7),
    ])
    let places = try [1, 2, 9].map { count in
      try SyntheticHands.landmarker { $0.maxHands = count }.hands(in: image).map { $0.landmarks[9].x }
    }
    #expect(places.map(\.count) == [1, 2, 3])
    #expect(places[1][0] == places[0][0] && places[2].prefix(2) == places[1][...])
    #expect(places[2][1] > places[2][0] && places[2][2] < places[2][0])
  }

  @Test("presence must exceed the minimum, and detection must reach it")
  func thresholds() throws {
    let image = try SyntheticHands.image([Self.middle: SyntheticHands.palm(score: 1)])
    func count(presence: Float = 1, _ change: (inout HandLandmarkerOptions) -> Void) throws -> Int {
      let bundle = SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(presence: presence))
      return try SyntheticHands.landmarker(bundle, change).hands(in: image).count
    }
    #expect(try count(presence: 0.5) { $0.minPresenceConfidence = 0.5 } == 0)
    #expect(try count(presence: 0.5) { $0.minPresenceConfidence = 0.499 } == 1)
    #expect(try count(presence: .nan) { $0.minPresenceConfidence = 0 } == 0)
    let score = 1 / (1 + exp(Float(-1)))
    #expect(try count { $0.minDetectionConfidence = score } == 1)
    #expect(try count { $0.minDetectionConfidence = score.nextUp } == 0)
  }

  @Test("of duplicate hands, the first is kept")
  func duplicates() throws {
    // Two close palms whose overlap is too small for the detector to merge them. A large hand is detected in both.
    let image = try SyntheticHands.image([
      Self.middle: SyntheticHands.palm(score: 9), Self.middle + 1: SyntheticHands.palm(right: 3, score: 10),
    ])
    for (scale, count) in [(1, 2), (5, 1)] as [(Float, Int)] {
      let bundle = SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(scale: scale))
      let hands = try SyntheticHands.landmarker(bundle) { $0.maxHands = 2 }.hands(in: image)
      #expect(hands.count == count)
      #expect(hands.map { $0.landmarks[9].x }.max() == hands.first?.landmarks[9].x)
    }
  }

  @Test("model inputs of other sizes and images of other shapes are supported")
  func sizes() throws {
    let bundle = SyntheticHands.bundle(
      detector: SyntheticFaceModel.detector(side: 32, boxCount: 4 * 4 * 2 + 2 * 2 * 6, valuesPerBox: 18))
    let landmarker = try SyntheticHands.landmarker(bundle) { $0.minDetectionConfidence = 0.5 }
    for (width, height) in [(1, 1), (100, 3), (3, 100)] {
      let image = try InputImage(
        rgb: [UInt8](repeating: 1, count: 3 * width * height), width: width, height: height)
      _ = try landmarker.hands(in: image)
    }
  }

  // MARK: Rejections

  @Test("options have MediaPipe's defaults")
  func defaults() {
    let options = HandLandmarkerOptions(baseOptions: SyntheticHands.base())
    #expect(options.maxHands == 1 && options.smoothing == .off)
    #expect(options.minDetectionConfidence == 0.5 && options.minPresenceConfidence == 0.5)
    #expect(options.minTrackingConfidence == 0.5)
  }

  @Test("out-of-range options are rejected by name")
  func ranges() {
    func message(_ change: (inout HandLandmarkerOptions) -> Void) -> String? {
      let error = taskError { _ = try SyntheticHands.landmarker(SyntheticHands.bundle(), change) }
      return error?.code == .invalidOption ? error?.message : error.map { "\($0.code)" }
    }
    for count in [0, -1, Int.min] {
      #expect(message { $0.maxHands = count }?.contains("maxHands must be at least 1, got \(count)") == true)
    }
    for value in [-0.001, 1.001, .nan, .infinity] as [Float] {
      #expect(message { $0.minDetectionConfidence = value }?.hasPrefix("minDetectionConfidence") == true)
      #expect(message { $0.minPresenceConfidence = value }?.hasPrefix("minPresenceConfidence") == true)
      #expect(message { $0.minTrackingConfidence = value }?.hasPrefix("minTrackingConfidence") == true)
    }
    #expect(message { $0.minTrackingConfidence = 0 }?.hasPrefix("minTrackingConfidence must be greater than 0") == true)
    for value in [0, 1] as [Float] {
      #expect(message { ($0.minDetectionConfidence, $0.minPresenceConfidence) = (value, value) } == nil)
    }
    #expect(message { ($0.maxHands, $0.minTrackingConfidence) = (Int.max, 1) } == nil)
  }

  @Test("an unsuitable bundle is rejected when the task is created, and the message names the member")
  func bundles() throws {
    func error(_ bundle: [UInt8]) -> String {
      taskError { _ = try SyntheticHands.landmarker(bundle) }?.message ?? "accepted"
    }
    let (detector, landmarks) = (SyntheticHands.detector, SyntheticHands.landmarks())
    let swapped = error(SyntheticHands.bundle(detector: landmarks, landmarks: detector))
    #expect(swapped.contains("/hand_detector.tflite") && swapped.contains("[1 × "))
    #expect(
      error(SyntheticHands.bundle(landmarks: detector)).contains("/hand_landmarks_detector.tflite"))
    // An older model without world landmarks (in meters).
    let old = error(SyntheticHands.bundle(landmarks: SyntheticHands.landmarks(outputCount: 3)))
    #expect(old.contains("/hand_landmarks_detector.tflite") && old.contains("63 numbers (world landmarks) in output 3"))
    let missing = error(RawArchive([.init("hand_detector.tflite", detector), .init("other.txt", [1])]).bytes)
    #expect(missing.contains("/hand_landmarks_detector.tflite") && missing.contains("other.txt"))
    #expect(error(RawArchive([]).bytes).contains("/hand_detector.tflite"))
    #expect(error(detector).contains("hand_detector.tflite"))
    #expect(error(SyntheticHands.bundle(detector: [1, 2, 3])).contains("/hand_detector.tflite"))
    #expect(
      error(SyntheticHands.bundle(landmarks: SyntheticHands.bundle())).contains("/hand_landmarks_detector.tflite"))
  }

  @Test("a model without image normalization is rejected, and the message names it")
  func normalization() {
    let error = taskError { _ = try HandLandmarker(.bytes(SyntheticHands.bundle())) }
    #expect(error?.code == .missingMetadata && error?.message.contains("/hand_detector.tflite: ") == true)
  }

  @Test("a missing file is reported by its path")
  func noFile() {
    let error = taskError { _ = try HandLandmarker(.file("/nowhere/hand_landmarker.task")) }
    #expect(error?.code == .modelNotFound && error?.message.contains("/nowhere/hand_landmarker.task") == true)
  }
}
