import SwiftletBase
import Testing

@Suite("Excerpts of untrusted text")
struct ExcerptTests {
  private static let limit = SanitizedText.maximumExcerpt

  @Test("a text of the maximum length stays unchanged, a longer one loses its middle")
  func limit() {
    let longest = String(repeating: "a", count: Self.limit)
    #expect(longest.excerpt == longest)
    let excerpt = ("b" + longest.dropLast() + "c").excerpt
    #expect(excerpt == "b" + String(repeating: "a", count: 148) + "…" + String(repeating: "a", count: 49) + "c")
    #expect(excerpt.unicodeScalars.count == Self.limit)
  }

  @Test("combining marks and hidden characters count, and hidden ones become spaces on both sides of the middle")
  func scalars() {
    let marked = "e" + String(repeating: "\u{301}", count: Self.limit)
    #expect(marked.count == 1)
    #expect(marked.excerpt.unicodeScalars.count == Self.limit)
    let lines = String(repeating: "\n", count: 1000).excerpt
    #expect(lines == String(repeating: " ", count: 149) + "…" + String(repeating: " ", count: 50))
    #expect("a\u{202E}b".excerpt == "a b")
  }

  @Test("a path keeps the name of its file")
  func path() {
    let path = "/" + String(repeating: "folder/", count: 100) + "model.tflite"
    #expect(path.excerpt.hasSuffix("folder/model.tflite"))
    #expect(path.excerpt.hasPrefix("/folder/folder/"))
  }

  @Test(
    "the limit can be another",
    arguments: [(3, "abc"), (4, "abcd"), (5, "abcde"), (6, "abcdef")])
  func otherLimit(limit: Int, text: String) {
    #expect(SanitizedText.excerpt(text, limit: limit) == text)
    #expect(SanitizedText.excerpt(text + "z", limit: limit).unicodeScalars.count == limit)
  }

  @Test("a list names the items that fit, and counts the others")
  func list() {
    #expect(SanitizedText.list([]) == "")
    #expect(SanitizedText.list(["a", "b"], in: "'") == "'a', 'b'")
    let texts = (0..<5).map { String(repeating: "\($0)", count: 100) }
    #expect(SanitizedText.list(texts.prefix(2)) == texts[0] + ", " + texts[1])
    #expect(SanitizedText.list(texts.prefix(3)) == texts[0] + ", " + texts[1] + " and 1 other")
    #expect(SanitizedText.list(texts) == texts[0] + ", " + texts[1] + " and 3 others")
    #expect(SanitizedText.list([String(repeating: "x", count: 1_000_000)]).unicodeScalars.count == Self.limit)
    #expect(SanitizedText.list(Array(repeating: "", count: 1)) == "")
  }
}
