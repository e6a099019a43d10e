import SwiftletBase

/// Standard output and error, written at once and in full.
package enum StandardStreams {
  private static let outputErrorNumber = Atomic<Int>(0)

  /// Results. Line feeds are kept; no other control character of the text, and none that turns its direction, reaches
  /// the terminal.
  package static func output(_ text: String) { outputStyled(SanitizedText.lines(text)) }

  /// The program's own text, which may hold control sequences and tabs. Text from files and servers must not be passed
  /// here.
  package static func outputStyled(_ text: String) {
    let number = write(text, to: 1)
    if number != 0 { outputErrorNumber.store(Int(number), ordering: .relaxed) }
  }

  /// Progress and usage.
  package static func error(_ text: String) { _ = write(text, to: 2) }

  /// A warning, always one line, whatever a file name or a model's text holds.
  package static func warn(_ text: String) { error(errorStyle.yellow("warning:") + " \(text.shown)\n") }

  /// Why the program failed, as one line.
  package static func fail(_ text: String) { error(errorStyle.red("error:") + " \(text.shown)\n") }

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
    let number = Int32(truncatingIfNeeded: outputErrorNumber.load(ordering: .relaxed))
    // A closed pipe, such as that of `head`, is no failure; a full disk is one.
    return number == 0 || number == EPIPE ? nil : SystemFile.describe(number)
  }

  /// Whether nobody reads results any more, as behind `head`: what is still to be done is of use to nobody.
  package static var isOutputClosed: Bool { outputErrorNumber.load(ordering: .relaxed) == Int(EPIPE) }

  /// Files that the program has open at the same time at most, besides the standard streams: input and output, and what
  /// Dispatch waits with, which ends a program that has none left.
  private static let openFileCount = 4

  /// - Throws: `OpenFileFailure` if the program cannot have as many files open as it needs.
  package static func requireOpenFiles() throws(OpenFileFailure) {
    if let reason = SystemFile.reasonAgainstOpening(openFileCount) { throw OpenFileFailure(reason: reason) }
  }

  /// Why the program cannot work at all.
  package struct OpenFileFailure: Error, Sendable, CustomStringConvertible {
    package let reason: String

    package var description: String {
      "the program cannot open \(openFileCount) more files: \(reason); raise the limit, as with ulimit -n 64"
    }
  }

  // MARK: Terminals

  /// Whether a person watches standard error on a terminal that a line can be drawn again on.
  package static var isErrorDrawable: Bool { isatty(2) != 0 && TextStyle.understandsControl(variable("TERM")) }

  /// How results are set off.
  package static let outputStyle = style(of: 1)
  /// How errors and progress are set off.
  package static let errorStyle = style(of: 2)

  /// The number of columns for results and for errors, `nil` where no terminal says so.
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

/// Turns what a program did into its exit status and, where it failed, one line on standard error.
package enum ExitStatus {
  /// What each status says, for help and manual.
  package static let meanings: [ProgramDeclaration.Entry] = [
    .init("0", "all was done"),
    .init("1", "it failed, or a check did not hold: a model or image that cannot be read, a result that differs"),
    .init("2", "wrong usage"),
  ]

  /// Returns what `body` returns, 2 when it throws `UsageError`, 1 when it throws anything else or results could not be
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
