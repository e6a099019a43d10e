import SwiftletTestSupport
import Testing

@Suite("Tools")
struct ToolTests {
  static let hasPython = (try? OtherProgram.run("/bin/sh", ["-c", "command -v python3"]).status) == 0

  /// The tools that bring tests of their own, in Python.
  @Test(
    "pass their own tests", .enabled(if: hasPython, "needs python3"),
    arguments: ["Tools/kernel-cost/test", "Tools/docs/test", "Tools/platforms/check --self-test"])
  func ownTests(path: String) throws {
    let (status, output) = try OtherProgram.run("/bin/sh", ["-c", "\(path) 2>&1"], in: SourceTree.root)
    #expect(status == 0, "\(output.suffix(4000))")
  }
}
