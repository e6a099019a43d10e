import SwiftletTestSupport
import Testing

@Suite("Format")
struct FormatTests {
  @Test("swift format has nothing to say about any Swift file")
  func lint() throws {
    let files = ["Package.swift", "Sources", "Tests", "Benchmarks", "Tools", "docs"]
    let (status, output) = try OtherProgram.run(
      "/bin/sh", ["-c", "swift format lint --strict --parallel --recursive \(files.joined(separator: " ")) 2>&1"],
      in: SourceTree.root)
    #expect(status == 0, "run swift format -i on these files:\n\(output.prefix(4000))")
  }
}
