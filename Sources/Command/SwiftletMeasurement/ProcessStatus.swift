import SwiftletCLibrary

/// What Linux tells about this process in `/proc/self/status`.
enum ProcessStatus {
  /// The number behind `key`, as it stands there: sizes are in kibibytes. `nil` on systems without that file.
  static func number(_ key: String) -> Int? {
    guard let file = fopen("/proc/self/status", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(key + ":") else { continue }
      return text.dropFirst(key.count + 1).split { $0 == " " || $0 == "\t" || $0 == "\n" }.first.flatMap { Int($0) }
    }
    return nil
  }
}
