import Foundation

/// Runs the fuzzing program on a file in a process of its own, so that a crash doesn't end the tests.
enum FuzzProcess {
  /// The program next to the test bundle, where SwiftPM puts it.
  private static let program: URL = {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
    let folders = [
      bundle.deletingLastPathComponent(), Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return folders.map { $0.appendingPathComponent("SwiftletFuzz") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? URL(fileURLWithPath: "SwiftletFuzz")
  }()

  struct Result {
    /// The exit status, 0 if all calls returned.
    var status: Int32
    var isSignal: Bool
    var text: String
  }

  /// Replays a model with limits on time and memory that even a debug build doesn't reach without a defect.
  static func replay(_ path: String, defaultLimits: Bool) throws -> Result {
    let common = ["replay", "model", path, "--deadline", "60000", "--memory", "3072"]
    return defaultLimits ? try run(common + ["--default-limits"]) : try run(common)
  }

  static func run(_ arguments: [String]) throws -> Result {
    let process = Process(), output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Result(status: process.terminationStatus, isSignal: process.terminationReason == .uncaughtSignal, text: text)
  }
}
