import SwiftletEngine
import SwiftletSchema

/// SELECT and SELECT_V2: the element of input 1 if the element of input 0 is true, and of input 2 otherwise.
enum Selection {
  /// Prepares the operator.
  ///
  /// - Parameter conditionShape: The shape of the condition for broadcasting with the shapes of the two inputs.
  static func prepare(_ context: PrepareContext, conditionShape: Shape) throws -> PreparedOperator {
    let output = try context.node.output(0)
    switch output.elementType.byteWidth {
    case 1: return try prepare(context, conditionShape, UInt8.self)
    case 2: return try prepare(context, conditionShape, UInt16.self)
    case 4: return try prepare(context, conditionShape, UInt32.self)
    case 8: return try prepare(context, conditionShape, UInt64.self)
    default: throw context.node.invalid("does not support \(output)")
    }
  }

  private static func prepare<Element: BitwiseCopyable>(
    _ context: PrepareContext, _ conditionShape: Shape, _ type: Element.Type
  ) throws -> PreparedOperator {
    let node = context.node
    let broadcast = Broadcast(
      [conditionShape, try node.input(1).shape, try node.input(2).shape], to: try node.output(0).shape)
    let operands = (broadcast.operands[0], broadcast.operands[1], broadcast.operands[2])
    let slots = (try context.inputSlot(0), try context.inputSlot(1), try context.inputSlot(2))
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: broadcast.count, cost: 0.6 + broadcast.blockCost) { run, range in
      broadcast.forEachBlock(in: range) { block in
        var rows = Rows<Element>(
          condition: UnsafePointer(run.pointer(slots.0, as: TruthValue.self))
            + broadcast.offset(of: block, in: operands.0),
          onTrue: UnsafePointer(run.pointer(slots.1, as: type)) + broadcast.offset(of: block, in: operands.1),
          onFalse: UnsafePointer(run.pointer(slots.2, as: type)) + broadcast.offset(of: block, in: operands.2),
          output: run.pointer(destination, as: type) + block.output)
        for _ in 0..<block.rows {
          rows.select(
            block.columns, steps: (operands.0.innerStride, operands.1.innerStride, operands.2.innerStride))
          rows.condition += operands.0.rowStride
          rows.onTrue += operands.1.rowStride
          rows.onFalse += operands.2.rowStride
          rows.output += block.columns
        }
      }
    }
  }

  private struct Rows<Element: BitwiseCopyable> {
    var condition: UnsafePointer<TruthValue>
    var onTrue: UnsafePointer<Element>
    var onFalse: UnsafePointer<Element>
    var output: UnsafeMutablePointer<Element>

    /// Steps are 0 for operands with one element per row, and 1 for the others.
    ///
    /// Both elements are read before the choice, so that the compiler turns the loops into vector instructions.
    @inline(__always)
    func select(_ columns: Int, steps: (Int, Int, Int)) {
      switch steps {
      case (0, _, _):
        let (source, step) = condition.pointee != 0 ? (onTrue, steps.1) : (onFalse, steps.2)
        for column in 0..<columns { output[column] = source[column &* step] }
      case (_, 1, 1):
        for column in 0..<columns { choose(column, onTrue[column], onFalse[column]) }
      case (_, 1, _):
        let other = onFalse.pointee
        for column in 0..<columns { choose(column, onTrue[column], other) }
      case (_, _, 1):
        let other = onTrue.pointee
        for column in 0..<columns { choose(column, other, onFalse[column]) }
      default:
        let (first, second) = (onTrue.pointee, onFalse.pointee)
        for column in 0..<columns { choose(column, first, second) }
      }
    }

    @inline(__always)
    private func choose(_ column: Int, _ first: Element, _ second: Element) {
      output[column] = condition[column] != 0 ? first : second
    }
  }
}

/// SELECT: the element of input 1 if the condition, input 0, is true, and of input 2 otherwise.
///
/// - Shapes: inputs 1 and 2 of one shape, which is the output shape; the condition has the same shape, is a scalar, or
///   is a vector along axis 0.
/// - Types: bool, and any type of 1, 2, 4, or 8 bytes.
/// - Source: operator 64 of the model format.
struct SelectOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.select, versions: 1...4, types: selectTypes)
  }

  /// Types of whole bytes with at most 8 bytes.
  static let selectTypes = TypeSet.plain.types.filter { ($0.byteWidth ?? 16) <= 8 }.map {
    TypeCombination(inputs: [.bool, TypeSet($0), TypeSet($0)], outputs: [TypeSet($0)])
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let shape = try node.input(1).shape
    guard try node.input(2).shape == shape else {
      throw node.invalid("input 2 \(try node.input(2)) must have the shape of input 1 \(try node.input(1))")
    }
    _ = try conditionShape(node)
    return [shape]
  }

  /// Returns the shape of the condition, where a vector is along the first axis.
  private func conditionShape(_ node: NodeView) throws -> Shape {
    let condition = try node.input(0).shape
    let shape = try node.input(1).shape
    if condition == shape || condition.elementCount == 1 && condition.rank <= 1 {
      return condition.rank <= shape.rank ? condition : []
    }
    guard condition.rank == 1, shape.rank > 0, condition[0] == shape[0] else {
      throw node.invalid(
        "the condition \(try node.input(0)) must be a scalar, a vector along axis 0, or of the shape of input 1 \(try node.input(1))"
      )
    }
    return Shape([condition[0]] + [Int](repeating: 1, count: shape.rank - 1))
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try Selection.prepare(context, conditionShape: conditionShape(context.node))
  }
}

/// SELECT_V2: the element of input 1 if the condition, input 0, is true, and of input 2 otherwise, with broadcasting.
///
/// - Shapes: three tensors that broadcast to the output shape.
/// - Types: bool, and any type of 1, 2, 4, or 8 bytes.
/// - Source: operator 123 of the model format.
struct SelectV2Operator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.selectV2, versions: 1...2, types: SelectOperator.selectTypes)
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try node.broadcastShape()] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try Selection.prepare(context, conditionShape: context.node.input(0).shape)
  }
}
