import Foundation
import Swiftlet
import SwiftletCommandLine
import SwiftletMeasurement

/// The resources that an engine needs for its first result in a fresh process.
struct FreshStart: Codable {
  var loadMilliseconds: Double
  var firstMilliseconds: Double
  /// The increase of peak resident memory in bytes. It includes the engine's own code, unless another model ran before.
  var memoryBytes: Int

  enum CodingKeys: String, CodingKey {
    case loadMilliseconds = "load_ms"
    case firstMilliseconds = "first_ms"
    case memoryBytes = "memory_bytes"
  }

  var total: Double { loadMilliseconds + firstMilliseconds }

  init(loadMilliseconds: Double, firstMilliseconds: Double, memoryBytes: Int) {
    self.loadMilliseconds = loadMilliseconds
    self.firstMilliseconds = firstMilliseconds
    self.memoryBytes = memoryBytes
  }

  /// Creates the medians of several starts.
  init(mediansOf starts: [FreshStart]) {
    loadMilliseconds = Sample(starts.map(\.loadMilliseconds)).median
    firstMilliseconds = Sample(starts.map(\.firstMilliseconds)).median
    memoryBytes = Int(Sample(starts.map { Double($0.memoryBytes) }).median)
  }

  private init(_ path: String, after other: String?, options: RuntimeOptions) throws {
    if let other { _ = try MeasuredModel(other, options: options) }
    let memory = ProcessMemory()
    let model = try MeasuredModel(path, options: options)
    loadMilliseconds = model.load
    firstMilliseconds = model.first
    memoryBytes = memory.growth
  }

  // MARK: Child process

  /// The first argument of the child process; not for users.
  static let word = "--fresh-start"

  /// Runs the child process: `--fresh-start MODEL THREADS NUMERICS PRECISION [OTHER]`, where another model can run
  /// first.
  static func run(_ words: [String]) throws -> Int32 {
    guard words.count == 5 || words.count == 6, let threads = Int(words[2]),
      let numerics = Numerics(rawValue: words[3]),
      let precision = Precision(rawValue: words[4])
    else { throw UsageError("\(word) is for this program's own use") }
    let options = RuntimeOptions(threads: threads, numerics: numerics, precision: precision)
    let text = String(
      decoding: try JSONEncoder().encode(
        try FreshStart(words[1], after: words.count == 6 ? words[5] : nil, options: options)), as: UTF8.self)
    StandardStreams.output(text + "\n")
    return 0
  }

  /// Starts this program again for one model, optionally after it has run another one.
  static func measure(_ path: String, after other: String? = nil, options: RuntimeOptions) throws -> FreshStart {
    let process = Process()
    process.executableURL = Bundle.main.executableURL
    process.arguments =
      [word, path, String(options.threads), options.numerics.rawValue, options.precision.rawValue]
      + [other].compactMap(\.self)
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw MeasurementFailure(file: path, reason: "a fresh process failed to run it")
    }
    return try JSONDecoder().decode(FreshStart.self, from: data)
  }
}
