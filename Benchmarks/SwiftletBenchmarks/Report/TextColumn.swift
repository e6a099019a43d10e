/// Formats cells of a table on a terminal.
enum TextColumn {
  /// Returns `text` padded to a width. If it doesn't fit, its end is kept, because the ends of names differ.
  static func pad(_ text: String, _ width: Int) -> String {
    let text = text.count > width ? "…" + text.suffix(width - 1) : text
    return text + String(repeating: " ", count: width - text.count)
  }
}
