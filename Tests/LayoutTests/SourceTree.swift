import Foundation
import SwiftletTestSupport

/// The repository's own files, for tests about structure.
enum SourceTree {
  static let root = TestData.packagePath

  struct File: Sendable {
    /// Relative to the repository, with forward slashes.
    var path: String
    var text: String

    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }
    /// The target the file belongs to: the second part of `Sources/Target/…`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
  }

  /// Swift files below a folder, sorted.
  static func swiftFiles(in folder: String) -> [File] {
    let base = root + "/" + folder
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix(".swift") }.sorted().compactMap { name in
      (try? String(contentsOfFile: base + "/" + name, encoding: .utf8)).map {
        File(path: folder + "/" + name, text: $0)
      }
    }
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOfFile: root + "/" + path, encoding: .utf8)
  }
}
