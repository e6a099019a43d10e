import Foundation
import SwiftletImage
import SwiftletRuntime

/// The steps from a picture to its classes.
///
/// - Source: MediaPipe's image classifier. Beyond it, models with int8 outputs are accepted, and models without
///   metadata where `BaseOptions.inputNormalization` stands in for it.
final class ImageClassifierPipeline: VisionPipeline {
  private let model: VisionModel
  private var heads: [ClassificationHead]

  init(_ options: ImageClassifierOptions) throws {
    let model = try VisionModel(options.baseOptions, input: .stretched)
    try OutputRequirement.checkNumbersOfOneKind(model.outputs, task: "image classification")
    heads = try model.outputs.indices.map { try ClassificationHead(model, output: $0, options) }
    self.model = model
  }

  var categoryNames: [String] { heads.flatMap { $0.labels?.labels ?? [] } }

  func process(
    _ image: MPImage, regionOfInterest: NormalizedRect?, timestamp: Duration
  ) throws -> ImageClassifierResult {
    _ = try model.run(image, regionOfInterest: regionOfInterest)
    let classifications = try heads.indices.map { index in
      try model.withRealOutput(index) { try heads[index].classifications($0) }
    }
    return ImageClassifierResult(
      classificationResult: ClassificationResult(
        classifications: classifications, timestamp: timestamp),
      timestamp: timestamp)
  }
}
