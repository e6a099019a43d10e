import Foundation

/// Runs other programs for their output.
package enum OtherProgram {
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
