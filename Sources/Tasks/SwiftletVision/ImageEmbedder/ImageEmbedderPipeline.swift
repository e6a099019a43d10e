import Foundation
import SwiftletImage
import SwiftletEngine

/// The steps from a picture to its embeddings.
///
/// - Source: MediaPipe's image embedder. Beyond it, models with int8 outputs are accepted, and models without metadata
///   where `BaseOptions.inputNormalization` stands in for it.
final class ImageEmbedderPipeline: VisionPipeline {
  private let model: VisionModel
  private let heads: EmbeddingHeads

  init(_ options: ImageEmbedderOptions) throws {
    model = try VisionModel(options.baseOptions, input: .stretched)
    heads = try EmbeddingHeads(
      model.base, l2Normalize: options.l2Normalize, quantize: options.quantize, task: "image embedding")
  }

  var detail: PictureDetail { model.detail }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> ImageEmbedderResult {
    _ = try model.run(image, regionOfInterest: regionOfInterest)
    return ImageEmbedderResult(
      embeddingResult: EmbeddingResult(embeddings: try heads.decode(model.base), timestamp: timestamp),
      timestamp: timestamp)
  }
}
