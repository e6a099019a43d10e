#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output and error, written at once and in full.
package enum StandardStreams {
  /// Results.
  package static func output(_ text: String) { write(text, to: 1) }

  /// Progress, warnings and errors.
  package static func error(_ text: String) { write(text, to: 2) }

  /// Whether a person watches standard error.
  package static var isErrorTerminal: Bool { isatty(2) != 0 }

  private static func write(_ text: String, to descriptor: Int32) {
    var text = text
    text.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let chunk = UnsafeBufferPointer(rebasing: rest)
        #if canImport(Glibc)
          let count = Glibc.write(descriptor, chunk.baseAddress, chunk.count)
        #elseif canImport(Musl)
          let count = Musl.write(descriptor, chunk.baseAddress, chunk.count)
        #elseif canImport(Darwin)
          let count = Darwin.write(descriptor, chunk.baseAddress, chunk.count)
        #endif
        if count < 0, errno == EINTR { continue }
        // A reader that went away is no reason to fail.
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
      }
    }
  }
}

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
    let filled = permille * 30 / 1000
    let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: 30 - filled)
    StandardStreams.error("\r\(title) \(bar) \(done)/\(total)")
  }

  /// Takes the line away.
  package func finish() {
    if drawn >= 0 { StandardStreams.error("\r\u{1B}[K") }
  }
}
