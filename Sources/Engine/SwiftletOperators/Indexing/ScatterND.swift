import SwiftletEngine
import SwiftletSchema

/// SCATTER_ND: zeros, with updates added where index vectors point.
///
/// - Shapes: indices `[…, depth]`; updates `indices[..<last] + shape[depth...]`; the output's shape as a vector.
/// - Types: updates float32, int8, uint8, int16, int32, int64 or bool (where adding means "or"); indices and shape
///   int32 or int64.
/// - Throws: in a run, when an index is outside of its axis.
/// - Source: operator 122 of the model format.
struct ScatterNDOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .scatterND, versions: 1...1,
      types: [ElementType.float32, .int8, .uint8, .int16, .int32, .int64, .bool].map {
        TypeCombination(inputs: [[.int32, .int64], TypeSet($0), [.int32, .int64]], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let indices = try node.input(0)
    let updates = try node.input(1)
    let shape = try node.integers(2)
    guard let depth = indices.shape.dimensions.last, depth <= shape.count, shape.allSatisfy({ $0 >= 0 }),
      updates.shape.dimensions == indices.shape.dimensions.dropLast() + shape.dropFirst(depth)
    else { throw node.invalid("indices \(indices) and updates \(updates) do not fit the shape \(shape)") }
    return [Shape(shape)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.input(1).elementType {
    case .float32: try prepared(Float.self, context) { $0 + $1 }
    case .int8: try prepared(Int8.self, context) { $0 &+ $1 }
    case .uint8: try prepared(UInt8.self, context) { $0 &+ $1 }
    case .int16: try prepared(Int16.self, context) { $0 &+ $1 }
    case .int32: try prepared(Int32.self, context) { $0 &+ $1 }
    case .int64: try prepared(Int64.self, context) { $0 &+ $1 }
    default: try prepared(UInt8.self, context) { $0 | $1 }
    }
  }

  private func prepared<Element: BitwiseCopyable & Sendable>(
    _ type: Element.Type, _ context: PrepareContext, adding: @escaping @Sendable (Element, Element) -> Element
  ) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    let indices = try node.input(0).shape
    let elementBytes = MemoryLayout<Element>.size
    let vectors = try IndexVectors(
      input: 0, data: output, depth: indices.innermost, elementBytes: elementBytes, context)
    let count = indices.elementCount(0..<(indices.rank - 1))
    let length = vectors.bytes / elementBytes
    let source = try context.inputSlot(1)
    let destination = try context.outputSlot(0)
    let zero = ElementFill(0, elementBytes: elementBytes)
    let clear = PreparedOperator.Stage(items: output.elementCount, cost: Double(elementBytes) * 0.05) { run, range in
      zero.fill(
        run.pointer(destination).advanced(by: range.lowerBound &* elementBytes), byteCount: range.count &* elementBytes)
    }
    // Vectors without coordinates name the whole output; without elements there is nothing to add, however many they
    // are.
    guard vectors.depth > 0 || length > 0 else { return PreparedOperator(stages: [clear]) }
    let lanes = ColumnLanes(columns: length)
    // In order: updates may meet.
    let cost = lanes.width + Double(3 * vectors.depth + 3)
    let add = PreparedOperator.Stage.inOrder(lanes: lanes.count, items: count, cost: cost) { run, lane, items in
      let columns = lanes.range(lane)
      for vector in items {
        let to = run.pointer(destination).advanced(by: try vectors.offset(of: vector, run)).assumingMemoryBound(
          to: type)
        let from = UnsafePointer(run.pointer(source, as: type)) + vector &* length
        for index in columns { to[index] = adding(to[index], from[index]) }
      }
    }
    return PreparedOperator(stages: [clear] + add)
  }
}
