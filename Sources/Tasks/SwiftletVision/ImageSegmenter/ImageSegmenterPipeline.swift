import SwiftletBase
import SwiftletEngine
import SwiftletImage
import SwiftletSchema
import SwiftletTasks

/// The steps from an image to its masks.
///
/// - Source: MediaPipe's image segmenter. Masks have the size of the stored image. If the image is rotated, they show
///   the upright content, stretched to that size and not rotated back.
final class ImageSegmenterPipeline: VisionPipeline {
  let decoder: SegmentationOutputDecoder
  private let model: VisionModel
  private let options: ImageSegmenterOptions
  private var maker: MaskMaker?

  /// Creates a pipeline.
  ///
  /// - Parameter takesRegion: Whether the alpha channel of images is a region of interest. The model must then have an
  ///   alpha channel.
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
    if options.outputs.contains(.categoryMask), decoder.channels > CategoryResampler.maximumChannels {
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

  /// Returns the mask maker of the last image, unless the size has changed, and charges the masks of this image.
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

/// Determines how to decode the outputs of a segmentation model, for ``MaskMaker``.
///
/// - Source: the admission rules of MediaPipe's image segmenter.
struct SegmentationOutputDecoder: Sendable {
  let activation: ChannelActivation
  /// The output with one quality score per mask, for models with two outputs.
  let qualityOutput: Int?
  let maskOutput: Int
  /// The width of the mask output.
  let width: Int
  let height: Int
  let channels: Int
  let labels: LabelMap?

  /// Creates a decoder for a model.
  ///
  /// - Throws: `TaskError` if the model is not a segmentation model, or its metadata is damaged.
  init(_ model: VisionModel, displayNamesLocale: String) throws(TaskError) {
    let outputs = model.outputs
    guard let mask = outputs.last, outputs.count <= 2 else {
      let found = SanitizedText.list(outputs.map(\.description))
      throw .invalidModel(
        "an image segmentation model has 1 output (the mask) or 2 (quality scores and the mask), this one has \(outputs.count): \(found)"
      )
    }
    try OutputRequirement.checkNumbersOfOneKind(outputs, task: "image segmentation")
    maskOutput = outputs.count - 1
    qualityOutput = outputs.count == 2 ? 0 : nil
    let sizes = mask.shape.dimensions
    switch sizes.count {
    case 2: (height, width, channels) = (sizes[0], sizes[1], 1)
    case 3: (height, width, channels) = (sizes[0], sizes[1], sizes[2])
    case 4 where sizes[0] == 1: (height, width, channels) = (sizes[1], sizes[2], sizes[3])
    default:
      throw .invalidModel(
        "the model's output \(mask) is not a mask; it must be [height × width], [height × width × classes] or [1 × height × width × classes]"
      )
    }
    guard sizes.allSatisfy({ $0 > 0 }) else { throw .invalidModel("the model's output \(mask) is an empty mask") }
    activation = try Self.activation(model)
    labels = try Self.labels(model, output: maskOutput, locale: displayNamesLocale)
  }

  /// Returns the labels of an output. A label file that the metadata names but the model lacks is not an error, because
  /// masks don't need names, as in MediaPipe.
  private static func labels(
    _ model: VisionModel, output: Int, locale: String
  ) throws(TaskError) -> LabelMap? {
    do {
      return try model.base.labels(of: model.base.outputMetadata(output), locale: locale)
    } catch  where error.code == .missingMetadata {
      return nil
    }
  }

  private static func activation(_ model: VisionModel) throws(TaskError) -> ChannelActivation {
    guard let bytes = model.base.customMetadata(SegmenterMetadata.name) else { return .none }
    return switch try TaskError.wrapping(as: .invalidModel, { try SegmenterMetadata(bytes).activation }) {
    case .none: .none
    case .sigmoid: .sigmoid
    case .softmax: .softmax
    }
  }

  /// Whether the model segments hair. Such models expect images with an alpha of 0 everywhere.
  var looksForHair: Bool { labels?.labels.count == 2 && labels?.labels.last == "hair" }
}
