import Foundation
import SwiftletBase
import SwiftletCommandLine

/// The files and directories that a command reads.
enum InputFile {
  /// Checks that a file exists.
  ///
  /// - Throws: `ToolError` with a suggestion if it doesn't.
  static func require(_ path: String) throws(ToolError) { try require(path, "file") }

  /// Checks that a directory exists.
  ///
  /// - Throws: `ToolError` with a suggestion if it doesn't.
  static func requireFolder(_ path: String) throws(ToolError) { try require(path, "folder") }

  /// Returns all of standard input.
  ///
  /// - Throws: `ToolError` if it has more than `limit` bytes.
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

/// Directory listings in natural order: numbers in names are sorted by value.
enum FolderListing {
  /// Returns the paths of a directory's entries, without hidden ones.
  ///
  /// - Throws: `ToolError` if the directory cannot be read.
  static func paths(in folder: String) throws(ToolError) -> [String] {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ToolError(file: folder, reason: "cannot be read: \(error.localizedDescription.excerpt)")
    }
    return names.filter { !$0.hasPrefix(".") }.sorted { first, second in
      let order = first.compare(second, options: .numeric)
      return order == .orderedSame ? first < second : order == .orderedAscending
    }.map { folder.hasSuffix("/") ? folder + $0 : folder + "/" + $0 }
  }

  /// Returns the paths of the files in a directory with an image extension.
  ///
  /// - Throws: `ToolError` if the directory cannot be read or has no images.
  static func images(in folder: String) throws(ToolError) -> [String] {
    let images = try paths(in: folder).filter { path in
      [".jpg", ".jpeg", ".png"].contains { path.lowercased().hasSuffix($0) }
    }
    guard !images.isEmpty else {
      throw ToolError(file: folder, reason: "the folder holds no images (.jpg, .jpeg or .png)")
    }
    return images
  }
}

/// Writes files that appear completely or not at all.
enum OutputFile {
  /// Writes a file.
  ///
  /// - Throws: `ToolError` with the reason why the file could not be written.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      try AtomicFile.write(bytes, to: path)
    } catch {
      throw ToolError(file: path, reason: "cannot be written: \(error.reason)")
    }
  }

  /// Creates a directory and its parents, unless it exists.
  static func makeFolder(_ path: String) throws {
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      throw ToolError(file: path, reason: "cannot be made a folder: \(error.localizedDescription.excerpt)")
    }
  }

  /// Returns a name without characters that have a meaning in paths, truncated to a length that file systems accept.
  static func safeName(_ name: String) -> String {
    let safe = name.unicodeScalars.map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
      return isPlain || scalar == "-" || scalar == "." ? Character(scalar) : "_"
    }
    return safe.allSatisfy { $0 == "." } ? String(repeating: "_", count: safe.count) : String(safe.prefix(100))
  }

  /// Returns the name of files about an image: its file name without the extension.
  static func stem(of path: String) -> String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// Returns the file of an option that accepts a single image, or `nil` without the option.
  ///
  /// - Throws: `UsageError` if there are several images.
  static func forOneImage(_ option: String, _ arguments: Arguments, isList: Bool) throws(UsageError) -> String? {
    guard let path = arguments.string(option) else { return nil }
    guard !isList else { throw UsageError("--\(option) takes one image; call the program once for each") }
    return path
  }
}
