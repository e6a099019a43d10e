import SwiftletBase
import SwiftletImage
import SwiftletEngine
import SwiftletSchema

/// How the outputs of a segmentation model are read; ``MaskMaker`` then makes masks of them.
///
/// - Source: the admission rules of MediaPipe's image segmenter.
struct SegmentationOutputDecoder: Sendable {
  let activation: ChannelActivation
  /// The output with one quality per mask, of models with two outputs.
  let qualityOutput: Int?
  let maskOutput: Int
  /// The size of the mask output.
  let width: Int
  let height: Int
  let channels: Int
  let labels: LabelMap?

  /// - Throws: `TaskError` when the model is no segmentation model, or its metadata is damaged.
  init(_ model: VisionModel, displayNamesLocale: String) throws(TaskError) {
    let outputs = model.outputs
    guard let mask = outputs.last, outputs.count <= 2 else {
      let found = ShownText.list(outputs.map(\.description))
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

  /// Masks do not need names: a label file that the metadata names but the model lacks is no error, as in MediaPipe.
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

  /// Models that find hair look for it where the picture is transparent; they get pictures whose alpha is 0 everywhere.
  var looksForHair: Bool { labels?.labels.count == 2 && labels?.labels.last == "hair" }
}
