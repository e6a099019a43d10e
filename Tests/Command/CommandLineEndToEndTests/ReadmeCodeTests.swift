import Testing

/// The code in the README compiles against the package.
@Suite("Code in the README")
struct ReadmeCodeTests {
  /// One file of all blocks: each in a scope of its own, with what the text around them takes for granted.
  private static func program() throws -> String {
    let blocks = try PageCode.blocks(of: "README.md")
    #expect(blocks.count >= 7)
    let imports = Set(blocks.joined().filter { $0.hasPrefix("import ") }).sorted().joined(separator: "\n")
    let bodies = blocks.map { block in
      "do {\n" + block.filter { !$0.hasPrefix("import ") }.joined(separator: "\n") + "\n}\n"
    }
    return imports + "\nfunc readme(image: MPImage, other: MPImage, frames: [(MPImage, Duration)]) throws {\n"
      + bodies.joined() + "}\n"
  }

  @Test("compiles")
  func compiles() throws { try PageCode.expectToCompile(try Self.program()) }
}
