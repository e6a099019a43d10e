import SwiftletAudio
import SwiftletCommandLine
import SwiftletBase

/// Runs a task over sound files and prints its results in the form asked for.
struct SoundRunner {
  /// The largest file on standard input.
  private static let maximumBytes = 1 << 30

  private let batch: BatchRunner
  private let form: OutputForm
  private let timeout: Duration?
  /// The only sound, whose windows are printed as soon as each is done; `nil` if there are several.
  private let single: String?

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .sounds, try Operands(files: arguments, .sounds))
    form = try OutputForm(arguments)
    timeout = RuntimeArguments.duration(arguments)
    single = batch.isList ? nil : arguments.operands.first
  }

  /// How the model is run on the sounds.
  func baseOptions(_ model: ModelSource, _ arguments: Arguments) -> BaseOptions {
    RuntimeArguments.baseOptions(
      model, arguments, jobs: BatchArguments.jobs(arguments, isList: batch.isList))
  }

  /// Runs a task on every sound.
  ///
  /// - Parameters:
  ///   - capacity: How many clips the task takes.
  ///   - perform: the task; gets the sound and the path that it goes by. Called for several at once.
  /// - Returns: the exit status.
  func run(
    _ capacity: BatchCapacity,
    _ perform: @escaping @Sendable (AudioClip, String) throws -> AudioClassificationsResult<AudioWindows>
  ) throws -> Int32 {
    if let single { return try run(on: single, perform) }
    return try batch.run(capacity) { [readsLines = batch.readsLines] path, _ in
      try perform(try Self.load(path, readsLines: readsLines), path)
    }
  }

  /// Prints the pieces of one sound's result as they come: nothing of them is held, however long the sound is.
  private func run(
    on path: String, _ perform: (AudioClip, String) throws -> AudioClassificationsResult<AudioWindows>
  ) throws -> Int32 {
    var isBegun = false
    defer { if isBegun, form != .text { StandardStreams.output("\n") } }
    do {
      try CallContext.within(timeout) {
        let result = try perform(try Self.load(path, readsLines: false), path)
        try result.write(form) { piece in
          isBegun = true
          StandardStreams.output(piece)
          // Behind `head`, the rest is of use to nobody.
          if StandardStreams.isOutputClosed { throw OutputClosed() }
        }
      }
    } catch is OutputClosed {
    } catch {
      throw BatchRunner.failure(error, of: path)
    }
    return 0
  }

  private struct OutputClosed: Error {}

  private static func load(_ path: String, readsLines: Bool) throws -> AudioClip {
    guard path == "-" else {
      try InputFile.require(path)
      return try AudioClip(contentsOf: path)
    }
    guard !readsLines else {
      throw ToolError(file: "-", reason: "standard input holds the list of sounds, not a sound")
    }
    return try AudioClip(wav: try InputFile.standardInput(atMost: maximumBytes, as: "a sound"))
  }
}
