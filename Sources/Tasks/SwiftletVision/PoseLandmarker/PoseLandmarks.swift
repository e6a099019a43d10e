/// The indices and connections of the landmarks of a ``Pose``.
public enum PoseLandmarks {
  /// The landmarks of a pose by index; left and right are the person's own.
  public enum Point: Int, Sendable, Hashable, CaseIterable {
    /// The tip of the nose.
    case nose = 0
    /// The inner corner of the left eye.
    case leftEyeInner
    /// The left eye.
    case leftEye
    /// The outer corner of the left eye.
    case leftEyeOuter
    /// The inner corner of the right eye.
    case rightEyeInner
    /// The right eye.
    case rightEye
    /// The outer corner of the right eye.
    case rightEyeOuter
    /// The left ear.
    case leftEar
    /// The right ear.
    case rightEar
    /// The left corner of the mouth.
    case mouthLeft
    /// The right corner of the mouth.
    case mouthRight
    /// The left shoulder.
    case leftShoulder
    /// The right shoulder.
    case rightShoulder
    /// The left elbow.
    case leftElbow
    /// The right elbow.
    case rightElbow
    /// The left wrist.
    case leftWrist
    /// The right wrist.
    case rightWrist
    /// The joint of the left little finger at the palm.
    case leftPinky
    /// The joint of the right little finger at the palm.
    case rightPinky
    /// The joint of the left index finger at the palm.
    case leftIndex
    /// The joint of the right index finger at the palm.
    case rightIndex
    /// The last joint of the left thumb.
    case leftThumb
    /// The last joint of the right thumb.
    case rightThumb
    /// The left hip.
    case leftHip
    /// The right hip.
    case rightHip
    /// The left knee.
    case leftKnee
    /// The right knee.
    case rightKnee
    /// The left ankle.
    case leftAnkle
    /// The right ankle.
    case rightAnkle
    /// The left heel.
    case leftHeel
    /// The right heel.
    case rightHeel
    /// The toes of the left foot.
    case leftFootIndex
    /// The toes of the right foot.
    case rightFootIndex
  }

  /// The connections of the skeleton.
  public static let connections = LandmarkConnection.pairs([
    0, 1, 1, 2, 2, 3, 3, 7, 0, 4, 4, 5, 5, 6, 6, 8, 9, 10, 11, 12, 11, 13, 13, 15, 15, 17, 15, 19,
    15, 21, 17, 19, 12, 14, 14, 16, 16, 18, 16, 20, 16, 22, 18, 20, 11, 23, 12, 24, 23, 24, 23, 25,
    24, 26, 25, 27, 26, 28, 27, 29, 28, 30, 29, 31, 30, 32, 27, 31, 28, 32,
  ])
}

/// Smooths the landmarks of one body over the frames of a video.
///
/// - Source: the filters of MediaPipe's pose tasks.
struct PoseSmoother: SubjectSmoother {
  private var points = LandmarkSmoother.points
  private var worldPoints = LandmarkSmoother.worldPoints
  /// The smoother of visibility, which landmarks and world landmarks share.
  private var visibility = VisibilitySmoother()
  private var values: [Float] = []

  mutating func assign(_ other: PoseSmoother) {
    points.assign(other.points)
    worldPoints.assign(other.worldPoints)
    visibility.assign(other.visibility)
  }

  /// Smooths the landmarks of a frame.
  ///
  /// - Parameters:
  ///   - objectSize: The size of the body in the image, in pixels.
  ///   - time: The timestamp of the frame, later than that of the previous frame.
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

  /// Records that the body is not in the frame. As in MediaPipe, the history of visibility and of world landmarks is
  /// kept and affects the next body.
  mutating func lose() { points.reset() }
}
