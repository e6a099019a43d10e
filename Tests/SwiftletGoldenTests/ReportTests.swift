import Foundation
import SwiftletGolden
import Testing

@Suite("Verification report")
struct ReportTests {
  static let passing = OutputReport(
    name: "a", maxAbsError: 1, maxStepError: 1, mismatchShare: 0.5, tolerance: 2, isWithinTolerance: true)
  static let failing = OutputReport(
    name: "b", maxAbsError: .infinity, maxStepError: nil, mismatchShare: nil, tolerance: 0.25, isWithinTolerance: false)

  func json(_ value: some Encodable) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(value)) as? [String: Any])
  }

  @Test("counts the cases that passed and failed")
  func countsCases() {
    let report = VerificationReport(cases: [
      CaseReport(model: "m", name: "1", outputs: [Self.passing]),
      CaseReport(model: "m", name: "2", outputs: [Self.passing, Self.failing]),
      CaseReport(model: "m", name: "3", failure: "does not load"), CaseReport(model: "m", name: "4", outputs: []),
    ])
    #expect(report.passedCount == 2 && report.failedCount == 2)
  }

  @Test("writes exactly the keys of the command line's contract")
  func encodesContract() throws {
    let report = VerificationReport(cases: [CaseReport(model: "m", name: "random", outputs: [Self.passing])])
    let document = try json(report)
    #expect(Set(document.keys) == ["cases", "passed", "failed"])
    let item = try #require((document["cases"] as? [[String: Any]])?.first)
    #expect(Set(item.keys) == ["model", "case", "outputs", "ok"])
    let output = try #require((item["outputs"] as? [[String: Any]])?.first)
    #expect(Set(output.keys) == ["name", "max_abs_error", "max_step_error", "mismatch_share", "tolerance", "ok"])
    #expect(output["ok"] as? Bool == true)
  }

  @Test("writes null for numbers that JSON does not have or that do not apply")
  func encodesNulls() throws {
    let output = try json(Self.failing)
    #expect(output["max_abs_error"] is NSNull)
    #expect(output["max_step_error"] is NSNull && output["mismatch_share"] is NSNull)
    #expect(output["tolerance"] as? Double == 0.25)
  }

  @Test("adds the reason of a failure")
  func encodesFailures() throws {
    #expect(try json(OutputReport(name: "x", failure: "shape"))["error"] as? String == "shape")
    #expect(try json(CaseReport(model: "m", name: "c", failure: "no such file"))["error"] as? String == "no such file")
  }
}
