import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Input of the gesture embedder")
struct GestureInputTests {
  private func numbers(
    _ hand: Hand, _ orientation: ImageOrientation = .up, width: Int = 20, height: Int = 10
  ) throws -> (points: [Float], world: [Float], right: Float) {
    let image = try InputImage(
      rgb: [UInt8](repeating: 0, count: 3 * width * height), width: width, height: height, orientation: orientation)
    let input = GestureInput(hand, in: image)
    var (points, world) = ([Float](repeating: -9, count: 9), [Float](repeating: -9, count: 9))
    points.withUnsafeMutableBufferPointer { input.writeLandmarks(to: $0) }
    world.withUnsafeMutableBufferPointer { input.writeWorldLandmarks(to: $0) }
    return (points, world, input.right)
  }

  private func hand(index: Int = 0, score: Float = 0.75) -> Hand {
    Hand(
      landmarks: [(0.5, 0.5, 0.25), (0.75, 0.5, 0.5), (0.5, 0.25, 0)].map { NormalizedLandmark(x: $0, y: $1, z: $2) },
      worldLandmarks: [(1, 1, 1), (1, 3, 1), (2, 1, 2)].map { Landmark(x: $0, y: $1, z: $2) },
      handedness: index == 0 ? .right : .left, handednessScore: score)
  }

  private func isClose(_ found: [Float], _ expected: [Float]) -> Bool {
    zip(found, expected).allSatisfy { abs($0 - $1) < 1e-4 }
  }

  @Test("landmarks are relative to the first one and scaled by the longer side of their box, for any image shape")
  func points() throws {
    let found = try numbers(hand())
    // A quarter of the width to the right, and an eighth up.
    #expect(isClose(found.points, [0, 0, 0, 1, 0, 1, 0, -0.5, -1]))
    #expect(isClose(found.world, [0, 0, 0, 0, 1, 0, 0.5, 0, 0.5]))
    #expect(isClose(try numbers(hand(), width: 10).points, [0, 0, 0, 1, 0, 1, 0, -1, -1]))
  }

  @Test("landmarks are rotated upright with the image")
  func turned() throws {
    // The stored image's right becomes up after a clockwise rotation by 270°.
    let found = try numbers(hand(), .left)
    #expect(isClose(found.points, [0, 0, 0, 0, -1, 1, -0.5, 0, -1]), "\(found.points)")
    #expect(isClose(found.world, [0, 0, 0, 1, 0, 0, 0, -0.5, 0.5]), "\(found.world)")
    #expect(isClose(try numbers(hand(), .down).points, [0, 0, 0, -1, 0, 1, 0, 0.5, -1]))
  }

  @Test("handedness is the probability of a right hand")
  func handedness() throws {
    #expect(try numbers(hand()).right == 0.75)
    #expect(try numbers(hand(index: 1)).right == 0.25)
  }

  @Test("a hand without an extent gives finite values")
  func point() throws {
    var point = hand()
    point.landmarks = Array(repeating: point.landmarks[0], count: 3)
    #expect(try numbers(point).points == [Float](repeating: 0, count: 9))
  }
}
