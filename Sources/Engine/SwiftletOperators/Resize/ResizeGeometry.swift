import SwiftletEngine
import SwiftletKernels
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

  /// - Throws: An error if the input is no image or the size not two positive numbers within the limit, and the signal of
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
    guard max(outputHeight, outputWidth) <= Self.maximumSide else {
      throw RuntimeError(
        .limitExceeded, "size \(size) is above the limit of \(Self.maximumSide) pixels a side",
        location: node.node.location)
    }
  }

  /// Every row and every column of the output has an entry in a table.
  private static let maximumSide = 1 << 24

  /// Takes the room for these tables.
  ///
  /// - Throws: An error if there is none, and when the output has another size by now.
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
  /// Pixels are squares with their center at one half.
  var hasHalfPixelCenters: Bool

  /// Returns the input pixels per output pixel, in single precision as in the reference.
  func scale(input: Int, output: Int) -> Float {
    alignsCorners && output > 1 ? Float(input - 1) / Float(output - 1) : Float(input) / Float(output)
  }
}

/// The output rows of float32 images in XNNPACK's order of operations: first the columns of two input rows, then these
/// rows with each other.
///
/// An enlarged image has several output rows between two input rows, whose mixed columns they share.
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
    // Two mixed rows, and an input row that is followed by readable memory.
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
        // Without a share, the second row changes nothing.
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

  /// - Parameters:
  ///   - row: The index among the rows of all images.
  ///   - copy: Room for an input row and what the kernel reads behind it.
  private func mixColumns(
    ofRow row: Int, of input: UnsafePointer<Float>, _ copy: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    let count = geometry.inputRowElements, first = row &* count
    var line = input + first
    if first &+ count &+ ResizeKernels.slackBytes / 4 > geometry.batch &* geometry.inputElements {
      // Only the next tensor is behind the last rows.
      copy.update(from: line, count: count)
      line = UnsafePointer(copy)
    }
    columns.withUnsafeBufferPointer { kernels.mixColumns(line, taps: $0, channels: geometry.channels, into: target) }
  }

  private var rowElements: Int { geometry.outputWidth * geometry.channels }

  /// Roughly how long an output row takes, in nanoseconds.
  private var cost: Double { Double(rowElements) * 0.6 + Double(columns.count) * 3 }
}
