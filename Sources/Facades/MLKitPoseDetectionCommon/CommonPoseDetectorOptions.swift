import SwiftletVision

/// The options that all pose detectors share. Create an instance of a subclass.
///
/// A detector copies the values when it is created; later changes have no effect on it.
open class CommonPoseDetectorOptions: CommonVisionOptions {
  /// The mode of the detector: single images or a stream.
  open var detectorMode = PoseDetectorMode.stream

  // MARK: Additions to ML Kit's options

  /// The pose landmarker bundle. `nil` for ``PoseDetector/defaultModel``.
  open var model: LocalModel?
  /// The minimum score of the detector, 0…1.
  open var minDetectionConfidence: Float = 0.5
  /// The minimum presence score of the landmark model, 0…1.
  open var minPresenceConfidence: Float = 0.5
  /// In a stream: the minimum overlap of a pose with the pose in the frame before, 0…1.
  open var minTrackingConfidence: Float = 0.5

  override init() {}

  /// The model of detectors whose options specify none, and the published bundle to suggest.
  var defaultModel: (model: LocalModel?, published: String, property: String) {
    (PoseDetector.defaultModel, "pose-landmarker-lite", "PoseDetector.defaultModel")
  }
}

/// The options of the fast pose detector.
///
/// ML Kit contains a model for it. Here, the app provides one: MediaPipe's published bundle `pose-landmarker-lite`.
open class PoseDetectorOptions: CommonPoseDetectorOptions {
  /// Creates options for a stream, as in ML Kit.
  public override init() { super.init() }
}

/// The options of the accurate pose detector.
///
/// ML Kit contains a model for it. Here, the app provides one: MediaPipe's published bundle `pose-landmarker-full` or
/// `pose-landmarker-heavy`.
open class AccuratePoseDetectorOptions: CommonPoseDetectorOptions {
  /// Creates options for a stream, as in ML Kit.
  public override init() { super.init() }

  override var defaultModel: (model: LocalModel?, published: String, property: String) {
    (PoseDetector.defaultAccurateModel, "pose-landmarker-heavy", "PoseDetector.defaultAccurateModel")
  }
}

/// The mode of a pose detector.
public struct PoseDetectorMode: RawRepresentable, Sendable, Hashable, StreamMode {
  /// The raw value of the mode.
  public let rawValue: Int

  /// Creates a mode with a raw value. Detectors reject unknown values.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Independent images.
  public static let singleImage = PoseDetectorMode(rawValue: 0)
  /// The frames of a camera or a video. The most prominent person is tracked from frame to frame.
  public static let stream = PoseDetectorMode(rawValue: 1)
}

/// A snapshot of the options, and the pose landmarker that they describe.
struct PoseRecipe: Sendable {
  /// A pose landmarker, its stream in stream mode, and the model whose file it uses. As long as it exists, the store
  /// doesn't remove the file.
  struct Product: Sendable {
    var landmarker: PoseLandmarker
    var stream: ImageStream<PoseLandmarker>?
    var model: LocalModel
  }

  private let mode: PoseDetectorMode
  private let model: LocalModel?
  private let missing: MLKitError
  private let confidences: (detection: Float, presence: Float, tracking: Float)
  private let threads: Int

  init(_ options: CommonPoseDetectorOptions) {
    let standard = options.defaultModel
    mode = options.detectorMode
    model = options.model ?? standard.model
    missing = .missingModel(of: "a pose detector", property: standard.property, published: standard.published)
    confidences = (
      options.minDetectionConfidence, options.minPresenceConfidence, options.minTrackingConfidence
    )
    threads = options.threadCount
  }

  /// - Throws: `MLKitError` with the problem with the options or the model.
  func make() throws(MLKitError) -> Product {
    guard let model else { throw missing }
    let isStream = try mode.isStream("detector")
    try MLKitError.requireThreads(threads)
    let base = try BaseOptions(model, threads: threads)
    let options = PoseLandmarkerOptions(
      baseOptions: base, minDetectionConfidence: confidences.detection, minPresenceConfidence: confidences.presence,
      minTrackingConfidence: confidences.tracking)
    let landmarker = try reportingMLKitErrors { () throws(TaskError) in try PoseLandmarker(options: options) }
    return Product(landmarker: landmarker, stream: isStream ? ImageStream(landmarker) : nil, model: model)
  }
}
