import Foundation
import SwiftletCommandLine
import SwiftletBase

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
      throw ToolError(file: path, reason: "cannot be made a folder: \(error.localizedDescription.excerpt)")
    }
  }

  /// A name without anything that means something in a path, and not too long for a file system.
  static func safeName(_ name: String) -> String {
    let safe = name.unicodeScalars.map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || scalar == "-" || scalar == "." ? Character(scalar) : "_"
    }
    return safe.allSatisfy { $0 == "." } ? String(repeating: "_", count: safe.count) : String(safe.prefix(100))
  }

  /// What files about a picture are called: its name without its folder and ending.
  static func stem(of path: String) -> String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// The file of an option whose file has room for one picture; `nil` without the option.
  ///
  /// - Throws: `UsageError` where there are several pictures.
  static func forOnePicture(_ option: String, _ arguments: Arguments, isList: Bool) throws(UsageError) -> String? {
    guard let path = arguments.string(option) else { return nil }
    guard !isList else { throw UsageError("--\(option) takes one picture; call the program once for each") }
    return path
  }
}
