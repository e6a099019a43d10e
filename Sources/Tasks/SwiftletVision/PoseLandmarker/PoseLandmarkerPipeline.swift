import SwiftletImage

/// The steps from a picture to poses.
///
/// - Source: MediaPipe's pose landmarker.
final class PoseLandmarkerPipeline: VisionPipeline {
  private let finder: RegionFinder
  private let model: PoseModel
  private let limit: Int
  private let results: ResultBudget
  private let makesMasks: Bool
  /// `nil` for pictures that have nothing to do with each other.
  private var follower: RegionFollower?
  /// `nil` where nothing is smoothed.
  private var smoothers: PoseSmoothers?
  /// Of the poses of the frame at hand: where they are expected next, and which of the last frame's they are.
  private var found: [(next: NormalizedRect, identity: Int?)] = []
  private var expected: [NormalizedRect] = []

  init(_ options: PoseLandmarkerOptions) throws {
    finder = try RegionFinder(
      options.baseOptions.member("pose_detector.tflite"),
      recipe: .poses(followsOrientation: !options.keepsMediaPipeRotation),
      minConfidence: options.minDetectionConfidence)
    model = try PoseModel(
      options.baseOptions, minPresence: options.minPresenceConfidence,
      maskCount: options.outputsSegmentationMasks ? options.maxPoses : 0)
    limit = options.maxPoses
    results = .ofPipeline(options.baseOptions.limits)
    makesMasks = options.outputsSegmentationMasks
    guard options.runningMode != .image else { return }
    follower = RegionFollower(
      limit: limit, overlapThreshold: options.minTrackingConfidence, preference: .found)
    if options.smoothing.isOn(limit: limit) { smoothers = PoseSmoothers(limit: limit) }
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> PoseLandmarkerResult {
    try requireWholePicture(regionOfInterest, "poses")
    let geometry = RegionGeometry(image)
    var poses: [Pose] = []
    found.removeAll(keepingCapacity: true)
    if follower == nil {
      let regions = try finder.regions(in: image).prefix(limit)
      poses.reserveCapacity(regions.count)
      for region in regions { try look(at: region, nil, image, geometry, &poses) }
    } else {
      let candidates = try follower?.regions(finding: { try finder.regions(in: image) }) ?? []
      poses.reserveCapacity(candidates.count)
      for candidate in candidates {
        try look(at: candidate.region, candidate.identity, image, geometry, &poses)
      }
      follow(&poses, geometry, timestamp)
    }
    return PoseLandmarkerResult(poses: poses, timestamp: timestamp)
  }

  /// Adds the pose in a region, if there is one.
  private func look(
    at region: NormalizedRect, _ identity: Int?, _ image: MPImage, _ geometry: RegionGeometry, _ poses: inout [Pose]
  ) throws {
    guard let body = try model.body(in: region, of: image) else { return }
    try results.charge(1, each: Pose.byteCount, for: "poses", advice: "set maxPoses to fewer")
    poses.append(
      Pose(
        landmarks: body.landmarks, worldLandmarks: body.worldLandmarks,
        segmentationMask: makesMasks ? try model.mask(in: image) : nil))
    let next = PoseModel.region(center: body.center.point, top: body.top.point, geometry)
    found.append((next, identity))
  }

  /// Says where the bodies are expected in the next frame, which their points as the model gives them tell, and then
  /// smooths the points.
  private func follow(_ poses: inout [Pose], _ geometry: RegionGeometry, _ timestamp: Duration) {
    expected.removeAll(keepingCapacity: true)
    for index in poses.indices where geometry.isUsable(found[index].next) {
      let next = found[index].next
      expected.append(next)
      smoothers?.smooth(
        &poses[index], identity: found[index].identity, objectSize: geometry.size(of: next), in: geometry,
        at: timestamp)
    }
    follower?.follow(expected)
    smoothers?.endFrame()
  }
}
