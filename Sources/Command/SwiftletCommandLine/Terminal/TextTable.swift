/// Rows of text in aligned columns. The last column is wrapped at the terminal width.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  /// The alignment of each column; further columns are aligned to the left.
  private let alignments: [Alignment]
  /// The longest first cell that shares a line with the other cells; a longer cell has a line of its own.
  private let longestName: Int
  private let indentation: String
  private static let gap = "  "
  /// The minimum width of a last column that is wrapped.
  private static let narrowest = 24

  package init(_ alignments: [Alignment] = [], longestName: Int = .max, indentation: String = "  ") {
    self.alignments = alignments
    self.longestName = longestName
    self.indentation = indentation
  }

  /// Returns the lines, each with its end.
  ///
  /// - Parameters:
  ///   - rows: The cells of each row, without line breaks and styles.
  ///   - width: The terminal width in columns, or `nil` for lines of any length.
  package func text(_ rows: [[String]], width: Int? = nil) -> String { lines(rows, width: width).joined() }

  /// Returns the result of `text`, with one string per row.
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

  /// Returns the text in lines of at most `width` characters, if its words are short enough.
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

/// The style of text: bold and colored on a terminal that supports it, and plain elsewhere.
package struct TextStyle: Sendable, Hashable {
  private let isStyled: Bool

  /// The style that leaves text as it is.
  package static let plain = TextStyle(isStyled: false)
  /// The style that uses the control sequences of ECMA-48.
  package static let ansi = TextStyle(isStyled: true)

  /// Creates the style for a stream: styled on a terminal, unless `NO_COLOR` is set to any value or `TERM` names a
  /// terminal without control sequences.
  package init(isTerminal: Bool, environment: (String) -> String?) {
    let wantsNone = environment("NO_COLOR").map { !$0.isEmpty } ?? false
    self.init(isStyled: isTerminal && !wantsNone && Self.understandsControl(environment("TERM")))
  }

  private init(isStyled: Bool) { self.isStyled = isStyled }

  /// Whether a terminal with the given name supports control sequences.
  static func understandsControl(_ terminal: String?) -> Bool { terminal.map { !$0.isEmpty && $0 != "dumb" } ?? false }

  package func bold(_ text: String) -> String { set(text, "1") }
  package func red(_ text: String) -> String { set(text, "1;31") }
  package func yellow(_ text: String) -> String { set(text, "1;33") }

  private func set(_ text: String, _ parameters: String) -> String {
    isStyled && !text.isEmpty ? "\u{1B}[\(parameters)m\(text)\u{1B}[0m" : text
  }
}
