import SwiftletCommandLine

/// The progress of the program on standard error: a bar on a terminal, a line per step elsewhere.
struct BenchmarkProgress {
  private var bar: ProgressBar
  private let total: Int
  private var step = 0

  init(_ title: String, total: Int) {
    bar = ProgressBar(title, total: total)
    self.total = total
  }

  /// Displays the next step.
  mutating func begin(_ name: String) {
    step += 1
    if StandardStreams.isErrorDrawable {
      bar.draw(note: name)
    } else {
      StandardStreams.error("[\(step)/\(total)] \(name)\n")
    }
  }

  /// Hides the bar while `body` prints, and counts the step as done.
  mutating func interrupt(_ body: () -> Void) {
    bar.hide()
    body()
    bar.advance()
  }

  mutating func finish() { bar.hide() }
}
