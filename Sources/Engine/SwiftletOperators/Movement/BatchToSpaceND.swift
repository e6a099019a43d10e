import SwiftletEngine
import SwiftletSchema

/// BATCH_TO_SPACE_ND: images laid into each other, position by position of blocks, and cropped.
///
/// - Shapes: input `[batch, spatial…, channels]`; blocks `[spatial axes]`; crops `[spatial axes, 2]`.
/// - Types: data of every type of whole bytes; blocks and crops int32 or int64.
/// - Source: operator 37 of the model format.
struct BatchToSpaceNDOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .batchToSpaceND, versions: 1...4, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let (blocks, crops) = try BatchBlocks.parameters(node)
    var shape = input.shape
    for (axis, block) in blocks.enumerated() {
      let (size, overflow) = shape[axis + 1].multipliedReportingOverflow(by: block)
      let cropped = crops[axis].before + crops[axis].after
      guard !overflow, cropped <= size, shape[0] % block == 0 else {
        throw node.invalid(
          "block \(block) of axis \(axis + 1) does not divide the batch of input \(input), or its crops take more than there is"
        )
      }
      shape[axis + 1] = size - cropped
      shape[0] /= block
    }
    return [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    try node.requireSameQuantization()
    let input = try node.input(0).shape
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let (blocks, crops) = try BatchBlocks.parameters(node)
    let map = BatchBlocks(
      axes: blocks.indices.map {
        BatchBlocks.Axis(size: output[$0 + 1], steps: input[$0 + 1], block: blocks[$0], before: crops[$0].before)
      }, batch: output[0], pixelBytes: input.innermost * (try node.elementBytes(ofInput: 0)))
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let rows = output.elementCount / (output[output.rank - 2] * output.innermost)
    return PreparedOperator(items: rows, cost: map.spreadingCost) { run, rows in
      map.spread(rows, from: run.pointer(source), to: run.pointer(destination))
    }
  }
}
