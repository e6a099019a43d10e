import SwiftletCommandLine
import SwiftletVision

/// `segment`: image segmentation.
enum SegmentCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "segment", summary: "segment images into category and confidence masks", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.image],
    options: [
      .value("category-mask", .file(".png"), as: "FILE.png", "write the category mask, as 8-bit grayscale"),
      .value("confidence-masks", .folder, "write the confidence masks, as one float32 .npy file per class"),
      CategoryArguments.locale,
    ] + RegionArguments.declarations + TaskArguments.declarations(for: .segment),
    notes: TaskArguments.operandNote + "\n"
      + """
      The confidence masks of a single image are DIR/INDEX_LABEL.npy, such as 08_cat.npy, in the order of the labels. For several images, each has a \
      directory named after the image without its extension: DIR/IMAGE/INDEX_LABEL.npy. A mask has the shape [height, width].
      --point and --scribble require an interactive model, whose input has four channels. It runs on images as they are stored, without their rotation.
      """)

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try TaskRunner(arguments)
    let files = try MaskFiles(arguments, isList: runner.isList)
    let segmenter = try segmenter(arguments, wantsConfidenceMasks: files.wantsConfidenceMasks)
    return try runner.run(segmenter.batchCapacity, masks: files.confidenceFolder) { image, path in
      let (found, shown) = try segmenter.segment(image)
      guard let categories = found.categoryMask else {
        throw ToolError(file: path, reason: "the model gave no category mask")
      }
      let result = SegmentationResult(
        path: path, image: shown, labels: segmenter.labels, mask: categories, qualityScores: found.qualityScores,
        marks: segmenter.marks)
      try files.write(result, confidenceMasks: found.confidenceMasks)
      return result
    }
  }

  private static func segmenter(_ arguments: Arguments, wantsConfidenceMasks: Bool) throws -> Segmenter {
    let locale = CategoryArguments.locale(arguments)
    let outputs: SegmentationOutputs = wantsConfidenceMasks ? [.categoryMask, .confidenceMasks] : .categoryMask
    guard let region = try RegionArguments.region(arguments) else {
      let options = ImageSegmenterOptions(
        baseOptions: RuntimeArguments.withRoomForMasks(
          try TaskArguments.baseOptions(arguments, default: .imageSegmenter)), displayNamesLocale: locale,
        outputs: outputs)
      return .whole(try TaskRunner.load(options.baseOptions) { try ImageSegmenter(options: options) })
    }
    guard let named = arguments.string("model"), !named.isEmpty else {
      throw UsageError(
        "--point and --scribble need --model, an interactive model such as 'magic-touch'; there is no bundled one"
      )
    }
    let options = InteractiveSegmenterOptions(
      baseOptions: RuntimeArguments.withRoomForMasks(
        try TaskArguments.baseOptions(ModelArgument.source(named), arguments)), displayNamesLocale: locale,
      outputs: outputs)
    return .region(try TaskRunner.load(options.baseOptions) { try InteractiveSegmenter(options: options) }, region)
  }

  /// The segmentation task: of the entire image, or of a marked object.
  private enum Segmenter: Sendable {
    case whole(ImageSegmenter)
    case region(InteractiveSegmenter, InteractiveRegion)

    var labels: [String] {
      switch self {
      case .whole(let segmenter): segmenter.labels
      case .region(let segmenter, _): segmenter.labels
      }
    }

    var batchCapacity: BatchCapacity {
      switch self {
      case .whole(let segmenter): segmenter.batchCapacity
      case .region(let segmenter, _): segmenter.batchCapacity
      }
    }

    /// The marks of the object.
    var marks: InteractiveRegion? { if case .region(_, let region) = self { region } else { nil } }

    /// Returns the masks, and the image in the same orientation.
    func segment(_ image: InputImage) throws -> (Segmentation, InputImage) {
      switch self {
      case .whole(let segmenter): (try segmenter.segmentation(of: image), image)
      case .region(let segmenter, let region):
        (try segmenter.segmentation(of: image, region: region), InputImage(image.buffer))
      }
    }
  }
}
