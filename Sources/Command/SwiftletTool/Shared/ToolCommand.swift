import SwiftletCommandLine

/// A command of the program: what it takes, and what it does.
protocol ToolCommand: Sendable {
  static var declaration: CommandDeclaration { get }

  /// Returns the exit status: 0 done, 1 a check did not hold.
  ///
  /// - Throws: `UsageError` for arguments without meaning, anything else when the work failed.
  static func run(_ arguments: Arguments) throws -> Int32
}

/// A failure that names the file it is about.
struct ToolError: Error, CustomStringConvertible {
  var file: String
  var reason: String

  var description: String { "\(file): \(reason)" }
}
