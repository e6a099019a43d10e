import Foundation
import SwiftletImage
import SwiftletEngine

/// The steps from a picture to its classes.
///
/// - Source: MediaPipe's image classifier. Beyond it, models with int8 outputs are accepted, and models without
///   metadata where `BaseOptions.inputNormalization` stands in for it.
final class ImageClassifierPipeline: VisionPipeline {
  private let model: VisionModel
  private var decoders: [ClassificationOutputDecoder]

  init(_ options: ImageClassifierOptions) throws {
    let model = try VisionModel(options.baseOptions, input: .stretched)
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: "image classification")
    decoders = try model.outputs.indices.map {
      try ClassificationOutputDecoder(model.base, output: $0, options.categories)
    }
    self.model = model
  }

  var categoryNames: [String] { decoders.flatMap { $0.labels?.labels ?? [] } }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> ImageClassifierResult {
    _ = try model.run(image, regionOfInterest: regionOfInterest)
    let classifications = try decoders.indices.map { index in
      try model.withRealOutput(index) { try decoders[index].decode($0) }
    }
    return ImageClassifierResult(
      classificationResult: ClassificationResult(
        classifications: classifications, timestamp: timestamp),
      timestamp: timestamp)
  }
}
