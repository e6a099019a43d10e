import Foundation

/// The fuzzers' program, which tries a file in a process of its own: a fault there ends that process, not the tests.
enum FuzzProcess {
  /// Next to the test bundle, where SwiftPM puts it.
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
    /// 0 when everything came back.
    var status: Int32
    var isSignal: Bool
    var text: String
  }

  /// Replays a model within a time and a memory that no debug build of an honest engine needs.
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
