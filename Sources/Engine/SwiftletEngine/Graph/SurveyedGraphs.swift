import SwiftletSchema

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
