import SwiftletEngine

/// SELECT and SELECT_V2: elements of input 1 where input 0 is true, of input 2 where it is not.
enum Selection {
  /// - Parameter conditionShape: the shape that the condition takes part with; it broadcasts with those of the two
  ///   inputs.
  static func prepare(_ context: PrepareContext, conditionShape: Shape) throws -> PreparedOperator {
    let output = try context.node.output(0)
    switch output.elementType.byteWidth {
    case 1: return try prepare(context, conditionShape, UInt8.self)
    case 2: return try prepare(context, conditionShape, UInt16.self)
    case 4: return try prepare(context, conditionShape, UInt32.self)
    case 8: return try prepare(context, conditionShape, UInt64.self)
    default: throw context.node.invalid("cannot give \(output)")
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

    /// Steps are 0 for operands that give one element for the whole row, 1 for the others.
    @inline(__always)
    func select(_ columns: Int, steps: (Int, Int, Int)) {
      switch steps {
      case (0, _, _):
        let (source, step) = condition.pointee != 0 ? (onTrue, steps.1) : (onFalse, steps.2)
        for column in 0..<columns { output[column] = source[column &* step] }
      case (_, 1, 1):
        for column in 0..<columns { output[column] = condition[column] != 0 ? onTrue[column] : onFalse[column] }
      default:
        for column in 0..<columns {
          output[column] = condition[column] != 0 ? onTrue[column &* steps.1] : onFalse[column &* steps.2]
        }
      }
    }
  }
}
