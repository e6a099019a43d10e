import SwiftletEngine
import SwiftletKernels
import SwiftletSchema

/// The sizes of the image before and after a resizing operator.
///
/// - Shapes: input `[batch, height, width, channels]`; size `[2]`, height and width of the output.
struct ResizeGeometry: Sendable {
  var batch: Int
  var inputHeight: Int
  var inputWidth: Int
  var outputHeight: Int
  var outputWidth: Int
  var channels: Int

  /// Creates the geometry.
  ///
  /// - Throws: An error if the input isn't an image, or if the size isn't two positive numbers within the limit, and
  ///   the signal of `inferShapes` if the size isn't known yet.
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
    guard max(outputHeight, outputWidth) <= Self.maximumSide else {
      throw RuntimeError(
        .limitExceeded, "size \(size) is above the limit of \(Self.maximumSide) pixels a side",
        location: node.node.location)
    }
  }

  /// The maximum output size, because every row and every column has an entry in a table.
  private static let maximumSide = 1 << 24

  /// Reserves memory for the tables.
  ///
  /// - Throws: An error if there is no memory, or if the output size has changed.
  func requireTables(_ context: PrepareContext) throws {
    try context.node.requireOutputs([outputShape])
    try context.requireTable(elements: [outputHeight + outputWidth, 7], of: Int.self)
  }

  var outputShape: Shape { [batch, outputHeight, outputWidth, channels] }
}

/// The mapping from output pixels to input positions along one axis.
struct ResizeRule: Sendable, Hashable {
  /// Whether the first and last pixels of input and output are aligned.
  var alignsCorners: Bool
  /// Whether pixels are squares with their centers at one half.
  var hasHalfPixelCenters: Bool

  /// Returns the number of input pixels per output pixel, in single precision as in the reference.
  func scale(input: Int, output: Int) -> Float {
    alignsCorners && output > 1 ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
  }
}

/// The output rows of float32 images in XNNPACK's order of operations: first the columns of two input rows are blended,
/// and then these rows.
///
/// An enlarged image has several output rows between two input rows, which share the blended columns.
struct RowInterpolation: Sendable {
  private let geometry: ResizeGeometry
  private let rows: [LinearTap<Float>]
  private let columns: [ColumnTap<Float>]
  private let kernels: ResizeKernels

  init(_ geometry: ResizeGeometry, _ rule: ResizeRule, _ kernels: ResizeKernels) {
    self.geometry = geometry
    self.kernels = kernels
    rows = rule.boundedTaps(input: geometry.inputHeight, output: geometry.outputHeight)
    columns = rule.boundedTaps(input: geometry.inputWidth, output: geometry.outputWidth).map { tap in
      ColumnTap(
        lower: Int32(truncatingIfNeeded: tap.lower &* geometry.channels),
        upper: Int32(truncatingIfNeeded: tap.upper &* geometry.channels), lowerWeight: tap.lowerWeight,
        upperWeight: tap.upperWeight)
    }
  }

  func prepared(_ context: PrepareContext) throws -> PreparedOperator {
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let height = geometry.outputHeight, inputHeight = geometry.inputHeight, rowElements = rowElements
    // Two blended rows, and an input row followed by readable memory.
    context.requireWorkerScratch(
      bytes: (2 * rowElements + geometry.inputRowElements) * 4 + ResizeKernels.slackBytes)
    return PreparedOperator(items: geometry.batch * height, cost: cost) { run, items in
      let input = UnsafePointer(run.pointer(source, as: Float.self))
      let output = run.pointer(destination, as: Float.self)
      var upper = run.workerScratch.assumingMemoryBound(to: Float.self)
      var lower = upper + rowElements
      let copy = lower + rowElements
      var upperRow = -1, lowerRow = -1
      for item in items {
        let (image, row) = item.quotientAndRemainder(dividingBy: height)
        let tap = rows[row]
        let first = image &* inputHeight &+ tap.lower, second = image &* inputHeight &+ tap.upper
        if first == lowerRow {
          swap(&upper, &lower)
          swap(&upperRow, &lowerRow)
        }
        if first != upperRow {
          mixColumns(ofRow: first, of: input, copy, into: upper)
          upperRow = first
        }
        // If its weight is zero, the second row has no effect.
        let hasShare = tap.upperWeight != 0
        if hasShare, second != lowerRow {
          mixColumns(ofRow: second, of: input, copy, into: lower)
          lowerRow = second
        }
        kernels.mixRows(
          upper, hasShare ? lower : upper, tap.upperWeight, count: rowElements, into: output + item &* rowElements)
      }
    }
  }

  /// Blends the columns of an input row.
  ///
  /// - Parameters:
  ///   - row: The index among the rows of all images.
  ///   - copy: Memory for an input row and the bytes that the kernel reads after it.
  private func mixColumns(
    ofRow row: Int, of input: UnsafePointer<Float>, _ copy: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    let count = geometry.inputRowElements, first = row &* count
    var line = input + first
    if first &+ count &+ ResizeKernels.slackBytes / 4 > geometry.batch &* geometry.inputElements {
      // Only the next tensor follows the last rows.
      copy.update(from: line, count: count)
      line = UnsafePointer(copy)
    }
    columns.withUnsafeBufferPointer { kernels.mixColumns(line, taps: $0, channels: geometry.channels, into: target) }
  }

  private var rowElements: Int { geometry.outputWidth * geometry.channels }

  /// The approximate time per output row in nanoseconds.
  private var cost: Double { Double(rowElements) * 0.6 + Double(columns.count) * 3 }
}
