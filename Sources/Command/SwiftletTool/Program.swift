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
    DoctorCommand.self,
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
    StudioCommand.self,
    CompletionsCommand.self,
    HelpCommand.self,
  ]

  /// The source of help, manual, and completions.
  static let declaration = ProgramDeclaration(
    name: name, version: version, date: "2026-11-29",
    summary: "run .tflite models and vision, audio, and text tasks",
    description: """
      \(name) inspects, runs, verifies, and benchmarks .tflite models. It detects objects, faces, and hand, face, and pose landmarks, recognizes gestures, tracks objects in video, segments, embeds, and classifies images, and classifies audio and text. \
      Options have the form --name value or --name=value. Lists are separated by commas. -- ends the options.
      Results are written to standard output, and messages to standard error. An error is one line. Output files are written atomically. Only 'models fetch' \
      uses the network; 'studio' serves a page to this machine.
      """,
    commands: commands.map { $0.declaration },
    environment: [
      .init("NO_COLOR", "if set to any value: no color and no bold text"),
      .init("TERM", "if unset or \"dumb\": no color, bold text, or progress bar"),
      .init("SWIFTLET_MODELS", "the directory of the models that 'models fetch' downloads"),
      .init(
        "XDG_DATA_HOME",
        "the parent of the default models directory, $XDG_DATA_HOME/swiftlet/models; if unset, ~/.local/share/swiftlet/models (not on Apple platforms)"
      ),
      .init(
        "SWIFTLET_ISA",
        "the kernel set, if the CPU supports it: portable, avx2, avxvnni, or avx512 (x86-64); portable, neon, dotprod, or i8mm (arm64) (default: the best that the CPU supports)"
      ),
    ],
    files: [
      .init("~/.local/share/swiftlet/models", "the downloaded models"),
      .init("~/Library/Application Support/swiftlet/models", "the downloaded models on Apple platforms"),
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
