import SwiftletSchema

/// The checks at the boundary between a graph and a subgraph that it calls: arguments are compared with inputs, and
/// results with outputs.
///
/// An operator relies on the types of its tensors, so a value must have the same type on both sides of the boundary.
/// Quantized values must also have the same quantization parameters on both sides.
struct SubgraphBoundary {
  /// The index of the subgraph; `nil` if an operator computes the results itself.
  let subgraph: Int?
  /// The operator that calls the subgraph.
  let location: RuntimeError.Location

  /// Checks the number of arguments and results.
  ///
  /// - Throws: `invalidModel` unless the subgraph has the same number of inputs and outputs.
  func checkCounts(arguments: Int, results: Int, parameters: Int, outputs: Int) throws(RuntimeError) {
    guard arguments == parameters, results == outputs else {
      throw RuntimeError(
        .invalidModel,
        "calls a subgraph\(subgraph.map { " (\($0))" } ?? ""), which has \(parameters) inputs and \(outputs) outputs, with \(arguments) and \(results)",
        location: location)
    }
  }

  /// Compares an argument with its input.
  ///
  /// - Parameter keepsShape: Whether the input must keep the shape declared in the file. Otherwise, it takes the
  ///   argument's shape.
  func checkArgument(_ argument: TensorSpec, for parameter: TensorSpec, keepsShape: Bool = false) throws(RuntimeError) {
    try check(argument, for: parameter, "gives", "input", keepsShape)
  }

  /// Compares a result with its output.
  ///
  /// - Parameter keepsShape: Whether the output must keep the shape declared in the file. Otherwise, it takes the
  ///   result's shape.
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

  /// Dimensions that are dynamic in the file are inferred. A tensor without dimensions has an unknown shape, which is
  /// inferred too.
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

/// State that the builders of all subgraphs share: the graphs of called subgraphs, each built only once, and the total
/// size built so far. Inlining multiplies the contents of a small file.
final class SurveyedGraphs {
  var graphs = ValueMap<Graph>()
  var operatorCount = 0
  var tensorCount = 0
  /// The number of bytes of constants that may still be copied.
  var constantBudget: Int
  let operators: OperatorLookup
  let addedOperators: AddedOperators
  /// The supported types by builtin code, computed once for all operators of a kind.
  private var types = ValueMap<[TypeCombination]>()
  /// The string pool, created with the first strings, because most models have none.
  var strings: StringPool?

  /// The initial value of `constantBudget`.
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

  /// Returns the supported types of an operator identity.
  func types(of identity: OperatorIdentity) -> [TypeCombination] {
    guard case .builtin(let builtin) = identity.kind else { return identity.types }
    if let known = types[Int(builtin.rawValue)] { return known }
    let listed = identity.types
    types[Int(builtin.rawValue)] = listed
    return listed
  }
}
