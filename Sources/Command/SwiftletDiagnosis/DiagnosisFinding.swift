/// A fault, a suspicion, or a hint that a diagnosis has found.
public struct DiagnosisFinding: Sendable, Hashable {
  /// The severity of a finding.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    /// The model's results are wrong, or it can't run.
    case error
    /// Results are probably less accurate than they could be.
    case warning
    /// Information, such as time or memory that could be saved.
    case note
  }

  /// The subject of a finding, as a stable name for programs: `output-clipped`.
  public struct Kind: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let rawValue: String
    /// Creates a kind with this name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// The name.
    public var description: String { rawValue }
  }

  /// The severity.
  public var severity: Severity
  /// The subject.
  public var kind: Kind
  /// The index of the operator in the main graph; `nil` if the finding isn't about an operator.
  public var operatorIndex: Int?
  /// The name of the operator, such as `CONV_2D`.
  public var operatorName: String?
  /// The index of the tensor in the main graph; `nil` if the finding isn't about a tensor.
  public var tensorIndex: Int?
  /// The name of the tensor.
  public var tensorName: String?
  /// The fault in one sentence.
  public var message: String
  /// The remedy in one sentence; empty if there is nothing to do.
  public var advice: String
  /// The order of findings of the same severity: larger numbers first.
  var weight = 0.0

  init(
    _ severity: Severity, _ kind: String, _ facts: GraphFacts? = nil, operation: Int? = nil, tensor: Int? = nil,
    weight: Double = 0, _ message: String, advice: String = ""
  ) {
    self.severity = severity
    self.kind = Kind(rawValue: kind)
    operatorIndex = operation
    operatorName = operation.flatMap { facts?.name($0) }
    tensorIndex = tensor
    tensorName = tensor.flatMap { facts?.graph.tensors[$0].name }
    self.message = message
    self.advice = advice
    self.weight = weight
  }
}

extension [DiagnosisFinding] {
  /// Returns the findings, the most serious ones first.
  func ordered() -> [DiagnosisFinding] {
    func rank(_ severity: DiagnosisFinding.Severity) -> Int {
      switch severity {
      case .error: 0
      case .warning: 1
      case .note: 2
      }
    }
    return enumerated().sorted { first, second in
      let (one, other) = (rank(first.element.severity), rank(second.element.severity))
      if one != other { return one < other }
      if first.element.weight != second.element.weight { return first.element.weight > second.element.weight }
      return first.offset < second.offset
    }.map(\.element)
  }
}
