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
