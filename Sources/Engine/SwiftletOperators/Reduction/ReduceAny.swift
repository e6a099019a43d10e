import SwiftletEngine
import SwiftletSchema

/// REDUCE_ANY: whether any element over some axes is true.
///
/// - Types: bool.
/// - Source: operator 91 of the model format. Of nothing, the result is false.
struct ReduceAnyOperator: ReductionOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.reduceAny, versions: 1...1, types: .uniform([.bool], then: .int32))
  }

  let keepsDimensions: Bool

  func reduction(_ context: PrepareContext) throws -> PreparedOperator {
    try .reduction(Disjunction(), context)
  }
}
