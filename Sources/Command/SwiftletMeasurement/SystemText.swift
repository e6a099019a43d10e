import SwiftletBase

/// What Linux says in files of lines `key: value`.
enum SystemText {
  /// The value behind the first `key` in a file, without the spaces around it; `nil` on systems without that file.
  static func value(of key: String, in path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      guard text.hasPrefix(key), let colon = text.firstIndex(of: ":"),
        text[..<colon].dropFirst(key.count).allSatisfy(\.isWhitespace)
      else { continue }
      let value = text[text.index(after: colon)...].drop(while: \.isWhitespace)
      return String(value.reversed().drop(while: \.isWhitespace).reversed())
    }
    return nil
  }
}
