/// Text from a file or a server, made fit to be shown: in a terminal, a report or an error message.
///
/// Names may hold anything. Control characters move a terminal's cursor or set its title, characters that override the
/// direction of text make it read as something else, and ends of lines make one line look like two. All of them become
/// a space.
package enum ShownText {
  /// The text as one line.
  package static func line(_ text: String) -> String { replacing(text, keepingLines: false) }

  /// The text in its lines, as of a whole report: line feeds stay.
  package static func lines(_ text: String) -> String { replacing(text, keepingLines: true) }

  /// Whether a character does something else than to be seen: control characters, ends of lines and paragraphs, marks,
  /// embeddings, overrides and isolates of direction (Unicode Standard Annex 9).
  package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  private static func replacing(_ text: String, keepingLines: Bool) -> String {
    func isReplaced(_ scalar: Unicode.Scalar) -> Bool { isHidden(scalar) && !(keepingLines && scalar == "\n") }
    guard text.unicodeScalars.contains(where: isReplaced) else { return text }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { isReplaced($0) ? " " : $0 }))
  }
}

extension String {
  /// The text as one line without characters that control a terminal or the direction of text.
  package var shown: String { ShownText.line(self) }
}
