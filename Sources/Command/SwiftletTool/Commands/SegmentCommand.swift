import SwiftletCommandLine
import SwiftletVision

/// `segment`: which pixel of a picture belongs to what.
enum SegmentCommand: ToolCommand {
  static let declaration = CommandDeclaration(
    name: "segment", summary: "says of every pixel what it belongs to", operands: "IMAGE…",
    operandCount: TaskArguments.operandCount, operandKinds: [.picture],
    options: [
      .value("category-mask", .file(".png"), as: "FILE.png", "write the category of every pixel, as 8-bit grey"),
      .value("confidence-masks", .folder, "write how sure the model is, as one float32 .npy a class"),
      CategoryArguments.locale,
    ] + TaskArguments.declarations(for: .segment),
    notes: TaskArguments.operandNote + "\n"
      + """
      The confidence masks of one picture are DIR/INDEX_LABEL.npy, such as 08_cat.npy, in the order of the labels; those of several pictures are \
      in a folder for each, DIR/PICTURE/INDEX_LABEL.npy, with the picture's name without its ending. A mask is [height, width].
      """)

  static func run(_ arguments: Arguments) throws -> Int32 {
    let runner = try TaskRunner(arguments)
    var files = try MaskFiles(arguments, isList: runner.isList)
    let options = ImageSegmenterOptions(
      baseOptions: try TaskArguments.baseOptions(arguments, default: .imageSegmenter),
      displayNamesLocale: CategoryArguments.locale(arguments),
      shouldOutputConfidenceMasks: files.wantsConfidenceMasks, shouldOutputCategoryMask: true)
    let segmenter = try TaskRunner.load(options.baseOptions) { try ImageSegmenter(options: options) }
    return try runner.run { image, path in
      let found = try segmenter.segment(image)
      guard let categories = found.categoryMask else {
        throw ToolError(file: path, reason: "the model gave no category mask")
      }
      let result = SegmentationResult(
        path: path, image: image, labels: segmenter.labels, mask: categories, qualityScores: found.qualityScores)
      try files.write(result, confidenceMasks: found.confidenceMasks ?? [])
      return result
    }
  }
}
