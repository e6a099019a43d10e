import SwiftletEngine
import SwiftletSchema

/// The common part of DEPTH_TO_SPACE and SPACE_TO_DEPTH: blocks of `size × size` pixels on one side are the channels of
/// one pixel on the other side.
struct BlockSize: Sendable {
  let size: Int

  /// Creates the block size.
  ///
  /// - Throws: An error for a size below 1.
  init(parsing node: NodeReader, field: OptionField<Int>) throws {
    try node.require(inputs: 1...1)
    size = try node.options[field]
    guard size >= 1 else { throw node.invalid("has block size \(size); it must be at least 1") }
  }

  /// Returns `[batch, height, width, channels]` with height and width multiplied and channels divided.
  ///
  /// - Throws: An error if the input isn't an image, or if its channels aren't divisible.
  func enlarged(_ node: NodeView) throws -> Shape {
    let input = try image(node)
    let (square, overflow) = size.multipliedReportingOverflow(by: size)
    let (height, heightOverflow) = input.shape[1].multipliedReportingOverflow(by: size)
    let (width, widthOverflow) = input.shape[2].multipliedReportingOverflow(by: size)
    guard !overflow, !heightOverflow, !widthOverflow, input.shape[3] % square == 0 else {
      throw node.invalid("the channels of input \(input) are not a multiple of \(size) × \(size)")
    }
    return [input.shape[0], height, width, input.shape[3] / square]
  }

  /// Returns `[batch, height, width, channels]` with height and width divided and channels multiplied.
  ///
  /// - Throws: An error if the input isn't an image, or if its height and width aren't divisible.
  func reduced(_ node: NodeView) throws -> Shape {
    let input = try image(node)
    let (square, overflow) = size.multipliedReportingOverflow(by: size)
    let (channels, channelsOverflow) = input.shape[3].multipliedReportingOverflow(by: square)
    guard !overflow, !channelsOverflow, input.shape[1] % size == 0, input.shape[2] % size == 0 else {
      throw node.invalid("height and width of input \(input) are not multiples of \(size)")
    }
    return [input.shape[0], input.shape[1] / size, input.shape[2] / size, channels]
  }

  private func image(_ node: NodeView) throws -> TensorSpec {
    let input = try node.input(0)
    guard input.shape.rank == 4 else { throw node.invalid("input \(input) must be [batch×height×width×channels]") }
    return input
  }
}

/// DEPTH_TO_SPACE: the channels of every pixel, rearranged as a block of pixels.
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

/// SPACE_TO_DEPTH: every block of pixels, rearranged as the channels of one pixel.
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
