#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// Standard output and error, written at once and in full.
package enum StandardStreams {
  private static let outputErrorNumber = Atomic<Int32>(0)

  /// Results.
  package static func output(_ text: String) {
    let number = write(text, to: 1)
    // A reader that went away, such as `head`, is no reason to fail; a full disk is.
    if number != 0, number != EPIPE { outputErrorNumber.store(number, ordering: .relaxed) }
  }

  /// Progress, warnings and errors.
  package static func error(_ text: String) { _ = write(text, to: 2) }

  /// What comes in next on standard input, as soon as there is any; `nil` at the end.
  ///
  /// - Throws: `InputFailure` with the system's reason.
  package static func input(upTo limit: Int) throws(InputFailure) -> [UInt8]? {
    let (bytes, number) = SystemFile.read(upTo: limit, from: 0)
    guard number == 0 else { throw InputFailure(reason: SystemFile.describe(number)) }
    return bytes.isEmpty ? nil : bytes
  }

  /// Why standard input could not be read.
  package struct InputFailure: Error, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String { "standard input: cannot be read: \(reason)" }
  }

  /// Why results could not be written, or `nil` when all were: a program that lost results has failed.
  package static var outputFailure: String? {
    let number = outputErrorNumber.load(ordering: .relaxed)
    return number == 0 ? nil : SystemFile.describe(number)
  }

  /// Whether a person watches standard error.
  package static var isErrorTerminal: Bool { isatty(2) != 0 }

  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { SystemFile.writeAll($0, to: descriptor) }
  }
}
