public import Foundation
import SwiftletVision

/// Segments images: assigns a category to every pixel.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one at a time.
public final class ImageSegmenter: NSObject, Sendable {
  private let task: SwiftletVision.ImageSegmenter
  private let outputType: OutputType

  private init(_ task: SwiftletVision.ImageSegmenter, _ outputType: OutputType) {
    self.task = task
    self.outputType = outputType
  }

  /// Returns a segmenter with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the Task Library's domain if no masks are requested, or the model is missing or is not
  ///   an image segmentation model.
  public static func segmenter(options: ImageSegmenterOptions) throws -> ImageSegmenter {
    try reportingTaskErrors {
      guard options.outputType != .unspecified else {
        throw TaskError(
          .invalidOption, "outputType must not be unspecified; ask for a category mask or confidence masks")
      }
      let locale = options.displayNamesLocale
      return ImageSegmenter(
        try SwiftletVision.ImageSegmenter(
          options: .init(
            baseOptions: try options.baseOptions.values(), displayNamesLocale: locale.isEmpty ? "en" : locale,
            outputs: options.outputType == .confidenceMasks ? .confidenceMasks : .categoryMask, maskResolution: .model)),
        options.outputType)
    }
  }

  /// Segments an image of any size; blocks until done. Masks have the size of the model's output.
  ///
  /// - Throws: An `NSError` in the Task Library's domain for images of an unsupported kind.
  public func segment(mlImage image: MLImage) throws -> SegmentationResult {
    let result = try reportingTaskErrors { try task.segmentation(of: image.storedImage()) }
    let segmentation: Segmentation
    if let mask = result.categoryMask {
      let classes = mask.withPixels { pixels in
        CategoryMask(
          width: mask.width, height: mask.height, mask: pixels.baseAddress.map(UnsafeMutablePointer.init(mutating:)))
      }
      // A class without a label has a higher index than all labels.
      let largest = mask.withPixels { $0.max().map(Int.init) ?? 0 }
      segmentation = Segmentation(categoryMask: classes, coloredLabels: labels(atLeast: largest + 1))
    } else {
      let masks = result.confidenceMasks.map { mask in
        mask.withPixels { pixels in
          ConfidenceMask(
            width: mask.width, height: mask.height, mask: pixels.baseAddress.map(UnsafeMutablePointer.init(mutating:)))
        }
      }
      segmentation = Segmentation(confidenceMasks: masks, coloredLabels: labels(atLeast: masks.count))
    }
    return SegmentationResult(segmentations: [segmentation])
  }

  /// Returns the model's labels, padded with empty ones to at least `count`.
  private func labels(atLeast count: Int) -> [ColoredLabel] {
    (0..<max(count, task.labels.count)).map { index in
      ColoredLabel.numbered(
        index, label: task.labels.indices.contains(index) ? task.labels[index] : nil,
        displayName: task.displayNames.indices.contains(index) ? task.displayNames[index] : nil)
    }
  }
}

/// The type of mask to return.
public enum OutputType: UInt, Sendable {
  /// No type, which is an error.
  case unspecified = 0
  /// A mask with the category of each pixel.
  case categoryMask = 1
  /// A confidence mask for each class.
  case confidenceMasks = 2
}

/// The options of an image segmenter.
open class ImageSegmenterOptions: NSObject {
  /// The model, and how it runs. Setting the property copies the value; the value that it returns can be modified in
  /// place.
  open var baseOptions = BaseOptions() {
    didSet { baseOptions = baseOptions.duplicate() }
  }
  /// The type of mask to return.
  open var outputType = OutputType.categoryMask
  /// The locale of display names, for models that have them: `en`, `de`, …; empty for `en`.
  open var displayNamesLocale = ""

  /// Creates options without a model.
  public override init() {}

  /// Creates options for the model at a path.
  public init(modelPath: String) {
    super.init()
    baseOptions.modelFile.filePath = modelPath
  }
}
