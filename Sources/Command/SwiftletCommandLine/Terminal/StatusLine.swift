import SwiftletBase

/// A line on standard error that is drawn anew while work goes on; only where a person watches.
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
