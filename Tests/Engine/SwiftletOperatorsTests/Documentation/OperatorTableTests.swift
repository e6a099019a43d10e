import Foundation
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Operator table", .enabled(if: GoldenOperatorTests.suite != nil, "needs the generated models"))
struct OperatorTableTests {
  private func table() throws -> OperatorTable { try OperatorTable(try #require(GoldenOperatorTests.suite)) }

  @Test("docs/guide/operators.md matches the catalog, the operators' comments, and the golden models")
  func isCurrent() throws {
    let text = try table().text
    if ProcessInfo.processInfo.environment["SWIFTLET_WRITE_DOCS"] != nil {
      try text.write(toFile: OperatorTable.path, atomically: true, encoding: .utf8)
    }
    let written = try String(contentsOfFile: OperatorTable.path, encoding: .utf8)
    // Compare outside of `#expect`, which would print both pages.
    let isCurrent = written == text
    let stale = zip(written.split(separator: "\n"), text.split(separator: "\n")).first { $0 != $1 }
    #expect(
      isCurrent,
      "write it again with SWIFTLET_WRITE_DOCS=1 swift test --filter OperatorTable; first difference: \(String(describing: stale))"
    )
  }

  @Test("every operator has a description")
  func hasSummaries() throws {
    let table = try table()
    for entry in table.builtins + table.customs where entry.summary.isEmpty {
      Issue.record("the comment above \(entry.name)'s type must begin with '\(entry.name): '")
    }
  }

  @Test("combinations that differ in one type only share a line")
  func groupsTypes() {
    #expect(
      OperatorTable.types(.uniform([.float32, .int8], then: .int32) + .one(.uint8, [.int8, .int16], to: .bool))
        == "T × int32 → T, T: float32, int8; uint8 × {int16, int8} → bool")
    #expect(OperatorTable.types([TypeCombination(inputs: [], outputs: [.any])]) == "none → any")
    #expect(OperatorTable.types(.one(.int32, .int8, .int8, .int8, to: .bool)) == "int32 × 3 int8 → bool")
  }
}
