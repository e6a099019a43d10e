/// The options of a face detector.
///
/// A detector copies the values when it is created; later changes have no effect on it.
open class FaceDetectorOptions: CommonVisionOptions {
  /// The mode that determines whether faces have probabilities for smiling and open eyes.
  open var classificationMode = FaceDetectorClassificationMode.none
  /// The preference for speed or accuracy. The same models run in both modes. In combination with
  /// ``contourMode``, the mode determines the number of faces.
  open var performanceMode = FaceDetectorPerformanceMode.fast
  /// The mode that determines whether faces have landmarks.
  open var landmarkMode = FaceDetectorLandmarkMode.none
  /// The mode that determines whether faces have contours.
  ///
  /// As in ML Kit, a detector with contours in fast mode, without landmarks and without classification, returns at most
  /// one face: the one with the highest score.
  open var contourMode = FaceDetectorContourMode.none
  /// The minimum width of a face as a fraction of the width of the upright image, 0…1. Smaller faces are not returned.
  /// Other values mean 0.1, the default. A detector that returns at most one face for its contours ignores this option,
  /// as in ML Kit.
  open var minFaceSize: CGFloat = 0.1
  /// A Boolean value that indicates whether the images are the frames of a camera or a video, in which faces are tracked
  /// and get IDs.
  open var isTrackingEnabled = false

  // MARK: Additions to ML Kit's options

  /// The face landmarker bundle. `nil` for ``FaceDetector/defaultModel``.
  open var model: LocalModel?
  /// The maximum number of faces, 1…100.
  open var maxFaceCount = 10
  /// The minimum score of the detector, 0…1.
  open var minDetectionConfidence: Float = 0.5
  /// The minimum presence score of the landmark model, 0…1.
  open var minPresenceConfidence: Float = 0.5
  /// With tracking: the minimum overlap of a face with the face in the frame before, 0…1.
  open var minTrackingConfidence: Float = 0.5

  /// Creates options for fast detection of faces without landmarks, contours, probabilities, and IDs, as in ML Kit.
  public override init() { super.init() }
}

/// The mode of a face detector for the probabilities of smiling and open eyes, with ML Kit's raw values.
public struct FaceDetectorClassificationMode: RawRepresentable, Sendable, Hashable {
  /// The raw value of the mode in ML Kit.
  public let rawValue: Int

  /// Creates a mode with a raw value. Detectors reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Faces have no probabilities.
  public static let none = FaceDetectorClassificationMode(rawValue: 1)
  /// Faces have the probabilities of smiling and open eyes.
  public static let all = FaceDetectorClassificationMode(rawValue: 2)
}

/// The preference of a face detector for speed or accuracy, with ML Kit's raw values.
public struct FaceDetectorPerformanceMode: RawRepresentable, Sendable, Hashable {
  /// The raw value of the mode in ML Kit.
  public let rawValue: Int

  /// Creates a mode with a raw value. Detectors reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Speed.
  public static let fast = FaceDetectorPerformanceMode(rawValue: 1)
  /// Accuracy.
  public static let accurate = FaceDetectorPerformanceMode(rawValue: 2)
}

/// The mode of a face detector for landmarks, with ML Kit's raw values.
public struct FaceDetectorLandmarkMode: RawRepresentable, Sendable, Hashable {
  /// The raw value of the mode in ML Kit.
  public let rawValue: Int

  /// Creates a mode with a raw value. Detectors reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Faces have no landmarks.
  public static let none = FaceDetectorLandmarkMode(rawValue: 1)
  /// Faces have all landmarks.
  public static let all = FaceDetectorLandmarkMode(rawValue: 2)
}

/// The mode of a face detector for contours, with ML Kit's raw values.
public struct FaceDetectorContourMode: RawRepresentable, Sendable, Hashable {
  /// The raw value of the mode in ML Kit.
  public let rawValue: Int

  /// Creates a mode with a raw value. Detectors reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Faces have no contours.
  public static let none = FaceDetectorContourMode(rawValue: 1)
  /// Faces have all contours.
  public static let all = FaceDetectorContourMode(rawValue: 2)
}
