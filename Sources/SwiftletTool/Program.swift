import Foundation
import Swiftlet
import SwiftletCommandLine

/// The program `swiftlet`: finds the command, runs it, and turns errors into one line and an exit status.
enum Program {
  static let name = "swiftlet"
  static let version = "0.1.0"

  /// One line each, in the order of the help text.
  static let commands: [any ToolCommand.Type] = [
    InspectCommand.self,
    RunCommand.self,
    VerifyCommand.self,
    BenchCommand.self,
    DetectObjectsCommand.self,
    DetectFacesCommand.self,
    SegmentCommand.self,
    EmbedCommand.self,
    ClassifyCommand.self,
    TrackCommand.self,
    ModelsCommand.self,
  ]

  /// Runs the command line and returns the exit status: 0 done, 1 failed, 2 wrong usage.
  static func run(_ words: [String]) -> Int32 {
    ExitStatus.of { try dispatch(words) }
  }

  private static func dispatch(_ words: [String]) throws -> Int32 {
    guard let first = words.first else {
      StandardStreams.error(overview)
      return 2
    }
    if words.contains("--version"), !words.prefix(while: { $0 != "--version" }).contains("--") {
      StandardStreams.output("\(name) \(version)\n")
      return 0
    }
    if first == "--help" || (first == "help" && words.count == 1) {
      StandardStreams.output(overview)
      return 0
    }
    if first == "help" {
      StandardStreams.output(HelpText.command(try command(words[1]).declaration, program: name))
      return 0
    }
    let command = try command(first)
    let rest = words.dropFirst()
    if rest.prefix(while: { $0 != "--" }).contains("--help") {
      StandardStreams.output(HelpText.command(command.declaration, program: name))
      return 0
    }
    return try command.run(try Arguments(rest, for: command.declaration))
  }

  private static var overview: String {
    HelpText.overview(commands.map { $0.declaration }, program: name, summary: "runs .tflite models and vision tasks in pure Swift")
  }

  private static func command(_ word: String) throws(UsageError) -> any ToolCommand.Type {
    if let command = commands.first(where: { $0.declaration.name == word }) { return command }
    let names = commands.map { $0.declaration.name }
    let hint = Suggestion.nearest(to: word, in: names).map { "did you mean '\($0)'?" } ?? "there are \(names.joined(separator: ", "))"
    throw UsageError("unknown command '\(word)'; \(hint)")
  }
}

/// Ends the program.
func exit(withStatus status: Int32) -> Never { Foundation.exit(status) }
