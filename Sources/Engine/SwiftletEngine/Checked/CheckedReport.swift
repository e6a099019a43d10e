import SwiftletBase

/// What checked mode is doing, in a form that a signal handler can read.
///
/// A violation ends the process with the signal of the access. The library installs no handler; a program that wants to
/// say which operator it was reads `text` in its own. Where several sessions run at once, the text is that of the one
/// that began a step last.
package enum CheckedReport {
  private static let capacity = 160

  /// Bytes up to a zero, printable ASCII: `operator 12 CONV_2D`, or nothing where no operator is running.
  package nonisolated(unsafe) static let text: UnsafeMutablePointer<UInt8> = {
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    text.initialize(repeating: 0, count: capacity)
    return text
  }()

  /// Held by whoever writes `text`: sessions run at once. A handler reads without it, as a step never ends the process
  /// while it is held.
  private static let writing = Mutex(())

  /// Says which operator runs from here on.
  static func begin(_ location: RuntimeError.Location) {
    // The end comes first, so that a handler never reads past it.
    let name = location.operatorName ?? "unknown"
    let bytes = Array("operator \(location.operatorIndex.map(String.init) ?? "") \(name)".utf8.prefix(capacity - 1))
    writing.withLock { _ in
      (text + bytes.count).pointee = 0
      // Names come from the file and go to a terminal.
      for (position, byte) in bytes.enumerated() {
        (text + position).pointee = (32..<127).contains(byte) ? byte : UInt8(ascii: "?")
      }
    }
  }

  static func end() { writing.withLock { _ in text.pointee = 0 } }
}
