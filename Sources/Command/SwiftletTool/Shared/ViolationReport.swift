import Foundation
import SwiftletEngine

/// Says which operator it was when checked mode ends the program.
enum ViolationReport {
  // Plain memory that is allocated before the handler is installed: a handler must not run the initialiser of a global.
  nonisolated(unsafe) private static var text: UnsafePointer<UInt8>?
  nonisolated(unsafe) private static var start: UnsafePointer<UInt8>?
  nonisolated(unsafe) private static var end: UnsafePointer<UInt8>?

  /// Reports the signals of memory faults before their default action.
  static func install() {
    guard text == nil else { return }
    text = UnsafePointer(CheckedReport.text)
    start = copy("checked mode: ")
    end = copy(" touched memory outside of its tensors\n")
    for number in [SIGSEGV, SIGBUS] { signal(number, report) }
  }

  private static func copy(_ string: String) -> UnsafePointer<UInt8> {
    let bytes = Array(string.utf8) + [0]
    let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
    copy.initialize(from: bytes, count: bytes.count)
    return UnsafePointer(copy)
  }

  /// Calls only what a handler may.
  private static let report: @convention(c) (Int32) -> Void = { number in
    // The access is made again when the handler returns.
    signal(number, SIG_DFL)
    guard let text, text.pointee != 0 else { return }
    write(start)
    write(text)
    write(end)
  }

  private static func write(_ part: UnsafePointer<UInt8>?) {
    guard let part else { return }
    _ = Foundation.write(STDERR_FILENO, part, strlen(part))
  }
}
