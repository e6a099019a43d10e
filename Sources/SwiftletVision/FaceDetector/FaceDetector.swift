import Foundation
import SwiftletImage

/// Finds faces, with six keypoints each, in pictures; runs BlazeFace models, short and full range.
///
/// ```swift
/// let detector = try FaceDetector(modelPath: "face_detection_short_range.tflite")
/// for face in try detector.detect(image: image).detections { print(face.boundingBox) }
/// ```
///
/// - Thread safety: callable concurrently; calls on one detector run one after the other.
public final class FaceDetector: Sendable {
  private let pipeline: Serialized<FaceDetectorPipeline>

  /// A detector with default options.
  ///
  /// - Throws: `VisionTaskError` when the file is missing or is not a face detection model.
  public convenience init(modelPath: String) throws {
    try self.init(options: FaceDetectorOptions(baseOptions: BaseOptions(modelAssetPath: modelPath)))
  }

  /// - Throws: `VisionTaskError` when an option is out of range or the model is not a face detection model.
  public init(options: FaceDetectorOptions) throws {
    try options.validate()
    pipeline = Serialized(try FaceDetectorPipeline(options))
  }

  /// Finds the faces in a picture of any size; blocks until done.
  ///
  /// - Throws: `VisionTaskError` for mirrored orientations.
  public func detect(image: MPImage) throws -> FaceDetectorResult {
    try pipeline.withLock { try $0.detect(image) }
  }
}

/// The steps from a picture to faces.
final class FaceDetectorPipeline {
  private let model: VisionModel
  private let decoder: BoxDecoder
  private let options: FaceDetectorOptions
  private let boxesOutput: Int
  private let scoresOutput: Int
  private var clock = ImageModeClock()

  init(_ options: FaceDetectorOptions) throws {
    self.options = options
    // Published BlazeFace models without metadata were all trained on -1…1.
    model = try VisionModel(
      options.baseOptions,
      input: .init(
        keepsAspectRatio: true, border: .zero,
        defaultNormalization: InputNormalization(mean: [127.5], standardDeviation: [127.5])))
    decoder = try FaceDecoding.decoder(for: model)
    (boxesOutput, scoresOutput) = try RawDetectionOutputs.find(model.outputs, decoder: decoder, task: "face")
  }

  func detect(_ image: MPImage) throws -> FaceDetectorResult {
    let projection = try model.run(image)
    let candidates = try model.withRealOutput(boxesOutput) { boxes in
      try model.withRealOutput(scoresOutput) { scores in
        decoder.detections(boxes: boxes, scores: scores, threshold: options.minDetectionConfidence) { _ in true }
      }
    }
    let faces = NonMaximumSuppression.weighted(candidates, threshold: options.minSuppressionThreshold)
    let detections = faces.map { face in
      let placed = face.projected(by: projection)
      return Detection(
        categories: face.classes.map { ResultCategory(index: $0.index, score: $0.score) },
        boundingBox: placed.pixelBox(imageWidth: image.width, imageHeight: image.height),
        keypoints: placed.keypoints.map {
          NormalizedKeypoint(location: CGPoint(x: CGFloat($0.x), y: CGFloat($0.y)))
        })
    }
    return FaceDetectorResult(detections: detections, timestampInMilliseconds: clock.next())
  }
}
