import SwiftletAudio
import SwiftletCommandLine
import SwiftletJSON

/// Runs a task over sound files and prints its results in the form asked for.
///
/// Of several sounds, one that fails does not keep the others from being done.
struct SoundRunner {
  /// The largest file on standard input.
  private static let mostBytes = 1 << 30

  private let paths: [String]
  private let readsList: Bool
  private let endsAtFailure: Bool
  private let printer: ResultPrinter

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    paths = arguments.operands
    readsList = arguments.flag("stdin-list")
    endsAtFailure = arguments.flag("fail-fast")
    if readsList, !paths.isEmpty {
      throw UsageError("--stdin-list and sounds on the command line exclude each other")
    }
    if !readsList, paths.isEmpty { throw UsageError("at least one sound is needed") }
    if paths.count(where: { $0 == "-" }) > 1 { throw UsageError("standard input holds one sound, '-' is given twice") }
    printer = try ResultPrinter(arguments)
  }

  private var isList: Bool { readsList || paths.count > 1 }

  /// Runs a task on every sound.
  ///
  /// - Parameter perform: the task; gets the sound and the path that it goes by.
  /// - Returns: the exit status: 1 when a sound of several failed.
  /// - Throws: `ToolError` when the only sound failed, or the first one with `--fail-fast`.
  func run(_ perform: (AudioClip, String) throws -> AudioClassificationsResult) throws -> Int32 {
    var printer = printer
    var status: Int32 = 0
    try forEachPath { path in
      do {
        let result = try perform(try load(path), path)
        printer.print(json: result.json, text: result.text)
      } catch {
        let failure = error as? ToolError ?? ToolError(file: path, reason: "\(error)")
        guard isList, !endsAtFailure else { throw failure }
        status = 1
        if printer.form == .text {
          StandardStreams.error("error: \(failure)\n")
        } else {
          printer.print(json: .object(["audio": .string(path), "error": .string(failure.reason)]), text: "")
        }
      }
    }
    printer.finish(isList: isList)
    return status
  }

  private func forEachPath(_ body: (String) throws -> Void) throws {
    guard readsList else { return try paths.forEach(body) }
    while let line = readLine() {
      if !line.isEmpty { try body(line) }
    }
  }

  private func load(_ path: String) throws -> AudioClip {
    guard path == "-" else {
      try InputFile.require(path)
      return try AudioClip(contentsOf: path)
    }
    guard !readsList else {
      throw ToolError(file: "-", reason: "standard input holds the list of sounds, not a sound")
    }
    return try AudioClip(wav: try InputFile.standardInput(atMost: Self.mostBytes, as: "a sound"))
  }
}
