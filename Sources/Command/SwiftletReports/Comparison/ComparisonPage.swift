package import SwiftletJSON

/// The pages that compare two files. They display the JSON output of the commands, with long lists and texts truncated.
package enum ComparisonPage {
  /// Returns a page that compares two measurement files.
  ///
  /// - Parameters:
  ///   - first: The name of the first file.
  ///   - second: The name of the second file.
  ///   - comparison: The output of `bench --compare --json`.
  package static func ofMeasurements(_ first: String, _ second: String, _ comparison: JSONValue) -> HTMLPage {
    page([first, second], by: "bench", PageText.comparisonStyle, PageText.comparisonScript, comparison)
  }

  /// Returns a page that compares two models.
  ///
  /// - Parameters:
  ///   - first: The name of the first file.
  ///   - second: The name of the second file.
  ///   - difference: The output of `inspect --diff --json`.
  package static func ofModels(_ first: String, _ second: String, _ difference: JSONValue) -> HTMLPage {
    page([first, second], by: "inspect", PageText.differenceStyle, PageText.differenceScript, difference)
  }

  private static func page(
    _ files: [String], by command: String, _ style: String, _ script: String, _ data: JSONValue
  ) -> HTMLPage {
    HTMLPage(
      title: files.map { ModelPage.clipped($0, 60) }.joined(separator: " and ") + " – swiftlet \(command)",
      style: style, body: PageText.documentBody, script: PageText.sharedScript + "\n" + script,
      data: ModelPage.bounded(data))
  }
}
