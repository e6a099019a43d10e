/// Text from a file or a server, made fit to be shown: in a terminal, a report or an error message.
///
/// Names may hold anything. Control characters move a terminal's cursor or set its title, characters that override the
/// direction of text make it read as something else, and ends of lines make one line look like two. All of them become
/// a space.
package enum SanitizedText {
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
  package var shown: String { SanitizedText.line(self) }
}

extension SanitizedText {
  /// The most characters (Unicode scalars) of a text from outside that a message repeats in one place.
  package static let maximumExcerpt = 200

  /// The text as a message repeats it: one line, with an ellipsis in place of its middle if it is too long.
  ///
  /// The end stays because a path ends with the name of its file.
  ///
  /// - Parameter limit: The most characters of the result.
  package static func excerpt(_ text: String, limit: Int = maximumExcerpt) -> String {
    let scalars = text.unicodeScalars
    guard scalars.index(scalars.startIndex, offsetBy: limit + 1, limitedBy: scalars.endIndex) != nil else {
      return line(text)
    }
    let ending = limit / 4
    return line(String(scalars.prefix(limit - 1 - ending))) + "…" + line(String(scalars.suffix(ending)))
  }

  /// The first of several texts from outside, separated by commas, and how many others there are.
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
  /// The text as a message repeats it: one line of at most ``SanitizedText/maximumExcerpt`` characters.
  package var excerpt: String { SanitizedText.excerpt(self) }
}

extension Collection where Element: BinaryInteger {
  /// The numbers as a message repeats them: in brackets, the first of them if they are many.
  package var excerpt: String { "[" + SanitizedText.list(lazy.map { String($0) }) + "]" }
}
