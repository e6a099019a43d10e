import Foundation

/// Runs other programs for their output.
package enum OtherProgram {
  /// Whether Python is installed, which the tools of the repository need.
  package static let hasPython = places(of: ["python3"]).contains(where: FileManager.default.isExecutableFile)

  /// Returns the paths at which a shell would look for the programs.
  package static func places(of names: [String]) -> [String] {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.flatMap { folder in names.map { "\(folder)/\($0)" } }
  }

  /// Runs a program without input and waits for its end.
  ///
  /// - Returns: The exit status and the standard output.
  package static func run(
    _ path: String, _ arguments: [String], in folder: String? = nil
  ) throws -> (status: Int32, output: String) {
    let process = Process(), output = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    try process.run()
    // Read before waiting: a program that fills the pipe would never end.
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
  }
}
