import Foundation
import Testing

/// Checks that the version is the same in the manifest, the program, and the changelog.
@Suite("Version")
struct VersionTests {
  private static func first(_ pattern: String, in path: String) throws -> [String] {
    let text = try SourceTree.text(path)
    let match = try #require(try Regex(pattern).anchorsMatchLineEndings().firstMatch(in: text), "\(path)")
    return match.output.dropFirst().map { String($0.substring ?? "") }
  }

  @Test("package manifest, program, and the newest dated section of the changelog agree")
  func agree() throws {
    let manifest = try Self.first(#"^// Version (\d+\.\d+\.\d+)$"#, in: "Package.swift")
    let program = "Sources/Command/SwiftletTool/Program.swift"
    let version = try Self.first(#"static let version = "([^"]+)""#, in: program)
    let date = try Self.first(#"date: "([^"]+)""#, in: program)
    let section = try Self.first(#"^## \[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)$"#, in: "CHANGELOG.md")
    #expect(version == manifest)
    #expect(section == version + date)
  }

  @Test("the changelog has sections of Keep a Changelog only, newest first")
  func sections() throws {
    let lines = try SourceTree.text("CHANGELOG.md").split(separator: "\n")
    let kinds: Set<Substring> = [
      "### Added", "### Changed", "### Deprecated", "### Removed", "### Fixed", "### Security", "### Known limits",
    ]
    for line in lines where line.hasPrefix("### ") { #expect(kinds.contains(line), "\(line)") }
    let dates = lines.filter { $0.hasPrefix("## [") }.compactMap { $0.split(separator: " - ").dropFirst().first }
    #expect(!dates.isEmpty)
    #expect(dates == dates.sorted(by: >))
    #expect(lines.contains("## [Unreleased]"))
  }
}
