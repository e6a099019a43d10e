import SwiftletEngine
import SwiftletSchema

/// NOT_EQUAL: whether `left != right`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: bool, float32, float16, int32, int64, string; int8, uint8, int16, also quantised, each with its own scale;
///   the output is bool.
/// - Source: operator 72 of the model format.
struct NotEqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .notEqual, versions: 1...4,
      types: types([.bool, .float32, .float16, .int8, .uint8, .int16, .int32, .int64, .string]))
  }
  static let relation = Relation.notEqual
  static let comparesCodesOfInt16 = false
}
