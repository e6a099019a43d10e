import Foundation
import MediaPipeTasksCommon
import SwiftletImage
import SwiftletVision

/// Calls `completion` with the result or the error of `work` before it returns.
func tell<Value>(_ completion: (Value?, (any Error)?) -> Void, _ work: () throws -> Value) {
  switch Result(catching: work) {
  case .success(let value): completion(value, nil)
  case .failure(let error): completion(nil, error)
  }
}

/// The class names of a model, as returned by image segmentation tasks.
enum ClassNames {
  /// Returns the names in the requested locale, and those of the label file for classes without one.
  static func labels(_ labels: [String], displayNames: [String]) -> [String] {
    guard labels.count == displayNames.count else { return labels }
    return zip(labels, displayNames).map { $1.isEmpty ? $0 : $1 }
  }
}

/// The checks that MediaPipe performs on the options of landmarkers before all others.
enum LandmarkOptionCheck {
  /// Checks the options.
  ///
  /// - Parameters:
  ///   - count: The maximum number of objects to detect.
  ///   - presence: The minimum presence score.
  /// - Throws: `TasksFailure` with MediaPipe's text for values out of range.
  static func check(count: Int, presence: Float) throws(TasksFailure) {
    guard count > 0 else {
      throw TasksFailure(core: .invalidArgumentError, "max_vec_size should be greater than or equal to 1.")
    }
    // MediaPipe's text names an internal option.
    guard (0...1).contains(presence) else {
      throw TasksFailure(
        core: .invalidArgumentError,
        "Invalid `min_detection_confidence` option: value must be in the range [0.0, 1.0]")
    }
  }
}

extension CGRect {
  /// The region of interest for a task; `nil` for `CGRect.zero`, which means the whole image in MediaPipe.
  var regionOfInterest: NormalizedRect? {
    guard self != .zero else { return nil }
    // The edges are rounded first, and the size is computed from them, as in MediaPipe: differences in the last bit are
    // visible in the resampled bytes. Use `size` and not `CGRect.width`, which is never negative.
    return NormalizedRect(
      left: Float(origin.x), top: Float(origin.y), right: Float(origin.x + size.width),
      bottom: Float(origin.y + size.height))
  }
}

extension ImageError: TasksFailureConvertible {
  package var tasksFailure: TasksFailure { TasksFailure(misuse: message) }
}

extension TasksFailure {
  /// The error for a segmenter without requested masks.
  static let noMasks = TasksFailure(
    core: .invalidArgumentError,
    "At least one of CONFIDENCE_MASK and CATEGORY_MASK must be connected. Set shouldOutputConfidenceMasks or shouldOutputCategoryMask."
  )
}

extension SegmentationOutputs {
  init(confidenceMasks: Bool, categoryMask: Bool) {
    self = []
    if confidenceMasks { insert(.confidenceMasks) }
    if categoryMask { insert(.categoryMask) }
  }
}
