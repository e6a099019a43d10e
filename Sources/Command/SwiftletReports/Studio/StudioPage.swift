package import SwiftletJSON

/// The page of `swiftlet studio`, which runs tasks by requests to the program that serves it.
package enum StudioPage {
  /// Creates the page.
  ///
  /// - Parameter data: The tasks with their models and options, the samples, and the token of requests.
  package static func page(_ data: JSONValue) -> HTMLPage {
    var page = HTMLPage(
      title: "Swiftlet studio", style: PageText.studioStyle, body: PageText.studioBody,
      script: PageText.sharedScript + "\n" + PageText.studioScript, data: data)
    page.isServed = true
    return page
  }
}
