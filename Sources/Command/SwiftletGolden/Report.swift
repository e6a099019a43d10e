/// The difference between one output and the reference.
package struct OutputReport: Sendable, Equatable {
  package let name: String
  /// The largest difference, in the units of the elements (quantized outputs: raw integers). Infinite if only one side
  /// is a finite number, `nil` if nothing could be compared.
  package let maxAbsError: Double?
  /// The largest difference in quantization steps, or `nil` unless the output is quantized.
  package let maxStepError: Int?
  /// The share of elements that differ at all, or `nil` for floats.
  package let mismatchShare: Double?
  /// The accepted `maxAbsError`, or `nil` if nothing could be compared.
  package let tolerance: Double?
  package let isWithinTolerance: Bool
  /// A problem other than a difference: another shape or type, or a row without a counterpart.
  package let failure: String?

  package init(
    name: String, maxAbsError: Double?, maxStepError: Int?, mismatchShare: Double?, tolerance: Double?,
    isWithinTolerance: Bool, failure: String? = nil
  ) {
    self.name = name
    self.maxAbsError = maxAbsError
    self.maxStepError = maxStepError
    self.mismatchShare = mismatchShare
    self.tolerance = tolerance
    self.isWithinTolerance = isWithinTolerance
    self.failure = failure
  }

  /// Creates a report of an output that could not be compared.
  package init(name: String, failure: String) {
    self.init(
      name: name, maxAbsError: nil, maxStepError: nil, mismatchShare: nil, tolerance: nil, isWithinTolerance: false,
      failure: failure)
  }
}

/// The result of one case of a manifest.
package struct CaseReport: Sendable, Equatable {
  package let model: String
  package let name: String
  package let outputs: [OutputReport]
  /// The reason why the case could not be run or compared at all.
  package let failure: String?

  package init(model: String, name: String, outputs: [OutputReport]) {
    self.model = model
    self.name = name
    self.outputs = outputs
    failure = nil
  }

  /// Creates a report of a case that failed before its outputs were compared.
  package init(model: String, name: String, failure: String) {
    self.model = model
    self.name = name
    outputs = []
    self.failure = failure
  }

  package var isPassed: Bool { failure == nil && outputs.allSatisfy(\.isWithinTolerance) }
}

/// The result of a complete `verify` run.
package struct VerificationReport: Sendable, Equatable {
  package let cases: [CaseReport]

  package init(cases: [CaseReport]) { self.cases = cases }

  package var passedCount: Int { cases.count(where: \.isPassed) }
  package var failedCount: Int { cases.count - passedCount }
}

extension CaseReport {
  /// One line that describes the problem, or the success.
  package var summary: String {
    if let failure { return failure }
    let bad = outputs.filter { !$0.isWithinTolerance }
    guard !bad.isEmpty else { return "all \(outputs.count) outputs match" }
    return bad.map(\.summary).joined(separator: "; ")
  }
}

extension OutputReport {
  /// The output's name with its error, or with the reason why it could not be compared.
  package var summary: String {
    if let failure { return "\(name): \(failure)" }
    var text = "\(name): error \(maxAbsError ?? 0), accepted \(tolerance ?? 0)"
    if let maxStepError, let mismatchShare {
      text += ", \(maxStepError) steps in \(mismatchShare * 100) % of the elements"
    }
    return text
  }
}
