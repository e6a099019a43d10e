import Foundation
import SwiftletTestSupport
import Testing

/// The code in the README compiles against the package.
@Suite("Code in the README")
struct ReadmeCodeTests {
  /// One file of all blocks: each in a scope of its own, with what the text around them takes for granted.
  private static func program() throws -> String {
    let text = try String(contentsOfFile: TestData.packagePath + "/README.md", encoding: .utf8)
    let blocks = text.components(separatedBy: "\n```swift\n").dropFirst()
      .map { $0.components(separatedBy: "\n```")[0].split(separator: "\n") }
    #expect(blocks.count >= 7)
    let imports = Set(blocks.joined().filter { $0.hasPrefix("import ") }).sorted().joined(separator: "\n")
    let bodies = blocks.map { block in
      "do {\n" + block.filter { !$0.hasPrefix("import ") }.joined(separator: "\n") + "\n}\n"
    }
    return imports + "\nfunc readme(image: MPImage, other: MPImage, frames: [(MPImage, Duration)]) throws {\n"
      + bodies.joined() + "}\n"
  }

  @Test("compiles")
  func compiles() throws {
    // Module maps of C targets lie a folder below the products.
    let products = URL(fileURLWithPath: Tool.path(of: "swiftlet")).deletingLastPathComponent().path
    let modules = products + "/Modules"
    try #require(FileManager.default.fileExists(atPath: modules + "/SwiftletVision.swiftmodule"), "\(modules)")
    let folder = try TemporaryFolder()
    let file = try folder.write(Array(try Self.program().utf8), to: "readme.swift")
    let command = #"swiftc -typecheck -suppress-warnings -swift-version 6 -I "$0/Modules" -I "$0" "$1" 2>&1"#
    let (status, output) = try OtherProgram.run("/bin/sh", ["-c", command, products, file])
    #expect(status == 0, "\(output.prefix(4000))")
  }
}
