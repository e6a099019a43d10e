import SwiftletAudio
import SwiftletCommandLine

/// Runs a task over sound files and prints its results in the form asked for.
struct SoundRunner {
  /// The largest file on standard input.
  private static let mostBytes = 1 << 30

  private let batch: BatchRunner

  /// - Throws: `UsageError` before any file is touched.
  init(_ arguments: Arguments) throws(UsageError) {
    batch = try BatchRunner(arguments, .sounds, try Operands(files: arguments, .sounds))
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
    _ perform: @escaping @Sendable (AudioClip, String) throws -> AudioClassificationsResult
  ) throws -> Int32 {
    try batch.run(capacity) { [readsLines = batch.readsLines] path, _ in
      try perform(try Self.load(path, readsLines: readsLines), path)
    }
  }

  private static func load(_ path: String, readsLines: Bool) throws -> AudioClip {
    guard path == "-" else {
      try InputFile.require(path)
      return try AudioClip(contentsOf: path)
    }
    guard !readsLines else {
      throw ToolError(file: "-", reason: "standard input holds the list of sounds, not a sound")
    }
    return try AudioClip(wav: try InputFile.standardInput(atMost: mostBytes, as: "a sound"))
  }
}
