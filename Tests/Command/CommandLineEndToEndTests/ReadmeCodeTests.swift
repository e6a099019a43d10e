import Testing

/// The code in the README, and that of the page of all tasks, compiles against the package.
@Suite("Code in the README and of the tasks, one by one")
struct ReadmeCodeTests {
  /// One file of all blocks: each in a scope of its own, with what the text around them takes for granted.
  private static func program(_ page: String, atLeast count: Int) throws -> String {
    let blocks = try PageCode.blocks(of: page)
    #expect(blocks.count >= count)
    let imports = Set(blocks.joined().filter { $0.hasPrefix("import ") }).sorted().joined(separator: "\n")
    let bodies = blocks.map { block in
      "do {\n" + block.filter { !$0.hasPrefix("import ") }.joined(separator: "\n") + "\n}\n"
    }
    return imports + "\nfunc readme(image: InputImage, other: InputImage, frames: [(InputImage, Duration)]) throws {\n"
      + bodies.joined() + "}\n"
  }

  @Test("compiles", arguments: [("README.md", 2), ("docs/guide/gallery.md", 7)])
  func compiles(_ page: String, count: Int) throws {
    try PageCode.expectToCompile(try Self.program(page, atLeast: count))
  }
}
