import Foundation
import Testing

/// Reads the contents of a page.
enum PageData {
  /// Returns the data that the script of a page reads.
  static func read(_ path: String) throws -> [String: Any] {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n"))
    let start = try #require(text.range(of: "<script type=\"application/json\" id=\"data\">")).upperBound
    let end = try #require(text.range(of: "</script>", range: start..<text.endIndex)).lowerBound
    return try JSONSerialization.jsonObject(with: Data(text[start..<end].utf8)) as? [String: Any] ?? [:]
  }
}
