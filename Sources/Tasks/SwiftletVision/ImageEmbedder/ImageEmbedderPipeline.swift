import Foundation
import SwiftletImage
import SwiftletEngine

/// The steps from a picture to its embeddings.
///
/// - Source: MediaPipe's image embedder. Beyond it, models with int8 outputs are accepted, and models without metadata
///   where `BaseOptions.inputNormalization` stands in for it.
final class ImageEmbedderPipeline: VisionPipeline {
  private let model: VisionModel
  private let decoder: EmbeddingOutputDecoder
  private let headNames: [String?]

  init(_ options: ImageEmbedderOptions) throws {
    let model = try VisionModel(options.baseOptions, input: .stretched)
    self.model = model
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: "image embedding")
    decoder = EmbeddingOutputDecoder(l2Normalize: options.l2Normalize, quantize: options.quantize)
    let names = model.outputs.indices.map { model.base.outputMetadata($0)?.name }
    // Where some outputs have names, the others have empty ones.
    headNames = names.contains { $0 != nil } ? names.map { $0 ?? "" } : names
  }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> ImageEmbedderResult {
    _ = try model.run(image, regionOfInterest: regionOfInterest)
    let embeddings = try headNames.indices.map { index in
      try model.withRealOutput(index) { decoder.decode($0, headIndex: index, headName: headNames[index]) }
    }
    return ImageEmbedderResult(
      embeddingResult: EmbeddingResult(embeddings: embeddings, timestamp: timestamp),
      timestamp: timestamp)
  }
}
