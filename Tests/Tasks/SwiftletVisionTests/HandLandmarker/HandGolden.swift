import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// Compares hands with MediaPipe's.
enum HandGolden {
  /// The maximum differences from MediaPipe. On identical pixels there are none (`Tools/compare/landmarks`), but
  /// MediaPipe decoded some of these images with another library, which produces different bytes in places.
  struct Tolerance {
    /// Relative to the image; in meters for world landmarks.
    var median: Float
    var largest: Float
    /// For world landmarks, in meters.
    var largestInMeters: Float
    /// The probability of a right hand.
    var probability: Float

    static let image = Tolerance(median: 5e-5, largest: 2e-4, largestInMeters: 5e-4, probability: 2e-4)
    static let video = Tolerance(median: 1e-4, largest: 5e-4, largestInMeters: 5e-4, probability: 0.01)
  }

  static func options(_ golden: GoldenTask) throws -> HandLandmarkerOptions {
    let options = golden.options
    return HandLandmarkerOptions(
      baseOptions: BaseOptions(model: .bytes(try golden.modelBytes())),
      maxHands: options["num_hands"].int ?? 1,
      minDetectionConfidence: options["min_hand_detection_confidence"].float ?? 0.5,
      minPresenceConfidence: options["min_hand_presence_confidence"].float ?? 0.5)
  }

  static func expect(_ found: [Hand], _ golden: [GoldenValue], _ tolerance: Tolerance, _ comment: String) {
    #expect(found.count == golden.count, "\(comment)")
    for (hand, golden) in zip(found, golden) {
      let points = GoldenDifference(hand.landmarks, golden["landmarks"])
      #expect(
        points.count == 63 && points.median <= tolerance.median && points.largest <= tolerance.largest,
        "\(comment): \(points.median), \(points.largest)")
      let world = GoldenDifference(hand.worldLandmarks, golden["world_landmarks"])
      #expect(
        world.count == 63 && world.median <= tolerance.median && world.largest <= tolerance.largestInMeters,
        "\(comment): \(world.median), \(world.largest) m")
      expectHandedness(hand, golden["handedness"][0], tolerance, comment)
    }
  }

  private static func expectHandedness(
    _ hand: Hand, _ golden: GoldenValue, _ tolerance: Tolerance, _ comment: String
  ) {
    let score = golden["score"].float ?? -1
    let right = golden["index"].int == 0 ? score : 1 - score
    #expect(
      abs((hand.handedness == .right ? hand.handednessScore : 1 - hand.handednessScore) - right)
        <= tolerance.probability, "\(comment)")
    // If MediaPipe's score is close to one half, a small difference makes it the other hand.
    guard score > 0.5 + tolerance.probability else { return }
    #expect(hand.handedness == (golden["index"].int == 0 ? .right : .left), "\(comment)")
  }
}
