import SwiftletImage

/// The body of the person in a picture, followed from frame to frame and smoothed.
///
/// One caller at a time.
final class HolisticBody {
  /// What is known from the frames before.
  private struct State {
    /// Where the body is expected.
    var region: NormalizedRect?
    var smoother = PoseSmoother()
    var ends = LandmarkSmoother(minCutoff: 0.01, beta: 10)
    var mask: Mask?
  }

  private let finder: RegionFinder
  private let model: PoseModel
  private let makesMask: Bool
  private let forgets: Bool
  private var state = State()
  /// The two points that say where the body is expected.
  private var ends: [NormalizedLandmark] = []

  /// - Parameter forgets: whether pictures have nothing to do with each other.
  init(_ options: HolisticLandmarkerOptions, forgets: Bool) throws(TaskError) {
    finder = try RegionFinder(
      options.baseOptions.member("pose_detector.tflite"),
      recipe: .poses(overlapThreshold: options.minPoseSuppressionThreshold),
      minConfidence: options.minPoseDetectionConfidence)
    model = try PoseModel(
      options.baseOptions, minPresence: options.minPosePresenceConfidence,
      maskCount: options.outputsSegmentationMask ? 1 : 0)
    makesMask = options.outputsSegmentationMask
    self.forgets = forgets
  }

  /// The body in a frame; `nil` when there is none.
  func pose(in image: MPImage, _ geometry: RegionGeometry, at time: Duration) throws -> Pose? {
    let region = try state.region ?? finder.regions(in: image).first
    guard let region, let body = try model.body(in: region, of: image) else {
      lose()
      return nil
    }
    let (center, top) = (body.center, body.top)
    // What follows needs the body no more, so that its points are smoothed where they are.
    var pose = Pose(landmarks: body.landmarks, worldLandmarks: body.worldLandmarks)
    // Without the margin that regions have.
    let size = geometry.size(of: geometry.square(about: center.point, reaching: top.point))
    if forgets {
      // MediaPipe smooths the landmarks of single images too.
      LandmarkSmoother.roundThroughPixels(&pose.landmarks, objectSize: size, in: geometry)
    } else {
      follow(from: center, to: top, &pose, size, geometry, time)
    }
    if makesMask {
      pose.segmentationMask = try model.mask(in: image, smoothing: state.mask)
      if !forgets { state.mask = pose.segmentationMask }
    }
    return pose
  }

  /// Says where the body is expected in the next frame, and smooths its points.
  private func follow(
    from center: NormalizedLandmark, to top: NormalizedLandmark, _ pose: inout Pose, _ size: Float,
    _ geometry: RegionGeometry, _ time: Duration
  ) {
    ends.removeAll(keepingCapacity: true)
    ends.append(center)
    ends.append(top)
    state.ends.smooth(&ends, objectSize: size, in: geometry, at: time)
    let next = PoseModel.region(center: ends[0].point, top: ends[1].point, geometry)
    state.region = geometry.isUsable(next) ? next : nil
    state.smoother.smooth(&pose.landmarks, &pose.worldLandmarks, objectSize: size, in: geometry, at: time)
  }

  /// The last mask stays, as in MediaPipe.
  private func lose() {
    state.region = nil
    state.smoother.lose()
    state.ends.reset()
  }
}
