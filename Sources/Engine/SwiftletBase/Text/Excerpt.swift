extension ShownText {
  /// The most characters (Unicode scalars) of a text from outside that a message repeats in one place.
  package static let longestExcerpt = 200

  /// The text as a message repeats it: one line, with an ellipsis in place of its middle if it is too long.
  ///
  /// The end stays because a path ends with the name of its file.
  ///
  /// - Parameter limit: The most characters of the result.
  package static func excerpt(_ text: String, limit: Int = longestExcerpt) -> String {
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
    var room = longestExcerpt
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
  /// The text as a message repeats it: one line of at most ``ShownText/longestExcerpt`` characters.
  package var excerpt: String { ShownText.excerpt(self) }
}

extension Collection where Element: BinaryInteger {
  /// The numbers as a message repeats them: in brackets, the first of them if they are many.
  package var excerpt: String { "[" + ShownText.list(lazy.map { String($0) }) + "]" }
}
