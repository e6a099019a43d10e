extension CaseReport {
  /// One line that says what is wrong, or that all is well.
  package var summary: String {
    if let failure { return failure }
    let bad = outputs.filter { !$0.isWithinTolerance }
    guard !bad.isEmpty else { return "all \(outputs.count) outputs match" }
    return bad.map(\.summary).joined(separator: "; ")
  }
}

extension OutputReport {
  /// The output's name with its error, or with what kept it from being compared.
  package var summary: String {
    if let failure { return "\(name): \(failure)" }
    var text = "\(name): error \(maxAbsError ?? 0), accepted \(tolerance ?? 0)"
    if let maxStepError, let mismatchShare {
      text += ", \(maxStepError) steps in \(mismatchShare * 100) % of the elements"
    }
    return text
  }
}
