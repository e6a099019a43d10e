import Foundation
import SwiftletTestSupport
import Testing

/// The repository's files, for tests of its structure.
enum SourceTree {
  static let root = TestData.packagePath

  struct File: Sendable {
    /// The path relative to the repository, with forward slashes.
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    /// The target of the file: the third part of `Sources/Layer/Target/…`, or the second of `Benchmarks/Target/…`.
    var target: String {
      path.split(separator: "/").dropFirst(path.hasPrefix("Sources/") ? 2 : 1).first.map(String.init) ?? ""
    }
  }

  /// Returns the Swift files in a directory, sorted. Tutorial steps in documentation catalogs aren't part of a module,
  /// so they are excluded.
  static func swiftFiles(in folder: String) -> [File] {
    files(in: folder, [".swift"]).filter { !$0.path.contains(".docc/") }
  }

  /// Returns the files in a directory whose names end in one of the suffixes, sorted.
  static func files(in folder: String, _ endings: [String]) -> [File] {
    let base = root + "/" + folder
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { name in endings.contains(where: name.hasSuffix) }.sorted().compactMap { name in
      (try? String(contentsOfFile: base + "/" + name, encoding: .utf8)).map {
        File(path: folder + "/" + name, text: $0)
      }
    }
  }

  /// Returns the directory of a module of `Sources`.
  static func folder(of module: String) throws -> String {
    let layers = try FileManager.default.contentsOfDirectory(atPath: root + "/Sources")
    let paths = layers.map { "Sources/\($0)/\(module)" }
    return try #require(paths.first { FileManager.default.fileExists(atPath: root + "/" + $0) }, "\(module)")
  }

  /// Returns the names of the modules whose rows in `Package.swift` have an argument, such as `isProduct: true`.
  static func modules(where argument: String) throws -> [String] {
    try text("Package.swift").components(separatedBy: "Module(").dropFirst().filter { $0.contains(argument) }
      .compactMap { row in
        row.split(separator: "\"", maxSplits: 2, omittingEmptySubsequences: false).dropFirst().first.map(String.init)
      }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }
}
