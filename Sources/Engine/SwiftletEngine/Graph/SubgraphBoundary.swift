import SwiftletSchema

/// Compares what one graph gives another: arguments with the inputs that they are for, results with the outputs that
/// take them.
///
/// An operator relies on the types of its tensors, so a value must have the type on both sides of a border that it
/// crosses. Quantized values must also mean the same numbers on both sides.
struct SubgraphBoundary {
  /// `nil` if an operator computes the results itself.
  let subgraph: Int?
  /// The operator that calls the subgraph.
  let location: RuntimeError.Location

  /// - Throws: `invalidModel` unless the subgraph takes as many arguments and gives as many results.
  func checkCounts(arguments: Int, results: Int, parameters: Int, outputs: Int) throws(RuntimeError) {
    guard arguments == parameters, results == outputs else {
      throw RuntimeError(
        .invalidModel,
        "calls a subgraph\(subgraph.map { " (\($0))" } ?? ""), which takes \(parameters) inputs and gives \(outputs) outputs, with \(arguments) and \(results)",
        location: location)
    }
  }

  /// Compares an argument with the input that it is for.
  ///
  /// - Parameter keepsShape: Whether the input has the shape that the file declares for it; otherwise it takes the
  ///   argument's.
  func checkArgument(_ argument: TensorSpec, for parameter: TensorSpec, keepsShape: Bool = false) throws(RuntimeError) {
    try check(argument, for: parameter, "gives", "input", keepsShape)
  }

  /// Compares a result with the output that takes it.
  ///
  /// - Parameter keepsShape: Whether the output has the shape that the file declares for it; otherwise it takes the
  ///   result's.
  func checkResult(_ result: TensorSpec, for output: TensorSpec, keepsShape: Bool = false) throws(RuntimeError) {
    try check(result, for: output, "takes", "output", keepsShape)
  }

  private func check(
    _ given: TensorSpec, for expected: TensorSpec, _ verb: String, _ end: String, _ keepsShape: Bool
  ) throws(RuntimeError) {
    guard given.elementType == expected.elementType, given.modelType == expected.modelType else {
      throw refusal(given, expected, verb, end, "which has another type")
    }
    if keepsShape { try checkShapes(given, expected, verb, end) }
    guard given.modelType.isInteger, let first = given.quantization, let second = expected.quantization else { return }
    guard first.scales == second.scales, first.zeroPoints == second.zeroPoints else {
      throw refusal(given, expected, verb, end, "which is quantized in another way")
    }
  }

  /// Shapes that the file leaves open are inferred, and so is that of a tensor without dimensions, which stands for an
  /// unknown one.
  private func checkShapes(_ given: TensorSpec, _ expected: TensorSpec, _ verb: String, _ end: String)
    throws(RuntimeError)
  {
    guard !given.hasUnknownDimensions, !expected.hasUnknownDimensions, given.shape.rank > 0, expected.shape.rank > 0
    else { return }
    guard given.shape == expected.shape else { throw refusal(given, expected, verb, end, "which has another shape") }
  }

  private func refusal(_ given: TensorSpec, _ expected: TensorSpec, _ verb: String, _ end: String, _ reason: String)
    -> RuntimeError
  {
    RuntimeError(
      .invalidModel, "\(verb) \(given) for \(end) \(expected)\(subgraph.map { " of subgraph \($0)" } ?? ""), \(reason)",
      location: location)
  }
}

extension ElementType {
  fileprivate var isInteger: Bool {
    switch self {
    case .int2, .int4, .uint4, .int8, .uint8, .int16, .uint16, .int32: true
    default: false
    }
  }
}

/// What the builders of all subgraphs share: graphs of called subgraphs, each built once however often it is called,
/// and how much has been built. Inlining multiplies what a small file holds.
final class SurveyedGraphs {
  var graphs = ValueMap<Graph>()
  var operatorCount = 0
  var tensorCount = 0
  /// How many bytes of constants may still be copied.
  var constantBudget: Int
  let operators: OperatorLookup
  let addedOperators: AddedOperators
  /// What operators of the format take, by their codes: listed once for all operators of a kind.
  private var types = ValueMap<[TypeCombination]>()
  /// Made with the first strings, as most models have none.
  var strings: StringPool?

  /// What `constantBudget` was at first.
  let expandedByteLimit: Int

  init(
    _ limits: RuntimeOptions.Limits, operators: @escaping OperatorLookup, added: AddedOperators, fileBytes: Int
  ) {
    expandedByteLimit = RuntimeOptions.Limits.inProportion(
      limits.foldedBytes, RuntimeOptions.Limits.expandedBytesPerByte, fileBytes: fileBytes)
    constantBudget = expandedByteLimit
    self.operators = operators
    addedOperators = added
  }

  /// What operators of this identity take.
  func types(of identity: OperatorIdentity) -> [TypeCombination] {
    guard case .builtin(let builtin) = identity.kind else { return identity.types }
    if let known = types[Int(builtin.rawValue)] { return known }
    let listed = identity.types
    types[Int(builtin.rawValue)] = listed
    return listed
  }
}
