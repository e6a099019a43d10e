public import Foundation
import SwiftletTasks
import SwiftletVision

/// The result of an interactive segmenter.
public typealias InteractiveSegmenterLegacyResult = ImageSegmenterResult

/// Segments the object in an image that a user points at, with models that take the region as a fourth channel.
///
/// Masks have the size of the stored image. They stay valid as long as they are retained.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one at a time.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenterLegacy) @objcMembers
#endif
open class InteractiveSegmenterLegacy: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  private let task: SwiftletVision.InteractiveSegmenter
  private let times = ImageTimes()

  /// Creates a segmenter with default options.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the file is missing or is not an interactive segmentation model.
  public convenience init(modelPath: String) throws {
    let options = InteractiveSegmenterLegacyOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a segmenter with the given options. Later changes to the options have no effect.
  ///
  /// - Throws: An `NSError` in the tasks' domain if options contradict each other, or the model is missing or is not an
  ///   interactive segmentation model.
  public init(options: InteractiveSegmenterLegacyOptions) throws {
    task = try reportingTasksErrors { try SwiftletVision.InteractiveSegmenter(options: try options.values()) }
  }

  /// The class names, in the order of the confidence masks and in the language of `displayNamesLocale` if the model has
  /// them; empty if it has no labels.
  public var labels: [String] { ClassNames.labels(task.labels, displayNames: task.displayNames) }

  /// Segments an image of any size; blocks until done.
  ///
  /// - Throws: An `NSError` in the tasks' domain for mirrored orientations, and for a region without points or with a
  ///   point that is not finite.
  #if canImport(ObjectiveC)
    @objc(segmentImage:regionOfInterest:error:)
  #endif
  open func segment(image: MPImage, regionOfInterest: RegionOfInterest) throws -> InteractiveSegmenterLegacyResult {
    try reportingTasksErrors {
      do {
        return ImageSegmenterResult(
          try task.segmentation(of: image.inputImage(), region: regionOfInterest.value), at: times.tick())
      } catch let error as TaskError where error.code == .invalidRegion {
        // MediaPipe's text for this code is about rectangles.
        throw TasksFailure(core: .invalidArgumentError, error.message)
      }
    }
  }

  /// Segments an image of any size and calls `completion` with the result or the error, on the caller's thread before
  /// it returns.
  #if canImport(ObjectiveC)
    @objc(segmentImage:regionOfInterest:withCompletionHandler:)
  #endif
  open func segment(
    image: MPImage, regionOfInterest: RegionOfInterest,
    completion: @escaping (InteractiveSegmenterLegacyResult?, (any Error)?) -> Void
  ) {
    tell(completion) { try segment(image: image, regionOfInterest: regionOfInterest) }
  }
}

/// The options of an interactive segmenter.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenterLegacyOptions) @objcMembers
#endif
open class InteractiveSegmenterLegacyOptions: TaskOptions {
  /// The locale of display names, for models that have them: `en`, `de`, …
  open var displayNamesLocale = "en"
  /// A Boolean value that indicates whether to return a confidence mask per class.
  open var shouldOutputConfidenceMasks = true
  /// A Boolean value that indicates whether to return a category mask.
  open var shouldOutputCategoryMask = false

  /// Returns independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = InteractiveSegmenterLegacyOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    copy.shouldOutputCategoryMask = shouldOutputCategoryMask
    return copy
  }

  /// Returns the options for Swiftlet's tasks.
  ///
  /// - Throws: `TasksFailure` if no masks are requested, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.InteractiveSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return SwiftletVision.InteractiveSegmenterOptions(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      outputs: SegmentationOutputs(confidenceMasks: shouldOutputConfidenceMasks, categoryMask: shouldOutputCategoryMask)
    )
  }
}
