import SwiftletEngine
import SwiftletSchema

/// GREATER_EQUAL: whether `left >= right`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, float16, int32, int64; int16 by its quantised values; int8, uint8, also quantised, each with its
///   own scale; the output is bool.
/// - Source: operator 62 of the model format.
struct GreaterEqualOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .greaterEqual, versions: 1...3, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.greaterOrEqual
  static let comparesCodesOfInt16 = true
}
