import Foundation
import SwiftletTestSupport

/// Runs the built program as a user's shell does.
enum Tool {
  struct Result: Sendable {
    var status: Int32
    var output: String
    var error: String

    /// Returns standard output as a JSON object.
    func json() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }
  }

  /// Returns the path of a program next to the test bundle, where SwiftPM puts it.
  static func path(of program: String) -> String {
    let bundle = Bundle.allBundles.map(\.bundleURL).first { $0.pathExtension == "xctest" } ?? Bundle.main.bundleURL
    let candidates = [
      bundle.deletingLastPathComponent(), Bundle.main.bundleURL,
      URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent(),
    ]
    return candidates.map { $0.appendingPathComponent(program).path }
      .first { FileManager.default.isExecutableFile(atPath: $0) } ?? program
  }

  static func run(_ arguments: String..., input: [UInt8] = []) throws -> Result {
    try run(arguments, input: input)
  }

  /// - Parameter environment: Additional environment variables.
  static func run(
    _ arguments: [String], input: [UInt8] = [], program: String = "swiftlet", environment: [String: String] = [:]
  ) throws -> Result {
    let process = Process()
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.executableURL = URL(fileURLWithPath: path(of: program))
    process.arguments = arguments
    // Use files instead of pipes, because a full pipe would block the program.
    let folder = try TemporaryFolder()
    for name in ["in", "out", "err"] { try Data(name == "in" ? input : []).write(to: folder.url(name)) }
    process.standardInput = try FileHandle(forReadingFrom: folder.url("in"))
    process.standardOutput = try FileHandle(forWritingTo: folder.url("out"))
    process.standardError = try FileHandle(forWritingTo: folder.url("err"))
    try process.run()
    process.waitUntilExit()
    let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
    return Result(
      status: status, output: try String(contentsOf: folder.url("out"), encoding: .utf8),
      error: try String(contentsOf: folder.url("err"), encoding: .utf8))
  }
}

/// A directory that is deleted with the object.
final class TemporaryFolder {
  private let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("swiftlet-test-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ name: String) -> URL { root.appendingPathComponent(name) }
  func path(_ name: String) -> String { url(name).path }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url(name))
    return path(name)
  }
}
