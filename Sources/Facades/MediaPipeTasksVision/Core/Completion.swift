import Foundation
import MediaPipeTasksCommon
import SwiftletImage
import SwiftletVision

/// Calls `completion` with what `work` gives or throws, before it returns.
func tell<Value>(_ completion: (Value?, (any Error)?) -> Void, _ work: () throws -> Value) {
  switch Result(catching: work) {
  case .success(let value): completion(value, nil)
  case .failure(let error): completion(nil, error)
  }
}

/// The names of a model's classes as image segmentation tasks give them.
enum ClassNames {
  /// The names in the language that was asked for, and those of the label file where that language lacks one.
  static func labels(_ labels: [String], displayNames: [String]) -> [String] {
    guard labels.count == displayNames.count else { return labels }
    return zip(labels, displayNames).map { $1.isEmpty ? $0 : $1 }
  }
}

/// What MediaPipe says of options of landmarkers before anything else is looked at.
enum LandmarkOptionCheck {
  /// - Parameters:
  ///   - count: the most things that are looked for.
  ///   - presence: the least confidence of a thing's presence.
  /// - Throws: `TasksFailure` with MediaPipe's text for values out of range.
  static func check(count: Int, presence: Float) throws(TasksFailure) {
    guard count > 0 else {
      throw TasksFailure(core: .invalidArgumentError, "max_vec_size should be greater than or equal to 1.")
    }
    // MediaPipe names its inner option.
    guard (0...1).contains(presence) else {
      throw TasksFailure(
        core: .invalidArgumentError,
        "Invalid `min_detection_confidence` option: value must be in the range [0.0, 1.0]")
    }
  }
}

extension CGRect {
  /// A region of interest as tasks take it; `nil` for MediaPipe's mark for the whole image, `CGRect.zero`.
  var regionOfInterest: NormalizedRect? {
    guard self != .zero else { return nil }
    // Edges are rounded first, and sizes follow from them: MediaPipe's order, and the last bit shows in the resampled
    // bytes. The sizes are taken as they were given: CGRect.width is never negative.
    return NormalizedRect(
      left: Float(origin.x), top: Float(origin.y), right: Float(origin.x + size.width),
      bottom: Float(origin.y + size.height))
  }
}

extension ImageError: TasksFailureConvertible {
  package var tasksFailure: TasksFailure { TasksFailure(misuse: message) }
}

extension TasksFailure {
  /// A segmenter is to make no masks.
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
