// The keys and their order are the contract of `verify --json`. A failure adds the key "error"; everything else is
// always there, null where it does not apply.

extension OutputReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case name
    case maxAbsError = "max_abs_error"
    case maxStepError = "max_step_error"
    case mismatchShare = "mismatch_share"
    case tolerance
    case isWithinTolerance = "ok"
    case failure = "error"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    // JSON has no infinity; `ok` says the same.
    try container.encode(maxAbsError.flatMap { $0.isFinite ? $0 : nil }, forKey: .maxAbsError)
    try container.encode(maxStepError, forKey: .maxStepError)
    try container.encode(mismatchShare, forKey: .mismatchShare)
    try container.encode(tolerance.flatMap { $0.isFinite ? $0 : nil }, forKey: .tolerance)
    try container.encode(isWithinTolerance, forKey: .isWithinTolerance)
    try container.encodeIfPresent(failure, forKey: .failure)
  }
}

extension CaseReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case model
    case name = "case"
    case outputs
    case isPassed = "ok"
    case failure = "error"
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(model, forKey: .model)
    try container.encode(name, forKey: .name)
    try container.encode(outputs, forKey: .outputs)
    try container.encode(isPassed, forKey: .isPassed)
    try container.encodeIfPresent(failure, forKey: .failure)
  }
}

extension VerificationReport: Encodable {
  private enum CodingKeys: String, CodingKey {
    case cases, passed, failed
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(cases, forKey: .cases)
    try container.encode(passedCount, forKey: .passed)
    try container.encode(failedCount, forKey: .failed)
  }
}
