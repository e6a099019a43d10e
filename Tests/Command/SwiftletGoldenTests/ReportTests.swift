import SwiftletGolden
import Testing

@Suite("Verification report")
struct ReportTests {
  static let passing = OutputReport(
    name: "a", maxAbsError: 1, maxStepError: 1, mismatchShare: 0.5, tolerance: 2, isWithinTolerance: true)
  static let failing = OutputReport(
    name: "b", maxAbsError: .infinity, maxStepError: nil, mismatchShare: nil, tolerance: 0.25, isWithinTolerance: false)

  @Test("counts the cases that passed and failed")
  func countsCases() {
    let report = VerificationReport(cases: [
      CaseReport(model: "m", name: "1", outputs: [Self.passing]),
      CaseReport(model: "m", name: "2", outputs: [Self.passing, Self.failing]),
      CaseReport(model: "m", name: "3", failure: "does not load"), CaseReport(model: "m", name: "4", outputs: []),
    ])
    #expect(report.passedCount == 2 && report.failedCount == 2)
  }

  @Test("reports errors in one line")
  func summarizes() {
    let failed = CaseReport(model: "m", name: "1", outputs: [Self.passing, Self.failing])
    #expect(failed.summary == "b: error inf, accepted 0.25")
    #expect(CaseReport(model: "m", name: "2", outputs: [Self.passing]).summary == "all 1 outputs match")
    #expect(CaseReport(model: "m", name: "3", failure: "no such file").summary == "no such file")
    #expect(OutputReport(name: "x", failure: "shape [1], expected [2]").summary == "x: shape [1], expected [2]")
    #expect(Self.passing.summary == "a: error 1.0, accepted 2.0, 1 steps in 50.0 % of the elements")
  }
}
