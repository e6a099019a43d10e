public import Foundation
import SwiftletTasks
import SwiftletVision

/// The masks of one image.
public typealias InteractiveSegmenterLegacyResult = ImageSegmenterResult

/// Says which pixels of an image belong to what a user points at, with models that take the region as a fourth channel.
///
/// Masks have the size of the stored image. They stay valid as long as they are held, wherever they come from.
///
/// - Thread safety: callable concurrently; calls on one segmenter run one after the other.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenterLegacy) @objcMembers
#endif
open class InteractiveSegmenterLegacy: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  private let task: SwiftletVision.InteractiveSegmenter
  private let times = ImageTimes()

  /// Creates a segmenter with default options.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the file is missing or is not an interactive segmentation model.
  public convenience init(modelPath: String) throws {
    let options = InteractiveSegmenterLegacyOptions()
    options.baseOptions.modelAssetPath = modelPath
    try self.init(options: options)
  }

  /// Creates a segmenter with these options; changing them later changes nothing.
  ///
  /// - Throws: an `NSError` of the tasks' domain when options contradict each other, or the model is missing or is not
  ///   an interactive segmentation model.
  public init(options: InteractiveSegmenterLegacyOptions) throws {
    task = try reportingTasksErrors { try SwiftletVision.InteractiveSegmenter(options: try options.values()) }
  }

  /// The names of the classes, in the order of the confidence masks and in the language of
  /// `displayNamesLocale` if the model has them; empty if it has no label file.
  public var labels: [String] { ClassNames.labels(task.labels, displayNames: task.displayNames) }

  /// Segments an image of any size; blocks until done.
  ///
  /// - Throws: an `NSError` of the tasks' domain for mirrored orientations, and for a region without points or with one
  ///   that is not finite.
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

  /// Segments an image of any size and calls `completion` on the caller's thread with the result or the error, before
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

/// How the thing that a user points at is cut out.
#if canImport(ObjectiveC)
  @objc(MPPInteractiveSegmenterLegacyOptions) @objcMembers
#endif
open class InteractiveSegmenterLegacyOptions: TaskOptions {
  /// The language of display names, for models that have them: `en`, `de`, …
  open var displayNamesLocale = "en"
  /// Whether there is a mask per class that says how sure the model is of it.
  open var shouldOutputConfidenceMasks = true
  /// Whether there is a mask that says which class each pixel belongs to.
  open var shouldOutputCategoryMask = false

  /// Independent options with the same values.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = InteractiveSegmenterLegacyOptions()
    copy.baseOptions = baseOptions
    copy.displayNamesLocale = displayNamesLocale
    copy.shouldOutputConfidenceMasks = shouldOutputConfidenceMasks
    copy.shouldOutputCategoryMask = shouldOutputCategoryMask
    return copy
  }

  /// - Throws: `TasksFailure` when no masks are asked for, or there is no model.
  func values() throws(TasksFailure) -> SwiftletVision.InteractiveSegmenterOptions {
    guard shouldOutputConfidenceMasks || shouldOutputCategoryMask else { throw .noMasks }
    return SwiftletVision.InteractiveSegmenterOptions(
      baseOptions: try baseOptions.values(), displayNamesLocale: displayNamesLocale,
      outputs: SegmentationOutputs(confidenceMasks: shouldOutputConfidenceMasks, categoryMask: shouldOutputCategoryMask)
    )
  }
}
