/// Text from a file or a server, sanitized for display in a terminal, a report, or an error message.
///
/// Names can contain any characters. Control characters move a terminal's cursor or set its title, bidirectional
/// overrides make text read as something else, and line breaks make one line look like two. All of these characters are
/// replaced by a space.
package enum SanitizedText {
  /// Returns the text as one line.
  package static func line(_ text: String) -> String { replacing(text, keepingLines: false) }

  /// Returns the text with its line feeds preserved, for example for a whole report.
  package static func lines(_ text: String) -> String { replacing(text, keepingLines: true) }

  /// Returns whether a character is invisible and has an effect on the text around it: control characters, line and
  /// paragraph separators, and bidirectional marks, embeddings, overrides, and isolates (Unicode Standard Annex 9).
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
  package var sanitized: String { SanitizedText.line(self) }
}

extension SanitizedText {
  /// The maximum number of characters (Unicode scalars) of untrusted text that a message repeats in one place.
  package static let maximumExcerpt = 200

  /// Returns the text as repeated in a message: one line, with an ellipsis in place of its middle if it is too long.
  ///
  /// The end is kept because a path ends with the file name.
  ///
  /// - Parameter limit: The maximum number of characters in the result.
  package static func excerpt(_ text: String, limit: Int = maximumExcerpt) -> String {
    let scalars = text.unicodeScalars
    guard scalars.index(scalars.startIndex, offsetBy: limit + 1, limitedBy: scalars.endIndex) != nil else {
      return line(text)
    }
    let ending = limit / 4
    return line(String(scalars.prefix(limit - 1 - ending))) + "…" + line(String(scalars.suffix(ending)))
  }

  /// Returns the first of several untrusted texts, separated by commas, and the number of omitted texts.
  ///
  /// - Parameter mark: The quotation mark around each text.
  package static func list(_ texts: some Collection<String>, in mark: String = "") -> String {
    var room = maximumExcerpt
    var shown: [String] = []
    for text in texts {
      let excerpt = excerpt(text)
      room -= max(1, excerpt.unicodeScalars.count)
      guard shown.isEmpty || room >= 0 else { break }
      shown.append(mark + excerpt + mark)
    }
    let others = texts.count - shown.count
    return shown.joined(separator: ", ") + (others > 0 ? " and \(others) other\(others == 1 ? "" : "s")" : "")
  }
}

extension String {
  /// The text as repeated in a message: one line of at most ``SanitizedText/maximumExcerpt`` characters.
  package var excerpt: String { SanitizedText.excerpt(self) }
}

extension Collection where Element: BinaryInteger {
  /// The numbers as repeated in a message: in brackets, and truncated if there are many.
  package var excerpt: String { "[" + SanitizedText.list(lazy.map { String($0) }) + "]" }
}
