import SwiftletEngine
import SwiftletSchema

/// GREATER: whether `left > right`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, float16, int32, int64; int16 by its quantised values; int8, uint8, also quantised, each with its
///   own scale; the output is bool.
/// - Source: operator 61 of the model format.
struct GreaterOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .greater, versions: 1...2, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.greater
  static let comparesCodesOfInt16 = true
}
