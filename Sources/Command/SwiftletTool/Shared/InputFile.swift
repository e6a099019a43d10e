import Foundation
import SwiftletBase
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

/// The names in a folder, as people count them: with numbers in the order of their values.
enum FolderListing {
  /// The paths of what lies in a folder and does not begin with a dot.
  ///
  /// - Throws: `ToolError` when the folder cannot be read.
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

  /// The paths of the images in a folder: what ends as images do.
  ///
  /// - Throws: `ToolError` when the folder cannot be read, or holds none.
  static func pictures(in folder: String) throws(ToolError) -> [String] {
    let pictures = try paths(in: folder).filter { path in
      [".jpg", ".jpeg", ".png"].contains { path.lowercased().hasSuffix($0) }
    }
    guard !pictures.isEmpty else {
      throw ToolError(file: folder, reason: "the folder holds no images (.jpg, .jpeg or .png)")
    }
    return pictures
  }
}

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

  /// What files about an image are called: its name without its folder and ending.
  static func stem(of path: String) -> String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }

  /// The file of an option whose file has room for one image; `nil` without the option.
  ///
  /// - Throws: `UsageError` where there are several images.
  static func forOnePicture(_ option: String, _ arguments: Arguments, isList: Bool) throws(UsageError) -> String? {
    guard let path = arguments.string(option) else { return nil }
    guard !isList else { throw UsageError("--\(option) takes one image; call the program once for each") }
    return path
  }
}
