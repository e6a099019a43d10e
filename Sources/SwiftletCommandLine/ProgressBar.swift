/// A line on standard error that says how far a long task is; drawn only when a person watches.
package struct ProgressBar {
  private let title: String
  private let total: Int
  private var done = 0
  private var drawn = ""

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
    guard StandardStreams.isErrorTerminal else { return }
    let text = note.isEmpty ? line : line + " " + note.prefix(40)
    guard text != drawn else { return }
    drawn = text
    StandardStreams.error("\r\u{1B}[K" + text)
  }

  /// The bar as it is drawn now.
  package var line: String {
    let filled = min(total, done) * 30 / total
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 30 - filled)
    return "\(title) \(bar) \(done)/\(total)"
  }

  /// Takes the line away until it is drawn again.
  package mutating func hide() {
    guard !drawn.isEmpty else { return }
    drawn = ""
    StandardStreams.error("\r\u{1B}[K")
  }
}
