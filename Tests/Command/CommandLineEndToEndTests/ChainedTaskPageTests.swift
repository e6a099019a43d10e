import Testing

/// Checks that a task with two chained models is short, and that the page with its code stays correct.
@Suite("Code of a chained task")
struct ChainedTaskPageTests {
  @Test("has fewer than 150 lines and compiles as a part of the module")
  func compiles() throws {
    let blocks = try PageCode.blocks(of: "docs/internals/chained-tasks.md")
    #expect(blocks.count == 1)
    let code = blocks.joined()
    #expect(code.contains("public final class PawLandmarker: VisionTask {"))
    #expect(code.count < 150)
    try PageCode.expectToCompile("@testable @_spi(Facades) import SwiftletVision\n" + code.joined(separator: "\n"))
  }
}
