import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletBase

/// The program `swiftlet`: finds and runs the command, and converts errors into one line and an exit status.
enum Program {
  static let name = "swiftlet"
  static let version = "0.2.0"

  /// The commands, in the order of the help text.
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
    LandmarkHandsCommand.self,
    RecognizeGesturesCommand.self,
    LandmarkFacesCommand.self,
    LandmarkPosesCommand.self,
    LandmarkHolisticCommand.self,
    ClassifyAudioCommand.self,
    ClassifyTextCommand.self,
    EmbedTextCommand.self,
    DetectLanguageCommand.self,
    TrackCommand.self,
    ModelsCommand.self,
    DemoCommand.self,
    CompletionsCommand.self,
    HelpCommand.self,
  ]

  /// The source of help, manual, and completions.
  static let declaration = ProgramDeclaration(
    name: name, version: version, date: "2026-11-24",
    summary: "runs .tflite models and tasks on images, sound and texts in pure Swift",
    description: """
      \(name) describes, runs, verifies and measures .tflite models, and finds faces, objects, hands and bodies and their points, segments, embeds and classifies images with them, says what can be heard in sounds, and classifies and embeds texts. \
      Options are long, --name value or --name=value; lists are separated by commas; a lone -- ends the options.
      Results go to standard output, everything else to standard error. An error is one line. Files appear whole or not at all. Nothing is asked of the \
      network but by 'models fetch'.
      """,
    commands: commands.map { $0.declaration },
    environment: [
      .init("NO_COLOR", "set to anything: no colors and no bold text, also on a terminal"),
      .init("TERM", "dumb, or not set: neither those nor a progress bar"),
      .init("SWIFTLET_MODELS", "the folder that 'models fetch' keeps models in"),
      .init(
        "XDG_DATA_HOME",
        "where that folder is by default: $XDG_DATA_HOME/swiftlet/models, else ~/.local/share/swiftlet/models (not on Apple's systems)"
      ),
      .init(
        "SWIFTLET_ISA",
        "the instruction set of the kernels, one of portable, avx2, avxvnni and avx512 (x86-64), portable, neon, dotprod and i8mm (arm64), if the processor has it (default: the best that it has); to compare them"
      ),
    ],
    files: [
      .init("~/.local/share/swiftlet/models", "the models that were fetched"),
      .init("~/Library/Application Support/swiftlet/models", "the same on Apple's systems"),
    ])

  /// Runs the command line and returns the exit status: 0 for success, 1 for failure, 2 for wrong usage.
  static func run(_ words: [String]) -> Int32 {
    ExitStatus.of {
      try StandardStreams.requireOpenFiles()
      return try dispatch(words)
    }
  }

  private static func dispatch(_ words: [String]) throws -> Int32 {
    guard let first = words.first else {
      StandardStreams.error(
        HelpText(style: StandardStreams.errorStyle, width: StandardStreams.errorWidth).overview(declaration))
      return 2
    }
    if words.contains("--version"), !words.prefix(while: { $0 != "--version" }).contains("--") {
      StandardStreams.output("\(name) \(version)\n")
      return 0
    }
    if first == "--help" {
      StandardStreams.outputStyled(HelpText.standard.overview(declaration))
      return 0
    }
    let command = try command(first)
    let rest = words.dropFirst()
    if rest.prefix(while: { $0 != "--" }).contains("--help") {
      StandardStreams.outputStyled(HelpText.standard.command(command.declaration, program: name))
      return 0
    }
    return try command.run(try Arguments(rest, for: command.declaration))
  }

  /// Returns the command with the given name.
  ///
  /// - Throws: `UsageError` with a suggestion.
  static func command(_ word: String) throws(UsageError) -> any ToolCommand.Type {
    if let command = commands.first(where: { $0.declaration.name == word }) { return command }
    let names = commands.map { $0.declaration.name }
    let hint =
      Suggestion.nearest(to: word, in: names).map { "did you mean '\($0)'?" }
      ?? "there are \(names.joined(separator: ", "))"
    throw UsageError("unknown command '\(word.excerpt)'; \(hint)")
  }
}

/// Ends the program.
func exit(withStatus status: Int32) -> Never { Foundation.exit(status) }
