/// What Linux tells about this process in `/proc/self/status`.
enum ProcessStatus {
  /// The number behind `key`, as it stands there: sizes are in kibibytes. `nil` on systems without that file.
  static func number(_ key: String) -> Int? {
    SystemText.value(of: key, in: "/proc/self/status")?.split(separator: " ").first.flatMap { Int($0) }
  }
}
