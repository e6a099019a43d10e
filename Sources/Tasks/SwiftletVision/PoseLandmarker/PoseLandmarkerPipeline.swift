import SwiftletImage

/// The steps from a picture to poses.
///
/// - Source: MediaPipe's pose landmarker.
final class PoseLandmarkerPipeline: VisionPipeline {
  private let finder: RegionFinder
  private let model: PoseModel
  private let limit: Int
  private let makesMasks: Bool
  /// `nil` for pictures that have nothing to do with each other.
  private var follower: RegionFollower?
  /// `nil` where nothing is smoothed.
  private var smoothers: PoseSmoothers?

  init(_ options: PoseLandmarkerOptions) throws {
    finder = try RegionFinder(
      options.baseOptions.member("pose_detector.tflite"),
      recipe: .poses(followsOrientation: !options.keepsMediaPipeRotation),
      minConfidence: options.minDetectionConfidence)
    model = try PoseModel(
      options.baseOptions, minPresence: options.minPresenceConfidence, maskCount: options.maxPoses)
    limit = options.maxPoses
    makesMasks = options.outputsSegmentationMasks
    guard options.runningMode != .image else { return }
    follower = RegionFollower(
      limit: limit, overlapThreshold: options.minTrackingConfidence, preference: .found)
    if options.smoothing.isOn(limit: limit) { smoothers = PoseSmoothers(limit: limit) }
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> PoseLandmarkerResult {
    guard regionOfInterest == nil else {
      throw TaskError(.unsupportedRegion, "poses are looked for in whole pictures; cut the region out first")
    }
    let regions =
      try follower?.regions { try finder.regions(in: image) }
      ?? finder.regions(in: image).prefix(limit).map { RegionFollower.Candidate(region: $0) }
    let geometry = RegionGeometry(image)
    var poses: [Pose] = []
    var followed: [NormalizedRect] = []
    smoothers?.startFrame()
    for candidate in regions {
      guard let body = try model.body(in: candidate.region, of: image) else { continue }
      var pose = Pose(landmarks: body.landmarks, worldLandmarks: body.worldLandmarks)
      if makesMasks { pose.segmentationMask = try model.mask(in: image) }
      let next = PoseModel.region(center: body.center.point, top: body.top.point, geometry)
      if follower != nil, geometry.isUsable(next) {
        followed.append(next)
        let size = (next.width * geometry.width + next.height * geometry.height) / 2
        smoothers?.smooth(&pose, identity: candidate.identity, objectSize: size, in: geometry, at: timestamp)
      }
      poses.append(pose)
    }
    follower?.follow(followed)
    smoothers?.endFrame()
    return PoseLandmarkerResult(poses: poses, timestamp: timestamp)
  }
}
