import Foundation
import SwiftletJSON
import SwiftletReports
import SwiftletTestSupport
import SwiftletBase
import Testing

@Suite("HTML page")
struct HTMLPageTests {
  /// Tensor names of a hostile model.
  static let hostileNames = [
    "</script><script>document.title='taken'</script>", "<img src=x onerror=\"document.title='taken'\">",
    "\"><b id=injected>", "'; document.title='taken'; '",
    "<!--<script>", "]]>", "a\u{2028}b\u{2029}c", "\u{0}\u{1}\u{7F}\u{9B}", "\u{202E}gnp.tca", "\u{FFFD}", "&lt;&amp;",
    "${document.title='taken'}", "`\\u0041",
  ]

  /// Returns a page that displays every name in both ways: as markup, and from its data.
  private static func page(_ names: [String]) -> HTMLPage {
    HTMLPage(
      title: names.joined(),
      body: "<ul id=\"list\">"
        + names.map { "<li title=\"\(HTMLPage.escaped($0))\">\(HTMLPage.escaped($0))</li>" }.joined() + "</ul>",
      script: """
        const names = JSON.parse(document.getElementById("data").textContent);
        for (const name of names) {
          const item = document.createElement("li");
          item.textContent = name;
          document.getElementById("list").append(item);
        }
        document.body.dataset.count = names.length;
        """,
      data: .strings(names))
  }

  @Test("loads nothing: no URL, no source, and a policy that forbids both")
  func isSelfContained() {
    let text = Self.page(["x"]).text
    #expect(
      !text.contains("http:") && !text.contains("https:") && !text.contains("src=") && !text.contains("@import")
        && !text.contains("url("))
    #expect(text.contains("default-src 'none'"))
    #expect(text.hasPrefix("<!DOCTYPE html>\n") && text.hasSuffix("</html>\n"))
  }

  @Test("only a page with this option can display images from its directory")
  func images() {
    var page = HTMLPage(title: "", body: "")
    #expect(page.text.contains("img-src data:;"))
    page.showsImagesBesideIt = true
    #expect(page.text.contains("img-src data: 'self' file:;") && !page.text.contains("media-src"))
    page.playsSoundsBesideIt = true
    #expect(page.text.contains("media-src 'self' file:;"))
  }

  @Test("no text can end its element, attribute, or script", arguments: hostileNames)
  func textIsInert(name: String) throws {
    let escaped = HTMLPage.escaped(name)
    #expect(!escaped.contains { "<>\"'".contains($0) })
    let data = HTMLPage(title: "", body: "", data: .strings([name])).text
    let script = try #require(data.range(of: "id=\"data\">")).upperBound
    let json = data[script...].prefix { $0 != "<" }
    #expect(!json.unicodeScalars.contains { "<>&\u{2028}\u{2029}".unicodeScalars.contains($0) || $0.value < 0x20 })
    // Bidirectional and control characters are replaced; all others are unchanged.
    let shown = String(
      String.UnicodeScalarView(name.unicodeScalars.map { SanitizedText.isHidden($0) ? "\u{FFFD}" : $0 }))
    #expect(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String] == [shown])
    #expect(!(escaped + json).unicodeScalars.contains(where: SanitizedText.isHidden))
  }

  @Test(
    "a browser shows hostile text as text, and executes none of it",
    .enabled(if: Browser.isAvailable, "no Chromium is installed"))
  func hostileTextInABrowser() throws {
    let file = try PageFile(Self.page(Self.hostileNames))
    let visit = try Browser.document(ofPage: file.path)
    #expect(visit.console.isEmpty, "\(visit.console)")
    #expect(visit.document.contains("data-count=\"\(Self.hostileNames.count)\""))
    #expect(
      !visit.document.contains("<title>taken") && !visit.document.contains("<b id=") && !visit.document.contains("<img")
    )
    #expect(visit.document.components(separatedBy: "</li>").count == 2 * Self.hostileNames.count + 1)
  }

  @Test(
    "a browser renders it in the reader's color scheme", .enabled(if: Browser.isAvailable, "no Chromium is installed"),
    arguments: Browser.Scheme.allCases)
  func colors(scheme: Browser.Scheme) throws {
    let file = try PageFile(HTMLPage(title: "t", body: "<main class=\"card\"><h1>Title</h1></main>"))
    let visit = try Browser.screenshot(ofPage: file.path, scheme: scheme, width: 400, height: 300)
    let screenshot = try #require(visit.screenshot)
    #expect(visit.console.isEmpty && screenshot.width == 400 && screenshot.height == 300)
    let commonest = screenshot.colorCounts().max { $0.value < $1.value }?.key
    #expect(commonest == (scheme == .light ? 0xF4F6F9 : 0x0E131A))
  }
}
