import SwiftletEngine
import SwiftletSchema

/// What DEPTH_TO_SPACE and SPACE_TO_DEPTH share: blocks of `size × size` pixels that are the channels of one pixel on
/// the other side.
struct BlockSize: Sendable {
  let size: Int

  /// - Throws: for a size below 1.
  init(parsing node: NodeReader, field: OptionField<Int>) throws {
    try node.require(inputs: 1...1)
    size = try node.options[field]
    guard size >= 1 else { throw node.invalid("has block size \(size), it must be 1 or more") }
  }

  /// `[batch, height, width, channels]` with height and width multiplied and channels divided.
  ///
  /// - Throws: when the input is no image or its channels do not divide.
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

  /// `[batch, height, width, channels]` with height and width divided and channels multiplied.
  ///
  /// - Throws: when the input is no image or its height and width do not divide.
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
