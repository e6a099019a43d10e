/// Turns what a program did into its exit status and, where it failed, one line on standard error.
package enum ExitStatus {
  /// What each status says, for help and manual.
  package static let meanings: [ProgramDeclaration.Entry] = [
    .init("0", "all was done"),
    .init("1", "it failed, or a check did not hold: a model or picture that cannot be read, a result that differs"),
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
