import MediaPipeTasksCommon
import SwiftletVision

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
