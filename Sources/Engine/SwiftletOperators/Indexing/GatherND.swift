import SwiftletEngine
import SwiftletSchema

/// GATHER_ND: the parts of the data that index vectors name.
///
/// - Shapes: data; indices `[…, depth]`; output `indices[..<last] + data[depth...]`.
/// - Types: data of every type of fixed size, and strings; indices int16, int32 or int64.
/// - Throws: in a run, when an index is outside of its axis.
/// - Source: operator 107 of the model format.
struct GatherNDOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .gatherND, versions: 1...6, types: .uniform(TypeSet.movable.types, then: IndexTensor.types))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0)
    let indices = try node.input(1)
    guard data.shape.rank >= 1, let depth = indices.shape.dimensions.last, depth <= data.shape.rank else {
      throw node.invalid(
        "the last axis of indices \(indices) must not be longer than data \(data) has axes, both at least vectors")
    }
    return [Shape(indices.shape.dimensions.dropLast() + data.shape.dimensions.dropFirst(depth))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let data = try node.input(0).shape
    let indexShape = try node.input(1).shape
    let vectors = try IndexVectors(
      input: 1, data: data, depth: indexShape.innermost, elementBytes: node.elementBytes(ofInput: 0), context)
    let count = indexShape.elementCount(0..<(indexShape.rank - 1))
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let bytes = vectors.bytes
    return PreparedOperator(items: count, cost: Double(bytes) * 0.05 + 3 + Double(vectors.depth)) { run, items in
      let from = run.pointer(source)
      let to = run.pointer(destination)
      for item in items {
        let offset = try vectors.offset(of: item, run)
        moveBytes(bytes, from: from.advanced(by: offset), to: to.advanced(by: item &* bytes))
      }
    }
  }
}
