import SwiftletCommandLine
import SwiftletBase

/// A command of the program: what it takes, and what it does.
protocol ToolCommand: Sendable {
  static var declaration: CommandDeclaration { get }

  /// Returns the exit status: 0 done, 1 a check did not hold.
  ///
  /// - Throws: `UsageError` for arguments without meaning, anything else when the work failed.
  static func run(_ arguments: Arguments) throws -> Int32
}

extension ToolCommand {
  /// - Throws: `UsageError` where an option is given that means nothing beside the flag.
  static func requireAlone(_ flag: String, besides allowed: [String], _ arguments: Arguments) throws(UsageError) {
    let names = declaration.options.map(\.name)
    if let other = names.first(where: { $0 != flag && !allowed.contains($0) && arguments.flag($0) }) {
      throw UsageError("--\(flag) and --\(other) exclude each other")
    }
  }
}

/// A failure that names the file it is about.
struct ToolError: Error, CustomStringConvertible {
  var file: String
  var reason: String

  var description: String { "\(file.excerpt): \(reason)" }
}
