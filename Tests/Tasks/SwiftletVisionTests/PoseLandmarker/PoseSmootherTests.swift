import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Smoothing of poses")
struct PoseSmootherTests {
  private func pose(_ value: Float) -> Pose {
    Pose(
      landmarks: [NormalizedLandmark(x: value, y: 0, z: 0, visibility: value, presence: value)],
      worldLandmarks: [Landmark(x: value, y: 0, z: 0, visibility: value, presence: value)])
  }

  private func geometry() throws -> RegionGeometry { RegionGeometry(try SyntheticPoseModels.image()) }

  /// Smooths the poses of a frame, each with its identity.
  private func frame(_ smoothers: inout Smoothers<PoseSmoother>, _ bodies: [(Float, Int?)], _ time: Int) throws
    -> [Pose]
  {
    let geometry = try geometry()
    let poses = bodies.map { value, identity in
      var pose = pose(value)
      smoothers.smooth(identity) { smoother in
        smoother.smooth(
          &pose.landmarks, &pose.worldLandmarks, objectSize: 50, in: geometry, at: .milliseconds(time))
        return true
      }
      return pose
    }
    smoothers.endFrame()
    return poses
  }

  @Test("after a gap, a single body's landmarks restart, and visibility and world landmarks continue")
  func gap() throws {
    var smoothers = Smoothers<PoseSmoother>(isSingle: true)
    #expect(try frame(&smoothers, [(1, nil)], 0) == [pose(1)])
    #expect(try frame(&smoothers, [], 33).isEmpty)
    let back = try #require(try frame(&smoothers, [(0, nil)], 66).first)
    #expect(back.landmarks[0].x == 0 && back.landmarks[0].presence == 0)
    #expect(abs((back.landmarks[0].visibility ?? 0) - 0.9) < 1e-6)
    #expect(back.worldLandmarks[0].visibility == back.landmarks[0].visibility)
    #expect(back.worldLandmarks[0].x > 0)
  }

  @Test("each of several bodies has its own history")
  func several() throws {
    var smoothers = Smoothers<PoseSmoother>(isSingle: false)
    _ = try frame(&smoothers, [(1, nil), (0, nil)], 0)
    // The poses swap identities, and stay at their positions.
    let swapped = try frame(&smoothers, [(0, 1), (1, 0)], 33)
    #expect(swapped == [pose(0), pose(1)])
    // A new pose has no history.
    let joined = try frame(&smoothers, [(1, 1), (0.5, nil)], 66)
    #expect(joined == [pose(1), pose(0.5)])
    // A continuing pose doesn't jump.
    let moved = try frame(&smoothers, [(0, 0)], 99)
    #expect(abs((moved[0].landmarks[0].visibility ?? 0) - 0.9) < 1e-6 && moved[0].worldLandmarks[0].x > 0)
  }
}
