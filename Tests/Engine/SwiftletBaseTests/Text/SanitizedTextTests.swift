import SwiftletBase
import Testing

@Suite("Sanitized text")
struct SanitizedTextTests {
  static let hidden: [Unicode.Scalar] = {
    let ranges: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x061C...0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069,
    ]
    return ranges.flatMap { $0 }.compactMap(Unicode.Scalar.init)
  }()

  @Test("control, line, and bidirectional characters become spaces")
  func hiddenBecomesSpace() {
    #expect(Self.hidden.count == 32 + 33 + 3 + 7 + 4)
    for scalar in Self.hidden {
      #expect("a\(scalar)b".sanitized == "a b", "U+\(String(scalar.value, radix: 16))")
      #expect(SanitizedText.lines("a\(scalar)b") == (scalar == "\n" ? "a\nb" : "a b"))
    }
  }

  @Test("carriage return and line feed count as two characters")
  func grapheme() {
    #expect("a\r\nb".sanitized == "a  b")
    #expect(SanitizedText.lines("a\r\nb") == "a \nb")
  }

  @Test(
    "all other text is unchanged",
    arguments: ["", "a b", "été – 日本語 שלום 👩‍👩‍👧 é\u{301}", "\u{A0}\u{200B}\u{200C}\u{200D}\u{2065}\u{206A}\u{FEFF}"])
  func othersStay(text: String) {
    #expect(text.sanitized == text)
    #expect(SanitizedText.lines(text) == text)
  }
}
