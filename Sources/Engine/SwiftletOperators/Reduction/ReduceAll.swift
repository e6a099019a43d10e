import SwiftletEngine
import SwiftletSchema

/// REDUCE_ALL: whether every element over some axes is true.
///
/// - Types: bool.
/// - Source: operator 140 of the model format. Of nothing, the result is true.
struct ReduceAllOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.reduceAll, versions: 1...1, types: .uniform([.bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    try .reduction(Conjunction(), context)
  }
}
