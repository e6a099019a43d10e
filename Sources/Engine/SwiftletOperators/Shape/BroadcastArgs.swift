import SwiftletEngine
import SwiftletSchema

/// BROADCAST_ARGS: the shape that tensors of two shapes have when they are repeated to fit each other.
///
/// - Shapes: two vectors; output as long as the longer one.
/// - Types: int32 or int64.
/// - Throws: in a run, when two sizes differ and neither is 1.
/// - Source: operator 145 of the model format.
struct BroadcastArgsOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.broadcastArgs, versions: 1...1, types: .uniform([.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (first, second) = (try node.input(0), try node.input(1))
    guard first.shape.rank == 1, second.shape.rank == 1 else {
      throw node.invalid("shapes \(first) and \(second) must be vectors")
    }
    return [[max(first.shape[0], second.shape[0])]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let counts = [try context.node.input(0).shape[0], try context.node.input(1).shape[0]]
    let shapes = [try IndexTensor(input: 0, context), try IndexTensor(input: 1, context)]
    let output = try context.outputSlot(0)
    let isWide = try context.node.output(0).elementType == .int64
    let rank = max(counts[0], counts[1])
    let location = context.node.node.location
    return PreparedOperator(items: rank, cost: 5) { run, axes in
      let (first, second) = (shapes[0].values(run), shapes[1].values(run))
      for axis in axes {
        let a = axis < rank - counts[0] ? 1 : first[axis - (rank - counts[0])]
        let b = axis < rank - counts[1] ? 1 : second[axis - (rank - counts[1])]
        guard a == b || a == 1 || b == 1 else {
          throw RuntimeError(
            .invalidInput, "sizes \(a) and \(b) of axis \(axis) do not fit each other", location: location)
        }
        let size = a == 1 ? b : a
        if isWide {
          run.pointer(output, as: Int64.self)[axis] = Int64(size)
        } else {
          run.pointer(output, as: Int32.self)[axis] = Int32(truncatingIfNeeded: size)
        }
      }
    }
  }
}
