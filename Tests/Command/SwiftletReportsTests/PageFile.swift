import Foundation
import SwiftletReports

/// A page in a file of its own, which goes away with the value.
final class PageFile {
  let path: String

  init(_ page: HTMLPage) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-page-\(UUID().uuidString).html").path
    try Data(page.bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension HTMLPage {
  /// What the page's script reads.
  func object() throws -> [String: Any] {
    let text = text
    guard let start = text.range(of: "<script type=\"application/json\" id=\"data\">"),
      let end = text.range(of: "</script>", range: start.upperBound..<text.endIndex)
    else { return [:] }
    return try JSONSerialization.jsonObject(with: Data(text[start.upperBound..<end.lowerBound].utf8)) as? [String: Any]
      ?? [:]
  }

  /// The file without its data, in which a model's own text may hold addresses.
  var textWithoutData: String {
    var page = self
    page.data = nil
    page.title = ""
    return page.text
  }
}
