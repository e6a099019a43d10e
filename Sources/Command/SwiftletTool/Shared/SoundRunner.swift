import SwiftletAudio
import SwiftletCommandLine
import SwiftletBase

/// Runs a task on audio files and prints its results in the requested form.
struct SoundRunner {
  /// The maximum size of a file on standard input.
  private static let maximumBytes = 1 << 30

  private let batch: BatchRunner
  private let form: OutputForm
  private let timeout: Duration?
  /// The single file, whose windows are printed as soon as each is done; `nil` if there are several files.
  private let single: String?

  /// Creates a runner.
  ///
  /// - Throws: `UsageError` before any file is accessed.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .audioFiles, try Operands(files: arguments, .audioFiles))
    form = try OutputForm(arguments)
    timeout = RuntimeArguments.duration(arguments)
    single = batch.isList ? nil : arguments.operands.first
  }

  /// Returns the options for running the model on the audio files.
  func baseOptions(_ model: ModelSource, _ arguments: Arguments) -> BaseOptions {
    RuntimeArguments.baseOptions(
      model, arguments, jobs: BatchArguments.jobs(arguments, isList: batch.isList))
  }

  /// Runs a task on every audio file.
  ///
  /// - Parameters:
  ///   - capacity: The number of clips that the task accepts.
  ///   - perform: The task, which receives the audio and its path. It's called concurrently for several files.
  /// - Returns: The exit status.
  func run(
    _ capacity: BatchCapacity,
    _ perform: @escaping @Sendable (AudioClip, String) throws -> AudioClassificationsResult<AudioWindows>
  ) throws -> Int32 {
    if let single { return try run(on: single, perform) }
    return try batch.run(capacity) { [readsLines = batch.readsLines] path, _ in
      try perform(try Self.load(path, readsLines: readsLines), path)
    }
  }

  /// Prints the pieces of one file's result as they arrive. None are held in memory, however long the audio is.
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
          // The reader, such as `head`, is gone, so the rest is useless.
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
