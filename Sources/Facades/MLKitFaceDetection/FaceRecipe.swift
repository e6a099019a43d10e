import SwiftletVision

/// A snapshot of the options, and the face landmarker that they describe.
struct FaceRecipe: Sendable {
  /// A face landmarker, its stream if faces are tracked, and the model whose file it uses. As long as it exists, the
  /// store doesn't remove the file.
  struct Product: Sendable {
    var landmarker: FaceLandmarker
    var stream: FaceStream?
    var model: LocalModel
  }

  /// The limit of ``FaceDetectorOptions/maxFaceCount``.
  private static let maximumCount = 100
  private static let defaultMinimumSize: CGFloat = 0.1

  /// The parts of each face to return.
  let parts: FaceParts
  private let model: LocalModel?
  private let modes: [(kind: String, rawValue: Int, names: String)]
  private let maxFaces: Int
  private let confidences: (detection: Float, presence: Float, tracking: Float)
  private let isStream: Bool
  private let threads: Int

  init(_ options: FaceDetectorOptions) {
    let hasContoursOnly =
      options.contourMode == .all && options.landmarkMode == .none && options.classificationMode == .none
      && options.performanceMode == .fast
    let size = (0...1).contains(options.minFaceSize) ? options.minFaceSize : Self.defaultMinimumSize
    parts = FaceParts(
      hasLandmarks: options.landmarkMode == .all, hasContours: options.contourMode == .all,
      hasProbabilities: options.classificationMode == .all, minimumSize: hasContoursOnly ? 0 : size)
    model = options.model ?? FaceDetector.defaultModel
    modes = [
      ("classification", options.classificationMode.rawValue, ".none (1) or .all (2)"),
      ("performance", options.performanceMode.rawValue, ".fast (1) or .accurate (2)"),
      ("landmark", options.landmarkMode.rawValue, ".none (1) or .all (2)"),
      ("contour", options.contourMode.rawValue, ".none (1) or .all (2)"),
    ]
    maxFaces = hasContoursOnly ? min(options.maxFaceCount, 1) : options.maxFaceCount
    confidences = (options.minDetectionConfidence, options.minPresenceConfidence, options.minTrackingConfidence)
    isStream = options.isTrackingEnabled
    threads = options.threadCount
  }

  /// - Throws: `MLKitError` with the problem with the options or the model.
  func make() throws(MLKitError) -> Product {
    guard let model else {
      throw .missingModel(of: "a face detector", property: "FaceDetector.defaultModel", published: "face-landmarker")
    }
    if let mode = modes.first(where: { !(1...2).contains($0.rawValue) }) {
      throw MLKitError(.invalidArgument, "there is no \(mode.kind) mode \(mode.rawValue); give \(mode.names)")
    }
    guard (1...Self.maximumCount).contains(maxFaces) else {
      throw MLKitError(.invalidArgument, "maxFaceCount must be in 1…\(Self.maximumCount), got \(maxFaces)")
    }
    try MLKitError.requireThreads(threads)
    var outputs: FaceLandmarkerOutputs = .transformationMatrices
    if parts.hasProbabilities { outputs.insert(.blendshapes) }
    let options = FaceLandmarkerOptions(
      baseOptions: try BaseOptions(model, threads: threads), maxFaces: maxFaces,
      minDetectionConfidence: confidences.detection, minPresenceConfidence: confidences.presence,
      minTrackingConfidence: confidences.tracking, outputs: outputs)
    let landmarker = try reportingMLKitErrors { () throws(TaskError) in try FaceLandmarker(options: options) }
    return Product(
      landmarker: landmarker, stream: isStream ? FaceStream(landmarker, maxFaces: maxFaces) : nil, model: model)
  }
}
