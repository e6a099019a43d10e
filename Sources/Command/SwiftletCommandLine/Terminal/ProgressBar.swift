import SwiftletBase

/// A line on standard error that shows the progress of a long task. It's drawn only on a terminal.
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

  /// Draws the bar, followed by a note about the current step.
  package mutating func draw(note: String = "") {
    status.draw(note.isEmpty ? line : line + " " + note.prefix(40))
  }

  /// Draws the bar filled to a share from 0 to 1.
  package mutating func draw(share: Double) {
    done = Int(share * Double(total))
    draw()
  }

  /// Draws the number of received bytes instead of steps.
  ///
  /// - Parameter total: The expected number of bytes, or `nil` if it is unknown.
  package mutating func draw(bytes: Int, of total: Int?) {
    status.draw(line(bytes: bytes, of: total))
  }

  /// The current text of the bar.
  package var line: String { line(Double(min(total, done)) / Double(total), "\(done)/\(total)") }

  /// Returns the bar for the given number of bytes.
  package func line(bytes: Int, of total: Int?) -> String {
    guard let total, total > 0 else { return line(0, Self.megabytes(bytes)) }
    return line(min(1, Double(bytes) / Double(total)), Self.megabytes(bytes) + " of " + Self.megabytes(total))
  }

  private func line(_ share: Double, _ counts: String) -> String { Self.line(title, share, counts) }

  /// Returns a bar that is filled to a share from 0 to 1.
  static func line(_ title: String, _ share: Double, _ counts: String) -> String {
    let filled = Int(share * 30)
    return "\(title) " + String(repeating: "█", count: filled) + String(repeating: "·", count: 30 - filled) + " "
      + counts
  }

  /// Returns the number of megabytes with one decimal, formatted without Foundation.
  private static func megabytes(_ bytes: Int) -> String {
    let tenths = bytes / 100_000 + (bytes % 100_000 >= 50_000 ? 1 : 0)
    return "\(tenths / 10).\(tenths % 10) MB"
  }

  /// Erases the line until it is drawn again.
  package mutating func hide() { status.hide() }
}

/// A line on standard error that shows how many items of a batch are done and failed, and the rate per second. It's
/// drawn only on a terminal, and at most ten times per second.
package struct BatchProgress {
  /// The number of failed items, and the number of all processed items.
  package private(set) var failureCount = 0
  private var count = 0
  private let things: String
  private let total: Int?
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?
  private var status = StatusLine()

  /// Creates a line for a batch.
  ///
  /// - Parameters:
  ///   - things: The name of the counted items, in the plural.
  ///   - total: The number of items, or `nil` if it is unknown.
  package init(_ things: String, total: Int?) {
    self.things = things
    self.total = total
  }

  /// Counts one more item.
  package mutating func count(failed: Bool) {
    count += 1
    if failed { failureCount += 1 }
  }

  /// Draws the line, unless it was drawn a moment ago.
  package mutating func draw() {
    let now = ContinuousClock.now
    if let lastDrawn, now - lastDrawn < .milliseconds(100) { return }
    lastDrawn = now
    status.draw(line(after: now - start))
  }

  /// Returns the line after some time.
  package func line(after time: Duration) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let tenths = seconds > 0 ? Int(min(Double(count) / seconds, 1e12) * 10) : 0
    let rest = (failureCount > 0 ? ", \(failureCount) failed" : "") + ", \(tenths / 10).\(tenths % 10) a second"
    guard let total, total > 0 else { return "\(count) \(things)" + rest }
    return ProgressBar.line(things, Double(min(count, total)) / Double(total), "\(count)/\(total)" + rest)
  }

  /// Erases the line until it is drawn again, so that other text can be written.
  package mutating func hide() { status.hide() }
}

/// A line on standard error that is redrawn while work goes on. It's drawn only on a terminal.
struct StatusLine {
  private var drawn = ""

  /// Draws a text in place of the previous one.
  mutating func draw(_ text: String) {
    guard StandardStreams.isErrorDrawable, text != drawn else { return }
    drawn = text
    StandardStreams.error("\r\u{1B}[K" + text.sanitized)
  }

  /// Erases the line until it is drawn again.
  mutating func hide() {
    guard !drawn.isEmpty else { return }
    drawn = ""
    StandardStreams.error("\r\u{1B}[K")
  }
}
