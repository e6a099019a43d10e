/// What MediaPipe says of options of hands before anything else is looked at.
enum HandOptionCheck {
  /// - Parameters:
  ///   - count: the most hands.
  ///   - presence: the least confidence of a hand's presence.
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
