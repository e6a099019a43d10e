import SwiftletCommandLine

/// Files that a command reads.
enum InputFile {
  /// - Throws: `ToolError` when there is no such file, with the one that was probably meant.
  static func require(_ path: String) throws(ToolError) {
    guard MissingFile.isMissing(path) else { return }
    throw ToolError(file: path, reason: "there is no such file" + (MissingFile.hint(for: path).map { "; " + $0 } ?? ""))
  }
}
