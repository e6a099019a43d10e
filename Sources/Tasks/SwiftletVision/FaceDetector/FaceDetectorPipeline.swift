import SwiftletImage

/// The steps from a picture to faces.
final class FaceDetectorPipeline: VisionPipeline {
  private let model: VisionModel
  private var decoder: FaceDetectionOutputDecoder
  private var faces = DetectionList()

  init(_ options: FaceDetectorOptions) throws {
    // Published BlazeFace models without metadata were all trained on -1…1.
    model = try VisionModel(
      options.baseOptions,
      input: .init(
        keepsAspectRatio: true, border: .zero,
        defaultNormalization: InputNormalization(mean: [127.5], standardDeviation: [127.5])))
    decoder = try FaceDetectionOutputDecoder(model, options)
  }

  var detail: PictureDetail { model.detail }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> FaceDetectorResult {
    let projection = try model.run(image, regionOfInterest: regionOfInterest)
    try decoder.decode(model, into: &faces)
    let detections = faces.boxes.indices.map { index in
      faces.detection(
        index, projection, in: image,
        categories: faces.classes(index).map { ResultCategory(index: $0.index, score: $0.score) })
    }
    return FaceDetectorResult(detections: detections, timestamp: timestamp)
  }
}
