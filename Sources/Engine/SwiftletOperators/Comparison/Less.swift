import SwiftletEngine
import SwiftletSchema

/// LESS: whether `left < right`, broadcasting.
///
/// - Shapes: two tensors that broadcast to one shape, which is the output's.
/// - Types: float32, float16, int32, int64; int16 by its quantised values; int8, uint8, also quantised, each with its
///   own scale; the output is bool.
/// - Source: operator 58 of the model format.
struct LessOperator: ComparisonOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .less, versions: 1...3, types: types([.float32, .float16, .int8, .uint8, .int16, .int32, .int64]))
  }
  static let relation = Relation.less
  static let comparesCodesOfInt16 = true
}
