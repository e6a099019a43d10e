/// Smooths the points of one body over the frames of a video.
///
/// - Source: the filters of MediaPipe's pose tasks.
struct PoseSmoother: Sendable {
  private var points = LandmarkSmoother.points
  private var worldPoints = LandmarkSmoother.worldPoints
  /// One for both sets of points, as they have their visibility in common.
  private var visibility = VisibilitySmoother()
  private var values: [Float] = []

  /// - Parameters:
  ///   - objectSize: how large the body is in the picture, in pixels.
  ///   - time: the frame's, later than that of the last one.
  mutating func smooth(
    _ landmarks: inout [NormalizedLandmark], _ worldLandmarks: inout [Landmark], objectSize: Float,
    in geometry: RegionGeometry, at time: Duration
  ) {
    values.removeAll(keepingCapacity: true)
    for point in landmarks { values.append(point.visibility ?? 0) }
    visibility.smooth(&values)
    for index in landmarks.indices { landmarks[index].visibility = values[index] }
    for index in worldLandmarks.indices where index < values.count { worldLandmarks[index].visibility = values[index] }
    points.smooth(&landmarks, objectSize: objectSize, in: geometry, at: time)
    worldPoints.smooth(&worldLandmarks, at: time)
  }

  /// The body is gone. What is known of visibility and of points in metres stays, as in MediaPipe, and is mixed with
  /// that of the next body.
  mutating func lose() { points.reset() }
}

/// What smooths all bodies that are followed.
///
/// A frame is ``smooth(_:identity:objectSize:in:at:)`` for every body that is followed on, in their order, and then
/// ``endFrame()``.
struct PoseSmoothers: Sendable {
  /// Where only one body is looked for it has the same smoother whatever becomes of it.
  private var single: PoseSmoother?
  private var several = SmoothersByIdentity(PoseSmoother())
  private var isAnyoneThere = false

  /// - Parameter limit: the most bodies.
  init(limit: Int) { single = limit == 1 ? PoseSmoother() : nil }

  /// - Parameters:
  ///   - identity: which of the last frame's bodies it is, as ``RegionFollower`` counts them; `nil` for a new one.
  ///   - objectSize: how large the body is in the picture, in pixels.
  mutating func smooth(
    _ pose: inout Pose, identity: Int?, objectSize: Float, in geometry: RegionGeometry, at time: Duration
  ) {
    isAnyoneThere = true
    guard single == nil else {
      single?.smooth(&pose.landmarks, &pose.worldLandmarks, objectSize: objectSize, in: geometry, at: time)
      return
    }
    several.smooth(identity) { smoother in
      smoother.smooth(&pose.landmarks, &pose.worldLandmarks, objectSize: objectSize, in: geometry, at: time)
    }
  }

  /// Forgets the bodies that were not in this frame.
  mutating func endFrame() {
    if !isAnyoneThere { single?.lose() }
    isAnyoneThere = false
    several.endFrame()
  }
}
