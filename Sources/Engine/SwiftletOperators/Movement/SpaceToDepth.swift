import SwiftletEngine
import SwiftletSchema

/// SPACE_TO_DEPTH: every block of pixels as the channels of one.
///
/// - Shapes: input `[batch, height, width, channels]`; output `[batch, height / block, width / block, block² ·
///   channels]`.
/// - Types: every type of whole bytes.
/// - Source: operator 26 of the model format.
struct SpaceToDepthOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.spaceToDepth, versions: 1...2, types: .uniform(TypeSet.plain.types))
  }

  private let block: BlockSize

  init(parsing node: NodeReader) throws { block = try BlockSize(parsing: node, field: SpaceToDepthOptions.blockSize) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try block.reduced(node)] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0).shape
    let output = try context.node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let (size, channels) = (block.size, input[3])
    let row = input[2] * channels
    let counts = [output[0], output[1], output[2], size, size, channels]
    let copy = StridedCopy(
      elementBytes: try context.node.elementBytes(ofInput: 0), counts: counts,
      sourceStrides: [input[1] * row, size * row, size * channels, row, channels, 1],
      destinationStrides: Shape(counts).strides)
    return try PreparedOperator(copy: copy, context)
  }
}
