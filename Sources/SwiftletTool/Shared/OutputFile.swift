import Foundation
import SwiftletCommandLine

/// Files that appear whole or not at all.
enum OutputFile {
  /// - Throws: `ToolError` that says why the file could not be written.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw ToolError(file: path, reason: "cannot be written: \(error.reason)")
    }
  }

  /// Makes a folder, and those above it, unless it is there.
  static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ToolError(file: path, reason: "cannot be made a folder: \(error.localizedDescription)")
    }
  }
}
