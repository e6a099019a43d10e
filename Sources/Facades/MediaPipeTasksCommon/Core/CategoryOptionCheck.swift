/// What the options of tasks that report categories have in common.
package enum CategoryOptionCheck {
  /// - Parameter end: what MediaPipe's text about `maxResults` ends with, which is not the same in all tasks.
  /// - Throws: `TasksFailure` with MediaPipe's text for options that contradict each other.
  package static func check(
    maxResults: Int, allow: [String], deny: [String], end: String
  ) throws(TasksFailure) {
    guard maxResults != 0 else {
      throw TasksFailure(core: .invalidArgumentError, "Invalid `max_results` option: value must be != 0" + end)
    }
    guard allow.isEmpty || deny.isEmpty else {
      throw TasksFailure(
        core: .invalidArgumentError, "`category_allowlist` and `category_denylist` are mutually exclusive options.")
    }
  }
}
