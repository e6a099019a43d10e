import SwiftletEngine
import SwiftletSchema

/// DEPTH_TO_SPACE: the channels of every pixel laid out as a block of pixels.
///
/// - Shapes: input `[batch, height, width, block² · channels]`; output `[batch, height · block, width · block,
///   channels]`.
/// - Types: every type of whole bytes.
/// - Source: operator 5 of the model format.
struct DepthToSpaceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.depthToSpace, versions: 1...2, types: .uniform(TypeSet.plain.types))
  }

  private let block: BlockSize

  init(parsing node: NodeReader) throws { block = try BlockSize(parsing: node, field: DepthToSpaceOptions.blockSize) }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try block.enlarged(node)] }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0).shape
    let output = try context.node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let (size, channels) = (block.size, output[3])
    let pixel = input[3]
    let copy = StridedCopy(
      elementBytes: try context.node.elementBytes(ofInput: 0),
      counts: [input[0], input[1], size, input[2], size, channels],
      sourceStrides: [input[1] * input[2] * pixel, input[2] * pixel, size * channels, pixel, channels, 1],
      destinationStrides: Shape([input[0], input[1], size, input[2], size, channels]).strides)
    return try PreparedOperator(copy: copy, context)
  }
}
