import SwiftletBase

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

/// A line on standard error that counts what is done of a batch, what failed and how many a second; drawn only when a
/// person watches, and not more than ten times a second.
package struct BatchProgress {
  /// How many failed, and how many were done in all.
  package private(set) var failureCount = 0
  private var count = 0
  private let things: String
  private let total: Int?
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?
  private var status = StatusLine()

  /// - Parameters:
  ///   - things: what is counted, in the plural.
  ///   - total: how many there are; `nil` as long as nobody knows.
  package init(_ things: String, total: Int?) {
    self.things = things
    self.total = total
  }

  /// Counts one more.
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

  /// The line after some time.
  package func line(after time: Duration) -> String {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let tenths = seconds > 0 ? Int(min(Double(count) / seconds, 1e12) * 10) : 0
    let rest = (failureCount > 0 ? ", \(failureCount) failed" : "") + ", \(tenths / 10).\(tenths % 10) a second"
    guard let total, total > 0 else { return "\(count) \(things)" + rest }
    return ProgressBar.line(things, Double(min(count, total)) / Double(total), "\(count)/\(total)" + rest)
  }

  /// Takes the line away until it is drawn again, so that something else can be written.
  package mutating func hide() { status.hide() }
}

/// A line on standard error that is drawn again while work goes on; only where a person watches.
struct StatusLine {
  private var drawn = ""

  /// Draws a text in place of the last one.
  mutating func draw(_ text: String) {
    guard StandardStreams.isErrorDrawable, text != drawn else { return }
    drawn = text
    StandardStreams.error("\r\u{1B}[K" + text.shown)
  }

  /// Takes the line away until it is drawn again.
  mutating func hide() {
    guard !drawn.isEmpty else { return }
    drawn = ""
    StandardStreams.error("\r\u{1B}[K")
  }
}
