/// A line on standard error that says how far a long task is; drawn only when a person watches.
package struct ProgressBar {
  private let title: String
  private let total: Int
  private var done = 0
  private var status = StatusLine()

  package init(_ title: String, total: Int) {
    self.title = title
    self.total = max(1, total)
  }

  /// Counts one more step as done.
  package mutating func advance() {
    done += 1
    draw()
  }

  /// Draws the bar, followed by what is being done.
  package mutating func draw(note: String = "") {
    status.draw(note.isEmpty ? line : line + " " + note.prefix(40))
  }

  /// Draws how many bytes have come instead of steps.
  ///
  /// - Parameter total: `nil` as long as it is not known.
  package mutating func draw(bytes: Int, of total: Int?) {
    status.draw(line(bytes: bytes, of: total))
  }

  /// The bar as it is drawn now.
  package var line: String { line(Double(min(total, done)) / Double(total), "\(done)/\(total)") }

  /// The bar of so many bytes.
  package func line(bytes: Int, of total: Int?) -> String {
    guard let total, total > 0 else { return line(0, Self.megabytes(bytes)) }
    return line(min(1, Double(bytes) / Double(total)), Self.megabytes(bytes) + " of " + Self.megabytes(total))
  }

  private func line(_ share: Double, _ counts: String) -> String { Self.line(title, share, counts) }

  /// A bar that is filled to a share of 0 to 1.
  static func line(_ title: String, _ share: Double, _ counts: String) -> String {
    let filled = Int(share * 30)
    return "\(title) " + String(repeating: "█", count: filled) + String(repeating: "·", count: 30 - filled) + " "
      + counts
  }

  /// With one decimal, as a program without Foundation writes it.
  private static func megabytes(_ bytes: Int) -> String {
    let tenths = bytes / 100_000 + (bytes % 100_000 >= 50_000 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  /// Takes the line away until it is drawn again.
  package mutating func hide() { status.hide() }
}
