import SwiftletEngine
import SwiftletSchema

/// DENSIFY: a sparse constant with all its elements.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, float16, int8.
/// - Source: operator 124 of the model format. Sparse constants are spread when the model is read, so that nothing is
///   left to do.
struct DensifyOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.densify, versions: 1...1, types: .uniform([.float32, .float16, .int8]))
  }

  init() {}

  func prepare(_ context: PrepareContext) throws -> PreparedOperator { try .copy(context) }
}
