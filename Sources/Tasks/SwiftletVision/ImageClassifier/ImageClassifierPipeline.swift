import Foundation
import SwiftletImage
import SwiftletEngine

/// The steps from a picture to its classes.
///
/// - Source: MediaPipe's image classifier. Beyond it, models with int8 outputs are accepted, and models without
///   metadata where `BaseOptions.inputNormalization` stands in for it.
final class ImageClassifierPipeline: VisionPipeline {
  private let model: VisionModel
  private var heads: ClassificationHeads

  init(_ options: ImageClassifierOptions) throws {
    model = try VisionModel(options.baseOptions, input: .stretched)
    heads = try ClassificationHeads(model.base, options.categories, task: "image classification")
  }

  var categoryNames: [String] { heads.categoryNames }

  var detail: PictureDetail { model.detail }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> ImageClassifierResult {
    _ = try model.run(image, regionOfInterest: regionOfInterest)
    return ImageClassifierResult(
      classificationResult: ClassificationResult(
        classifications: try heads.decode(model.base), timestamp: timestamp),
      timestamp: timestamp)
  }
}
