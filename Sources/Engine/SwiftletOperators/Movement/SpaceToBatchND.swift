import SwiftletEngine
import SwiftletSchema

/// SPACE_TO_BATCH_ND: the padded image cut into blocks; equal positions of all blocks become images of their own.
///
/// - Shapes: input `[batch, spatial…, channels]`; blocks `[spatial axes]`; paddings `[spatial axes, 2]`.
/// - Types: data of every type of whole bytes, padded with zero or the zero point; blocks and paddings int32 or int64.
/// - Source: operator 38 of the model format.
struct SpaceToBatchNDOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .spaceToBatchND, versions: 1...4, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let (blocks, paddings) = try BatchBlocks.parameters(node)
    var shape = input.shape
    for (axis, block) in blocks.enumerated() {
      let padded = shape[axis + 1] + paddings[axis].before + paddings[axis].after
      let (batch, overflow) = shape[0].multipliedReportingOverflow(by: block)
      guard padded % block == 0, !overflow else {
        throw node.invalid(
          "axis \(axis + 1) of input \(input), \(padded) with its padding, is no multiple of block \(block)")
      }
      shape[axis + 1] = padded / block
      shape[0] = batch
    }
    return [shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    try node.requireSameQuantization()
    let input = try node.input(0).shape
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let (blocks, paddings) = try BatchBlocks.parameters(node)
    let elementBytes = try node.elementBytes(ofInput: 0)
    let map = BatchBlocks(
      axes: blocks.indices.map {
        BatchBlocks.Axis(size: input[$0 + 1], steps: output[$0 + 1], block: blocks[$0], before: paddings[$0].before)
      }, batch: input[0], pixelBytes: input.innermost * elementBytes)
    let fill = ElementFill(node.quantizedZero(ofOutput: 0), elementBytes: elementBytes)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let rowPixels = output[output.rank - 2]
    let rows = output.elementCount / (rowPixels * output.innermost)
    return PreparedOperator(items: rows, cost: Double(rowPixels) * (2 + Double(map.pixelBytes) * 0.05) + 10) {
      run, rows in
      map.gather(rows, from: run.pointer(source), to: run.pointer(destination), fill: fill)
    }
  }
}
