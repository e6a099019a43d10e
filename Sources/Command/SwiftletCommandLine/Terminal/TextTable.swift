/// Rows of text in columns that stand below each other; the last one is broken into lines where a terminal ends.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  /// Of each column; further ones are aligned to the left.
  private let alignments: [Alignment]
  /// A longer first cell than this stands on a line of its own.
  private let longestName: Int
  private let indentation: String
  private static let gap = "  "
  /// A last column narrower than this is not broken into lines.
  private static let narrowest = 24

  package init(_ alignments: [Alignment] = [], longestName: Int = .max, indentation: String = "  ") {
    self.alignments = alignments
    self.longestName = longestName
    self.indentation = indentation
  }

  /// The lines, each with its end.
  ///
  /// - Parameters:
  ///   - rows: their cells, each without line breaks and styles.
  ///   - width: the columns of the terminal, `nil` for lines of any length.
  package func text(_ rows: [[String]], width: Int? = nil) -> String { lines(rows, width: width).joined() }

  /// What `text` gives, in a string for each row.
  package func lines(_ rows: [[String]], width: Int? = nil) -> [String] {
    var widths = [Int](repeating: 0, count: rows.map(\.count).max() ?? 0)
    for row in rows {
      for (column, cell) in row.dropLast().enumerated() { widths[column] = max(widths[column], cell.count) }
    }
    if let first = widths.first { widths[0] = min(longestName, first) }
    return rows.map { line($0, widths: widths, width: width) }
  }

  private func line(_ row: [String], widths: [Int], width: Int?) -> String {
    guard let last = row.last else { return "\n" }
    var start = indentation
    var column = indentation.count
    for (index, cell) in row.dropLast().enumerated() {
      column += widths[index] + Self.gap.count
      let padding = String(repeating: " ", count: max(0, widths[index] - cell.count))
      start += index < alignments.count && alignments[index] == .right ? padding + cell : cell + padding
      start += cell.count > widths[index] ? "\n" + String(repeating: " ", count: column) : Self.gap
    }
    let room = width.map { $0 - column } ?? .max
    let lines = Self.wrapped(last, to: room < Self.narrowest ? .max : room)
    return start + lines.joined(separator: "\n" + String(repeating: " ", count: column)) + "\n"
  }

  /// The text in lines of at most so many characters, where its words allow that.
  package static func wrapped(_ text: String, to width: Int) -> [String] {
    guard text.count > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty {
        line = String(word)
      } else if line.count + 1 + word.count <= width {
        line += " " + word
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    return lines + [line]
  }
}

/// How text is set off: in bold and color where a person looks at a terminal that has them, and not at all elsewhere.
package struct TextStyle: Sendable, Hashable {
  private let isStyled: Bool

  /// Leaves text as it is.
  package static let plain = TextStyle(isStyled: false)
  /// Sets it off with the control sequences of ECMA-48.
  package static let ansi = TextStyle(isStyled: true)

  /// For a stream: styled on a terminal, unless `NO_COLOR` is set to anything, or `TERM` says that the terminal knows
  /// no control sequences.
  package init(isTerminal: Bool, environment: (String) -> String?) {
    let wantsNone = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    self.init(isStyled: isTerminal && !wantsNone && Self.understandsControl(environment("TERM")))
  }

  private init(isStyled: Bool) { self.isStyled = isStyled }

  /// Whether a terminal of that name knows control sequences.
  static func understandsControl(_ terminal: String?) -> Bool { terminal.map { !$0.isEmpty && $0 != "dumb" } ?? false }

  package func bold(_ text: String) -> String { set(text, "1") }
  package func red(_ text: String) -> String { set(text, "1;31") }
  package func yellow(_ text: String) -> String { set(text, "1;33") }

  private func set(_ text: String, _ parameters: String) -> String {
    isStyled && !text.isEmpty ? "\u{1B}[\(parameters)m\(text)\u{1B}[0m" : text
  }
}
