import SwiftletEngine
import SwiftletSchema

/// What the resizing operators read from a node: the image's sizes before and after.
///
/// - Shapes: input `[batch, height, width, channels]`; size `[2]`, height and width of the output.
struct ResizeGeometry: Sendable {
  var batch: Int
  var inputHeight: Int
  var inputWidth: Int
  var outputHeight: Int
  var outputWidth: Int
  var channels: Int

  /// - Throws: when the input is no image or the size not two positive numbers within the limit, and the signal of
  ///   `inferShapes` when the size is not known yet.
  init(_ node: NodeView) throws {
    let input = try node.input(0)
    let size = try node.integers(1)
    guard input.shape.rank == 4 else {
      throw node.invalid("input \(input) must be [batch×height×width×channels]")
    }
    guard size.count == 2, size[0] > 0, size[1] > 0 else {
      throw node.invalid("size \(size) must be two positive numbers, height and width")
    }
    guard input.shape[1] > 0, input.shape[2] > 0 else {
      throw node.invalid("input \(input) has no pixels to resize")
    }
    batch = input.shape[0]
    inputHeight = input.shape[1]
    inputWidth = input.shape[2]
    channels = input.shape[3]
    outputHeight = size[0]
    outputWidth = size[1]
    guard max(outputHeight, outputWidth) <= Self.longestSide else {
      throw RuntimeError(
        .limitExceeded, "size \(size) is above the limit of \(Self.longestSide) pixels a side",
        location: node.node.location)
    }
  }

  /// Every row and every column of the output has an entry in a table.
  private static let longestSide = 1 << 24

  /// Takes the room for these tables.
  ///
  /// - Throws: when there is none, and when the output has another size by now.
  func requireTables(_ context: PrepareContext) throws {
    try context.node.requireOutputs([outputShape])
    try context.requireTable(elements: [outputHeight + outputWidth, 7], of: Int.self)
  }

  var outputShape: Shape { [batch, outputHeight, outputWidth, channels] }
}

/// Where output pixels lie in the input, along one axis.
struct ResizeRule: Sendable, Hashable {
  /// The first and last pixels of input and output lie on each other.
  var alignsCorners: Bool
  /// Pixels are squares with their centre at one half.
  var hasHalfPixelCenters: Bool

  /// The input pixels per output pixel, in single precision as in the reference.
  func scale(input: Int, output: Int) -> Float {
    alignsCorners && output > 1 ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
  }
}
