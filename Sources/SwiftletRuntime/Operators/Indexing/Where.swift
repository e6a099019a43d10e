import SwiftletSchema

/// WHERE: the coordinates of all elements that are not zero, in order.
///
/// - Shapes: condition of rank 1 or more; output `[count, rank]`, whose count follows from the values.
/// - Types: condition bool, float32, int8, uint8, int32, uint32 or int64; output int64.
/// - Source: operator 109 of the model format.
struct WhereOperator: Operator {
  static let identity = OperatorIdentity(
    .whereNonzero, versions: 1...2,
    types: .one(TypeSet([.bool, .float32, .int8, .uint8, .int32, .uint32, .int64]), to: .int64))

  init(parsing node: NodeReader) throws { try node.require(inputs: 1...1) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let condition = try node.input(0)
    guard condition.shape.rank >= 1 else { throw node.invalid("condition \(condition) must be at least a vector") }
    let bytes = try node.data(0)
    var count = 0
    forEachNonzero(bytes, condition) { _ in count += 1 }
    return [[count, condition.shape.rank]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let condition = try context.node.input(0)
    let source = try context.inputSlot(0)
    let output = try context.outputSlot(0)
    let shape = condition.shape
    let byteCount = condition.byteCount ?? 0
    return PreparedOperator { run, _ in
      var target = run.pointer(output, as: Int64.self)
      forEachNonzero(UnsafeRawBufferPointer(start: run.pointer(source), count: byteCount), condition) { position in
        var rest = position
        for axis in stride(from: shape.rank - 1, through: 0, by: -1) {
          target[axis] = Int64(rest % shape[axis])
          rest /= shape[axis]
        }
        target += shape.rank
      }
    }
  }

  private func forEachNonzero(_ bytes: UnsafeRawBufferPointer, _ spec: TensorSpec, _ body: (Int) -> Void) {
    switch spec.elementType {
    case .float32: forEach(Float.self, bytes, body)
    case .int32, .uint32: forEach(Int32.self, bytes, body)
    case .int64: forEach(Int64.self, bytes, body)
    default: forEach(UInt8.self, bytes, body)
    }
  }

  private func forEach<Element: Numeric & BitwiseCopyable>(
    _ type: Element.Type, _ bytes: UnsafeRawBufferPointer, _ body: (Int) -> Void
  ) {
    let elements = bytes.bindMemory(to: type)
    for position in elements.indices where elements[position] != 0 { body(position) }
  }
}
