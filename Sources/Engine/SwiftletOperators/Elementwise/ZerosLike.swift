import SwiftletEngine
import SwiftletSchema

/// ZEROS_LIKE: zeros in the shape of the input.
///
/// - Shapes: any; the output has the input's.
/// - Types: float32, int32, int64.
/// - Source: operator 93 of the model format.
struct ZerosLikeOperator: PlainUnaryOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.zerosLike, versions: 1...1, types: .uniform([.float32, .int32, .int64]))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let output = try context.node.output(0)
    guard let bytes = output.byteCount else { throw context.node.invalid("cannot give \(output)") }
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: bytes, cost: 0.05) { run, range in
      (run.pointer(destination) + range.lowerBound).initializeMemory(as: UInt8.self, repeating: 0, count: range.count)
    }
  }
}
