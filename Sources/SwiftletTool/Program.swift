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
  ]

  /// Runs the command line and returns the exit status: 0 done, 1 failed, 2 wrong usage.
  static func run(_ words: [String]) -> Int32 {
    do {
      let status = try dispatch(words)
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

  /// An error is one line, whatever a file name or a model's text holds.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F || (0x80..<0xA0).contains($0.value) || $0.value == 0x2028 || $0.value == 0x2029 ? " " : $0 }))
  }
}

/// Ends the program.
func exit(withStatus status: Int32) -> Never { Foundation.exit(status) }
