import SwiftletEngine
import SwiftletSchema

/// EQUAL: whether `left == right`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: bool, float32, float16, int32, int64, string; int8, uint8, int16, also quantised, each with its own scale;
///   the output is bool.
/// - Source: operator 71 of the model format.
struct EqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .equal, versions: 1...5,
      types: types([.bool, .float32, .float16, .int8, .uint8, .int16, .int32, .int64, .string]))
  }
  static let relation = Relation.equal
  static let comparesCodesOfInt16 = false
}
