import Foundation
import SwiftletTestSupport
import Testing

/// Checks that existing code compiles: the code on migration pages, and app services in the older language mode.
@Suite("Code for the facades")
struct MigrationGuideTests {
  /// Returns a program of all code blocks of a page, each in its own scope, with the declarations that the text
  /// presupposes.
  private static func program(_ page: String, _ values: String) throws -> String {
    let blocks = try PageCode.blocks(of: page)
    try #require(!blocks.isEmpty)
    let imports = Set(blocks.joined().filter { $0.hasPrefix("import ") }).sorted().joined(separator: "\n")
    let bodies = blocks.enumerated().map { number, block in
      "func block\(number)(\(values)) async throws {\n"
        + block.filter { !$0.hasPrefix("import ") }.joined(separator: "\n") + "\n}\n"
    }
    return imports + "\n" + bodies.joined()
  }

  @Test("the pages compile", arguments: ["5", "6"])
  func pages(mode: String) throws {
    for (page, values) in [
      ("mediapipe-facade", "path: String, image: MPImage"), ("mlkit-facade", "path: String, image: VisionImage"),
    ] {
      let program = try Self.program("docs/guide/\(page).md", values)
      try PageCode.expectToCompile(program, languageMode: mode)
    }
  }

  /// The files of app code in the tests, which are compiled with these tests in the package's language mode.
  private static let clients = try? FileManager.default.subpathsOfDirectory(
    atPath: TestData.packagePath + "/Tests/Facades"
  ).filter { $0.contains("/Clients/") }.sorted()

  @Test("app services compile in Swift 5 mode")
  func olderMode() throws {
    let clients = try #require(Self.clients)
    #expect(clients.count >= 4)
    for client in clients {
      let text = try String(contentsOfFile: TestData.packagePath + "/Tests/Facades/" + client, encoding: .utf8)
      try PageCode.expectToCompile(text, languageMode: "5")
    }
  }
}
