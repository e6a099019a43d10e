import Testing

/// Checks that the code in the README and in the task gallery compiles against the package.
@Suite("Code in the README and the task gallery")
struct ReadmeCodeTests {
  /// Returns one file with all code blocks, each in its own scope, with the declarations that the text presupposes.
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
