/// Smooths the points of one body over the frames of a video.
///
/// - Source: the filters of MediaPipe's pose tasks.
struct PoseSmoother: SubjectSmoother {
  private var points = LandmarkSmoother.points
  private var worldPoints = LandmarkSmoother.worldPoints
  /// One for both sets of points, as they have their visibility in common.
  private var visibility = VisibilitySmoother()
  private var values: [Float] = []

  mutating func assign(_ other: PoseSmoother) {
    points.assign(other.points)
    worldPoints.assign(other.worldPoints)
    visibility.assign(other.visibility)
  }

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
