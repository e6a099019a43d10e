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

/// What is smoothed of all bodies that are followed.
///
/// A frame is ``startFrame()``, ``smooth(_:identity:objectSize:in:at:)`` for every body that is followed, in their
/// order, and ``endFrame()``.
struct PoseSmoothers: Sendable {
  /// Where only one body is looked for it has the same smoother whatever becomes of it.
  private let keepsOne: Bool
  /// Those of the last frame's bodies.
  private var known: [PoseSmoother] = []
  /// Those of this frame's.
  private var current: [PoseSmoother] = []

  /// - Parameter limit: the most bodies.
  init(limit: Int) { keepsOne = limit == 1 }

  /// Makes room for a frame's bodies; those of a frame that failed are left out.
  mutating func startFrame() { current.removeAll(keepingCapacity: true) }

  /// - Parameter identity: which of the last frame's bodies it is; `nil` for a new one.
  mutating func smooth(
    _ pose: inout Pose, identity: Int?, objectSize: Float, in geometry: RegionGeometry, at time: Duration
  ) {
    var smoother = PoseSmoother()
    // Taken out of the list, so that its memory is not copied.
    let index = keepsOne ? 0 : identity ?? -1
    if known.indices.contains(index) { swap(&smoother, &known[index]) }
    smoother.smooth(
      &pose.landmarks, &pose.worldLandmarks, objectSize: objectSize, in: geometry, at: time)
    current.append(smoother)
  }

  /// Forgets the bodies that were not in this frame.
  mutating func endFrame() {
    if keepsOne, current.isEmpty {
      for index in known.indices { known[index].lose() }
      return
    }
    swap(&known, &current)
  }
}
