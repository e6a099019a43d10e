package import SwiftletJSON

/// The pages that hold two files against each other. They show what the commands print as JSON, with long lists and
/// texts cut.
package enum ComparisonPage {
  /// Two files of measurements.
  ///
  /// - Parameters:
  ///   - first: the name of the first file.
  ///   - second: the name of the second file.
  ///   - comparison: what `bench --compare --json` prints.
  package static func ofMeasurements(_ first: String, _ second: String, _ comparison: JSONValue) -> HTMLPage {
    page([first, second], by: "bench", PageText.comparisonStyle, PageText.comparisonScript, comparison)
  }

  /// Two models.
  ///
  /// - Parameters:
  ///   - first: the name of the first file.
  ///   - second: the name of the second file.
  ///   - difference: what `inspect --diff --json` prints.
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
