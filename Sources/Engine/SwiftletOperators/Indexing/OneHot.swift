import SwiftletEngine
import SwiftletSchema

/// ONE_HOT: a new axis with the on value at the position given by an index, and the off value elsewhere.
///
/// - Shapes: indices of any rank; depth, on value, and off value with one element each. The axis refers to the output,
///   and -1 is its last axis.
/// - Types: indices int32 or int64; values of every type of whole bytes. Indices outside the axis result in off values
///   only.
/// - Source: operator 85 of the model format.
struct OneHotOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .oneHot, versions: 1...1,
      types: TypeSet.plain.types.map {
        TypeCombination(
          inputs: [[.int32, .int64], [.int32, .int64], TypeSet($0), TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  private let axis: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 4...4)
    axis = try node.options[OneHotOptions.axis]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let indices = try node.input(0)
    let depth = try node.integer(1)
    let axis = axis == -1 ? indices.shape.rank : axis
    guard axis >= 0, axis <= indices.shape.rank, depth >= 0 else {
      throw node.invalid("cannot add axis \(self.axis) of depth \(depth) to indices \(indices)")
    }
    for index in 2...3 where try node.input(index).shape.elementCount != 1 {
      throw node.invalid("value \(try node.input(index)) must contain one element")
    }
    var dimensions = indices.shape.dimensions
    dimensions.insert(depth, at: axis)
    return [Shape(dimensions)]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let axis = axis == -1 ? output.rank - 1 : axis
    let (depth, suffix) = (output[axis], output.elementCount((axis + 1)..<output.rank))
    let elementBytes = try node.elementBytes(ofInput: 2)
    let indices = try IndexTensor(input: 0, context)
    let (on, off) = (try context.inputSlot(2), try context.inputSlot(3))
    let destination = try context.outputSlot(0)
    let blockBytes = depth &* suffix &* elementBytes
    if Double(blockBytes) > PreparedOperator.Stage.maximumTileNanoseconds {
      let filling = PreparedOperator.Stage(items: output.elementCount, cost: Double(elementBytes) * 0.05) {
        run, elements in
        ElementFill(run.pointer(off), elementBytes: elementBytes).fill(
          run.pointer(destination) + elements.lowerBound &* elementBytes, byteCount: elements.count &* elementBytes)
      }
      let setting = PreparedOperator.Stage(items: output.elementCount / depth, cost: 5) { run, positions in
        let indices = indices.values(run)
        for position in positions {
          let index = indices[position]
          guard index >= 0, index < depth else { continue }
          let (block, column) = position.quotientAndRemainder(dividingBy: suffix)
          moveBytes(
            elementBytes, from: run.pointer(on),
            to: run.pointer(destination) + (block &* blockBytes &+ (index &* suffix &+ column) &* elementBytes))
        }
      }
      return PreparedOperator(stages: [filling, setting])
    }
    let cost = Double(blockBytes) * 0.05 + Double(suffix) * 2 + 5
    return PreparedOperator(items: output.elementCount(0..<axis), cost: cost) { run, blocks in
      let indices = indices.values(run)
      let fill = ElementFill(run.pointer(off), elementBytes: elementBytes)
      for block in blocks {
        let to = run.pointer(destination).advanced(by: block &* blockBytes)
        fill.fill(to, byteCount: blockBytes)
        for position in 0..<suffix {
          let index = indices[block &* suffix &+ position]
          guard index >= 0, index < depth else { continue }
          moveBytes(
            elementBytes, from: run.pointer(on), to: to.advanced(by: (index &* suffix &+ position) &* elementBytes))
        }
      }
    }
  }
}
