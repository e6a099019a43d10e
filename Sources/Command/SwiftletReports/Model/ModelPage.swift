import SwiftletJSON

/// The page about a model: its graph, what is in it, and the memory that a run takes.
package enum ModelPage {
  /// - Complexity: linear in the size of the description, except for the graph's layout. Constants are not in the page.
  package static func page(_ model: ModelDescription) -> HTMLPage { page(model.name, json(model)) }

  /// The page about a bundle: that of each of its models, which are chosen in a list, with all members.
  package static func page(_ bundle: BundleDescription) -> HTMLPage { page(bundle.name, json(bundle)) }

  private static func page(_ name: String, _ data: JSONValue) -> HTMLPage {
    HTMLPage(
      title: "\(clipped(name, 120)) – swiftlet inspect", style: PageText.modelStyle, body: PageText.modelBody,
      script: PageText.sharedScript + "\n" + PageText.modelScript, data: data)
  }

  /// Texts of a model may be of any length, and files may use one text many times.
  static func clipped(_ text: String, _ limit: Int) -> String {
    let scalars = text.unicodeScalars
    guard let end = scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex),
      end != scalars.endIndex
    else { return text }
    return String(scalars[..<end]) + "… (\(scalars.count) characters)"
  }
}
