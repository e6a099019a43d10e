import SwiftletCommandLine

/// Files and folders that a command reads.
enum InputFile {
  /// - Throws: `ToolError` when there is no such file, with the one that was probably meant.
  static func require(_ path: String) throws(ToolError) { try require(path, "file") }

  /// - Throws: `ToolError` when there is no such folder, with the one that was probably meant.
  static func requireFolder(_ path: String) throws(ToolError) { try require(path, "folder") }

  private static func require(_ path: String, _ kind: String) throws(ToolError) {
    guard MissingFile.isMissing(path) else { return }
    throw ToolError(
      file: path, reason: "there is no such \(kind)" + (MissingFile.hint(for: path).map { "; " + $0 } ?? ""))
  }
}
