import SwiftletImage
import SwiftletSchema
import SwiftletTasks

/// The steps from a picture to its masks.
///
/// - Source: MediaPipe's image segmenter. Masks have the size of the stored picture. Of a picture that has to be
///   turned, they show the upright content, stretched to that size and not turned back.
final class ImageSegmenterPipeline: VisionPipeline {
  let decoder: SegmentationOutputDecoder
  private let model: VisionModel
  private let options: ImageSegmenterOptions
  private var maker: MaskMaker?

  /// - Parameter takesRegion: whether the pictures' alpha is a region of interest, which the model then has to take.
  init(_ options: ImageSegmenterOptions, _ context: ModelContext, takesRegion: Bool = false) throws {
    self.options = options
    var requirements = VisionModelInput.Requirements.stretched
    requirements.acceptsAlpha = true
    let model = try VisionModel(context, input: requirements)
    guard !takesRegion || model.input.hasAlpha else {
      throw TaskError.invalidModel(
        "the model's input [1 × \(model.inputHeight) × \(model.inputWidth) × 3] has no channel for the region of interest; an interactive segmentation model takes 4, others are for an image segmenter"
      )
    }
    decoder = try SegmentationOutputDecoder(model, displayNamesLocale: options.displayNamesLocale)
    if decoder.looksForHair { model.clearAlpha() }
    if options.outputs.contains(.categoryMask), decoder.channels > CategoryResampler.mostChannels {
      throw TaskError(
        .invalidOption,
        "the model has \(decoder.channels) classes, but a pixel of the category mask is a byte; ask for confidence masks only"
      )
    }
    self.model = model
  }

  func process(_ input: VisionInput) throws -> Segmentation {
    let image = input.image
    _ = try model.run(image)
    let maker = try maskMaker(for: image)
    let (confidenceMasks, categoryMask): ([ConfidenceMask], CategoryMask?) = try model.withRealOutput(
      decoder.maskOutput
    ) { scores in
      (try maker.confidenceMasks(scores), try maker.categoryMask(scores))
    }
    return Segmentation(
      categoryMask: categoryMask, confidenceMasks: confidenceMasks, qualityScores: try qualityScores())
  }

  /// That of the last picture, unless the size has changed. Counts what it will make.
  private func maskMaker(for image: InputImage) throws -> MaskMaker {
    let (width, height) =
      options.maskResolution == .image ? (image.width, image.height) : (decoder.width, decoder.height)
    try MaskMaker.charge(
      decoder, width: width, height: height, confidences: options.outputs.contains(.confidenceMasks),
      categories: options.outputs.contains(.categoryMask), to: model.base.results)
    if let maker, maker.width == width, maker.height == height { return maker }
    let maker = try MaskMaker(
      decoder, width: width, height: height, confidences: options.outputs.contains(.confidenceMasks),
      categories: options.outputs.contains(.categoryMask), threads: options.baseOptions.threads)
    self.maker = maker
    return maker
  }

  private func qualityScores() throws -> [Float] {
    guard let output = decoder.qualityOutput else { return [Float](repeating: 1, count: decoder.channels) }
    return try model.withRealOutput(output) { scores in
      try model.base.results.charge(scores.count, each: MemoryLayout<Float>.size, for: "quality scores")
      return Array(scores)
    }
  }
}
