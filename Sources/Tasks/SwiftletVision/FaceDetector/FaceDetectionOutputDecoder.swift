import SwiftletBase
import SwiftletImage
import SwiftletSchema
import SwiftletTasks

/// Decodes faces from the outputs of a BlazeFace model.
///
/// The layout of the outputs is specified by the metadata, or follows from the size of the input.
///
/// - Source: "BlazeFace: Sub-millisecond Neural Face Detection on Mobile GPUs" (Bazarevsky et al. 2019); the constants
///   of the published short- and full-range models.
struct FaceDetectionOutputDecoder {
  private let boxes: BoxDecoder
  private let boxesOutput: Int
  private let scoresOutput: Int
  private let classes: [Int]
  private let minDetectionConfidence: Float
  private let minSuppressionThreshold: Float
  private var candidates = DetectionList()
  private var suppression = NonMaximumSuppression()

  /// Creates a decoder for a model.
  ///
  /// - Throws: `TaskError` if the model is not a face detection model, or its metadata is damaged.
  init(_ model: VisionModel, _ options: FaceDetectorOptions) throws(TaskError) {
    boxes = try Self.boxDecoder(for: model)
    (boxesOutput, scoresOutput) = try RawDetectionOutputs.find(model.outputs, decoder: boxes, task: "face")
    classes = Array(0..<boxes.classCount)
    candidates.results = model.base.results
    minDetectionConfidence = options.minDetectionConfidence
    minSuppressionThreshold = options.minSuppressionThreshold
  }

  /// Writes the faces of the last run to `faces`, best first, in coordinates of the model's input.
  mutating func decode(_ model: VisionModel, into faces: inout DetectionList) throws {
    candidates.removeAll()
    try model.withRealOutput(boxesOutput) { numbers in
      try model.withRealOutput(scoresOutput) { scores in
        try boxes.decode(
          boxes: numbers, scores: scores, threshold: minDetectionConfidence, classes: classes, into: &candidates)
      }
    }
    try suppression.weighted(candidates, threshold: minSuppressionThreshold, into: &faces)
  }

  // MARK: Box decoder

  private static func boxDecoder(for model: VisionModel) throws(TaskError) -> BoxDecoder {
    guard let bytes = model.base.customMetadata(FaceDetectorMetadata.name) else { return try published(model) }
    let metadata = try TaskError.wrapping(as: .invalidModel) { try FaceDetectorMetadata(bytes) }
    guard let layout = metadata.anchorLayout, let decoding = metadata.tensorDecoding else {
      return try published(model)
    }
    return try boxDecoder(layout, decoding, model)
  }

  private static func boxDecoder(
    _ layout: FaceDetectorMetadata.AnchorLayout, _ decoding: FaceDetectorMetadata.TensorDecoding, _ model: VisionModel
  ) throws(TaskError) -> BoxDecoder {
    let anchors = try SSDAnchorLayout(
      inputWidth: model.inputWidth, inputHeight: model.inputHeight, strides: layout.strides,
      minimumScale: layout.minimumScale, maximumScale: layout.maximumScale, aspectRatios: layout.aspectRatios,
      offsetX: layout.anchorOffsetX, offsetY: layout.anchorOffsetY,
      interpolatedAspectRatio: layout.interpolatedScaleAspectRatio, hasFixedSize: layout.hasFixedAnchorSize
    ).anchors()
    guard anchors.count == decoding.boxCount else {
      throw .invalidModel(
        "the model's metadata announces \(decoding.boxCount) boxes, but its anchor layout has \(anchors.count)")
    }
    let decoder = BoxDecoder(
      anchors: anchors, classCount: decoding.classCount, coordinateCount: decoding.coordinateCount,
      boxOffset: decoding.boxOffset, keypointOffset: decoding.keypointOffset, keypointCount: decoding.keypointCount,
      valuesPerKeypoint: decoding.valuesPerKeypoint,
      format: decoding.hasReversedOutputOrder ? .centerXYWidthHeight : .centerYXHeightWidth, xScale: decoding.xScale,
      yScale: decoding.yScale, widthScale: decoding.widthScale, heightScale: decoding.heightScale,
      appliesSigmoid: decoding.appliesSigmoidToScore, scoreClip: decoding.scoreClippingThreshold)
    try decoder.validate()
    return decoder
  }

  private static func published(_ model: VisionModel) throws(TaskError) -> BoxDecoder {
    let isShortRange = model.inputWidth == 128
    return try BoxDecoder.blaze(
      inputWidth: model.inputWidth, inputHeight: model.inputHeight, strides: isShortRange ? [8, 16, 16, 16] : [4],
      keypointCount: 6, interpolatedAspectRatio: isShortRange ? 1 : 0, scale: isShortRange ? 128 : 192)
  }
}

/// The steps from an image to faces.
final class FaceDetectorPipeline: VisionPipeline {
  private let model: VisionModel
  private var decoder: FaceDetectionOutputDecoder
  private var faces = DetectionList()

  init(_ options: FaceDetectorOptions, _ context: ModelContext) throws {
    // Published BlazeFace models without metadata were all trained on -1…1.
    model = try VisionModel(
      context,
      input: .init(
        keepsAspectRatio: true, border: .zero,
        defaultNormalization: InputNormalization(mean: [127.5], standardDeviation: [127.5])))
    decoder = try FaceDetectionOutputDecoder(model, options)
  }

  func process(_ input: VisionInput) throws -> [FaceDetection] {
    let projection = try model.run(input.image, region: input.region)
    try decoder.decode(model, into: &faces)
    return faces.boxes.indices.map { index in
      FaceDetection(
        score: faces.score(index), box: faces.pixelBox(index, projection, in: input.image),
        keypoints: faces.keypoints(index).map { projection($0) })
    }
  }
}
