/// Turns what a program did into its exit status and, where it failed, one line on standard error.
package enum ExitStatus {
  /// Returns what `body` returns, 2 when it throws `UsageError`, 1 when it throws anything else or results could not be written.
  package static func of(_ body: () throws -> Int32) -> Int32 {
    do {
      let status = try body()
      guard let failure = StandardStreams.outputFailure else { return status }
      StandardStreams.error("error: standard output: cannot be written: \(failure)\n")
      return 1
    } catch let error as UsageError {
      StandardStreams.error("error: usage: \(oneLine(error.message))\n")
      return 2
    } catch {
      StandardStreams.error("error: \(oneLine("\(error)"))\n")
      return 1
    }
  }

  /// An error is one line, whatever a file name or a model's text holds.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F || (0x80..<0xA0).contains($0.value) || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0 }))
  }
}
