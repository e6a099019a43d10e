/// A line on standard error that says how far a long task is; drawn only when a person watches.
package struct ProgressBar {
  private let title: String
  private let total: Int
  private var done = 0
  private var drawn = -1

  package init(_ title: String, total: Int) {
    self.title = title
    self.total = max(1, total)
  }

  /// Counts one more step as done.
  package mutating func advance() {
    done += 1
    let permille = min(1000, done * 1000 / total)
    guard StandardStreams.isErrorTerminal, permille != drawn else { return }
    drawn = permille
    StandardStreams.error("\r" + line)
  }

  /// The bar as it is drawn now.
  package var line: String {
    let filled = min(total, done) * 30 / total
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 30 - filled)
    return "\(title) \(bar) \(done)/\(total)"
  }

  /// Takes the line away.
  package func finish() {
    if drawn >= 0 { StandardStreams.error("\r\u{1B}[K") }
  }
}
