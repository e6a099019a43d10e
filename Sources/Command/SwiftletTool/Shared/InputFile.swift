import SwiftletCommandLine

/// Files and folders that a command reads.
enum InputFile {
  /// - Throws: `ToolError` when there is no such file, with the one that was probably meant.
  static func require(_ path: String) throws(ToolError) { try require(path, "file") }

  /// - Throws: `ToolError` when there is no such folder, with the one that was probably meant.
  static func requireFolder(_ path: String) throws(ToolError) { try require(path, "folder") }

  /// All of standard input.
  ///
  /// - Throws: `ToolError` when it has more than `limit` bytes.
  static func standardInput(atMost limit: Int, as kind: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = try StandardStreams.input(upTo: 1 << 18) {
      bytes += more
      guard bytes.count <= limit else {
        throw ToolError(file: "standard input", reason: "has more than the \(limit) bytes that \(kind) may have")
      }
    }
    return bytes
  }

  private static func require(_ path: String, _ kind: String) throws(ToolError) {
    guard MissingFile.isMissing(path) else { return }
    throw ToolError(
      file: path, reason: "there is no such \(kind)" + (MissingFile.hint(for: path).map { "; " + $0 } ?? ""))
  }
}
