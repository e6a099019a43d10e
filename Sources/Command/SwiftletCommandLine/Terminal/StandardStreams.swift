import SwiftletBase

/// Standard output and error, written immediately and completely.
package enum StandardStreams {
  private static let outputErrorNumber = Atomic<Int>(0)

  /// Writes results. Line feeds are kept. Other control characters, including those that change the text direction,
  /// don't reach the terminal.
  package static func output(_ text: String) { outputStyled(SanitizedText.lines(text)) }

  /// Writes the program's own text, which can contain control sequences and tabs. Don't pass text from files or
  /// servers.
  package static func outputStyled(_ text: String) {
    let number = write(text, to: 1)
    if number != 0 { outputErrorNumber.store(Int(number), ordering: .relaxed) }
  }

  /// Writes progress and usage.
  package static func error(_ text: String) { _ = write(text, to: 2) }

  /// Writes a warning in a single line, whatever a file name or a model's text contains.
  package static func warn(_ text: String) { error(errorStyle.yellow("warning:") + " \(text.sanitized)\n") }

  /// Writes the reason of the program's failure in a single line.
  package static func fail(_ text: String) { error(errorStyle.red("error:") + " \(text.sanitized)\n") }

  /// Returns the next bytes of standard input as soon as there are any; `nil` at the end.
  ///
  /// - Throws: `InputFailure` with the system's reason.
  package static func input(upTo limit: Int) throws(InputFailure) -> [UInt8]? {
    let (bytes, number) = SystemFile.read(upTo: limit, from: 0)
    guard number == 0 else { throw InputFailure(reason: SystemFile.describe(number)) }
    return bytes.isEmpty ? nil : bytes
  }

  /// The reason why standard input could not be read.
  package struct InputFailure: Error, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String { "standard input: cannot be read: \(reason)" }
  }

  /// The reason why results could not be written, or `nil` if all were: a program that lost results has failed.
  package static var outputFailure: String? {
    let number = Int32(truncatingIfNeeded: outputErrorNumber.load(ordering: .relaxed))
    // A pipe that its reader closed, such as `head`, isn't a failure. A full disk is.
    return number == 0 || number == EPIPE ? nil : SystemFile.describe(number)
  }

  /// Whether the reader of the results is gone, as after `head`, so that remaining work is useless.
  package static var isOutputClosed: Bool { outputErrorNumber.load(ordering: .relaxed) == Int(EPIPE) }

  /// The maximum number of files that are open at the same time, besides the standard streams: an input, an output, and
  /// the descriptors that Dispatch waits with. Dispatch terminates a program that has none left.
  private static let openFileCount = 4

  /// Checks that the program can open as many files as it needs.
  ///
  /// - Throws: `OpenFileFailure` if it cannot.
  package static func requireOpenFiles() throws(OpenFileFailure) {
    if let reason = SystemFile.reasonAgainstOpening(openFileCount) { throw OpenFileFailure(reason: reason) }
  }

  /// The reason why the program cannot work at all.
  package struct OpenFileFailure: Error, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String {
      "the program cannot open \(openFileCount) more files: \(reason); raise the limit, as with ulimit -n 64"
    }
  }

  // MARK: Terminals

  /// Whether standard error is a terminal that can redraw a line.
  package static var isErrorDrawable: Bool { isatty(2) != 0 && TextStyle.understandsControl(variable("TERM")) }

  /// The style of results.
  package static let outputStyle = style(of: 1)
  /// The style of errors and progress.
  package static let errorStyle = style(of: 2)

  /// The number of columns for results, or `nil` if the terminal reports none.
  package static var outputWidth: Int? { width(of: 1) }
  package static var errorWidth: Int? { width(of: 2) }

  private static func style(of descriptor: Int32) -> TextStyle {
    TextStyle(isTerminal: isatty(descriptor) != 0, environment: variable)
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func width(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) != 0 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static func write(_ text: String, to descriptor: Int32) -> Int32 {
    var text = text
    return text.withUTF8 { SystemFile.writeAll($0, to: descriptor) }
  }
}

/// Converts the outcome of a program into its exit status and, if it failed, one line on standard error.
package enum ExitStatus {
  /// The meaning of each status, for help and the manual.
  package static let meanings: [ProgramDeclaration.Entry] = [
    .init("0", "all was done"),
    .init("1", "it failed, or a check did not hold: a model or image that cannot be read, a result that differs"),
    .init("2", "wrong usage"),
  ]

  /// Returns the result of `body`, 2 if it throws `UsageError`, or 1 if it throws another error or results could not be
  /// written.
  package static func of(_ body: () throws -> Int32) -> Int32 {
    do {
      let status = try body()
      guard let failure = StandardStreams.outputFailure else { return status }
      StandardStreams.fail("standard output: cannot be written: \(failure)")
      return 1
    } catch let error as UsageError {
      StandardStreams.fail("usage: \(error.message)")
      return 2
    } catch {
      StandardStreams.fail("\(error)")
      return 1
    }
  }
}
