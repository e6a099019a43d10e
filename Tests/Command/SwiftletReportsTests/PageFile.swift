import Foundation
import SwiftletReports

/// A page in a file that is deleted with the object.
final class PageFile {
  let path: String

  init(_ page: HTMLPage) throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-page-\(UUID().uuidString).html").path
    try Data(page.bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension HTMLPage {
  /// Returns the data that the page's script reads.
  func object() throws -> [String: Any] {
    let text = text
    guard let start = text.range(of: "<script type=\"application/json\" id=\"data\">"),
      let end = text.range(of: "</script>", range: start.upperBound..<text.endIndex)
    else { return [:] }
    return try JSONSerialization.jsonObject(with: Data(text[start.upperBound..<end.lowerBound].utf8)) as? [String: Any]
      ?? [:]
  }

  /// The file without its data, because a model's own text can contain URLs.
  var textWithoutData: String {
    var page = self
    page.data = nil
    page.title = ""
    return page.text
  }
}
