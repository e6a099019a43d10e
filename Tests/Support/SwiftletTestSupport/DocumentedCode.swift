import Foundation

/// The Swift code blocks on a page of the documentation.
package struct DocumentedCode: Sendable {
  package let blocks: [String]

  /// - Parameter page: The path in `docs/guide`.
  package init(page: String) throws {
    blocks = try Self.text("/docs/guide/" + page).components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// Returns the code blocks that none of the sources contains verbatim.
  ///
  /// - Parameter sources: Paths in `Tests`.
  package func blocks(notIn sources: [String]) throws -> [String] {
    let sources = try sources.map { try Self.text("/Tests/" + $0) }
    return blocks.filter { block in !sources.contains { $0.contains(block) } }
  }

  private static func text(_ path: String) throws -> String {
    try String(contentsOfFile: TestData.packagePath + path, encoding: .utf8)
  }
}
