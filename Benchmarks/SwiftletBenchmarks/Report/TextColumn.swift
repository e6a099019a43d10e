/// Cells of a table on a terminal.
enum TextColumn {
  /// `text` at the left of a cell; where it does not fit its end is kept, which tells names apart.
  static func pad(_ text: String, _ width: Int) -> String {
    let text = text.count > width ? "…" + text.suffix(width - 1) : text
    return text + String(repeating: " ", count: width - text.count)
  }
}
