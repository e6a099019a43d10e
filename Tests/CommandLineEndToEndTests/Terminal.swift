import Foundation

/// Runs the program on a terminal, which the command `script` of util-linux makes.
enum Terminal {
  private static let script = "/usr/bin/script"

  static var isAvailable: Bool { FileManager.default.isExecutableFile(atPath: script) }

  /// All that a person sees: both streams of the program.
  static func text(of arguments: [String], environment: [String: String]) throws -> String {
    let command = ([Tool.path(of: "swiftlet")] + arguments).map { "'" + $0 + "'" }.joined(separator: " ")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: script)
    process.arguments = ["--quiet", "--return", "--command", command, "/dev/null"]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
