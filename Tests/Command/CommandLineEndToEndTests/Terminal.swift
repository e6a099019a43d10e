import Foundation

/// Runs the program on a pseudo-terminal, which the util-linux command `script` creates.
enum Terminal {
  private static let script = "/usr/bin/script"

  /// Whether `script` is installed and can open a terminal, which some containers don't allow.
  static let isAvailable: Bool = {
    guard FileManager.default.isExecutableFile(atPath: script) else { return false }
    let process = shell("true")
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// Returns a process that runs a shell command on a terminal of its own.
  private static func shell(_ command: String) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: script)
    process.arguments = ["--quiet", "--return", "--command", command, "/dev/null"]
    process.standardInput = FileHandle.nullDevice
    return process
  }

  /// Returns everything that a user sees: both output streams of the program.
  ///
  /// - Parameters:
  ///   - environment: Additional environment variables.
  ///   - redirection: A shell redirection of the streams.
  ///   - columns: The terminal width; without it, programs get no width.
  static func text(of arguments: [String], environment: [String: String], redirection: String = "", columns: Int? = nil)
    throws -> String
  {
    let size = columns.map { "stty cols \($0); " } ?? ""
    let command =
      size + ([Tool.path(of: "swiftlet")] + arguments).map { "'" + $0 + "'" }.joined(separator: " ") + " " + redirection
    let process = shell(command)
    var variables = ProcessInfo.processInfo.environment
    variables["NO_COLOR"] = nil
    variables["TERM"] = "xterm"
    process.environment = variables.merging(environment) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
