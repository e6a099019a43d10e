import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("Security page")
struct SecurityPageTests {
  private var page: String {
    get throws { try String(contentsOfFile: TestData.packagePath + "/SECURITY.md", encoding: .utf8) }
  }

  @Test("lists every limit")
  func limits() throws {
    let page = try page
    for case let name? in Mirror(reflecting: RuntimeOptions.Limits()).children.map(\.label)
    where name != "foldedConstantBytes" {
      #expect(page.contains("`\(name)`"), "\(name) is missing")
    }
  }

  @Test("states the current defaults")
  func defaults() throws {
    let limits = RuntimeOptions.Limits()
    let page = try page
    #expect(page.contains("| `runWork` | \(limits.runWork.components.seconds) s |"))
    #expect(page.contains("| `loadWork` | \(limits.loadWork.components.seconds) s |"))
    #expect(page.contains("| `sessionBytes` | \(limits.sessionBytes >> 30) GB |"))
    #expect(
      page.contains("| `tensorBytes`, `arenaBytes` | \(limits.tensorBytes >> 30) GB, \(limits.arenaBytes >> 30) GB |"))
    #expect(
      page.contains(
        "| `foldedBytes` | \(limits.foldedBytes >> 20) MB and \(RuntimeOptions.Limits.foldedBytesPerByte) for each byte"
      ))
    #expect(page.contains("| `stringBytes` | \(limits.stringBytes >> 20) MB |"))
    #expect(
      (limits.operators, limits.tensors, limits.callDepth, limits.subgraphRuns, limits.rank) == (
        50_000, 1_000_000, 16, 1_000_000, 8
      ))
    #expect(page.contains("| 50,000, 1,000,000, 16, 1,000,000, 8 |"))
  }

  @Test("shows the code that this test compiles")
  func example() throws {
    // The following lines are copied from the page.
    var limits = RuntimeOptions.Limits()
    limits.sessionBytes = 256 << 20
    limits.runWork = .seconds(2)
    let options = RuntimeOptions(limits: limits, timeout: .seconds(5))
    #expect(options.limits.sessionBytes == 256 << 20)
    let block = try #require(
      try page.components(separatedBy: "```swift\n").dropFirst().first?.components(separatedBy: "```").first)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    for line in block.split(separator: "\n") { #expect(source.contains("    " + line + "\n")) }
  }
}
