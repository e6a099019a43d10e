import SwiftletVision

/// What the options of tasks that report categories have in common.
enum CategoryOptions {
  /// - Parameter end: what MediaPipe's text about `maxResults` ends with, which is not the same in all tasks.
  /// - Throws: `VisionTaskError` with MediaPipe's text for options that contradict each other.
  static func check(maxResults: Int, allow: [String], deny: [String], end: String) throws(VisionTaskError) {
    guard maxResults != 0 else {
      throw VisionTaskError(.invalidArgument, "Invalid `max_results` option: value must be != 0" + end)
    }
    guard allow.isEmpty || deny.isEmpty else {
      throw VisionTaskError(
        .invalidArgument, "`category_allowlist` and `category_denylist` are mutually exclusive options.")
    }
  }
}
