import Foundation
import SwiftletTestSupport
import Testing

/// The repository's own files, for tests about structure.
enum SourceTree {
  static let root = TestData.packagePath

  struct File: Sendable {
    /// Relative to the repository, with forward slashes.
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    /// The target the file belongs to: the third part of `Sources/Floor/Target/…`, the second of `Benchmarks/Target/…`.
    var target: String {
      path.split(separator: "/").dropFirst(path.hasPrefix("Sources/") ? 2 : 1).first.map(String.init) ?? ""
    }
  }

  /// Swift files below a folder, sorted. Steps of tutorials in catalogs of documentation are parts of no module.
  static func swiftFiles(in folder: String) -> [File] {
    files(in: folder, [".swift"]).filter { !$0.path.contains(".docc/") }
  }

  /// Files below a folder whose names end in one of several ways, sorted.
  static func files(in folder: String, _ endings: [String]) -> [File] {
    let base = root + "/" + folder
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { name in endings.contains(where: name.hasSuffix) }.sorted().compactMap { name in
      (try? String(contentsOfFile: base + "/" + name, encoding: .utf8)).map {
        File(path: folder + "/" + name, text: $0)
      }
    }
  }

  /// Where a module of `Sources` lies.
  static func folder(of module: String) throws -> String {
    let layers = try FileManager.default.contentsOfDirectory(atPath: root + "/Sources")
    let paths = layers.map { "Sources/\($0)/\(module)" }
    return try #require(paths.first { FileManager.default.fileExists(atPath: root + "/" + $0) }, "\(module)")
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }
}
