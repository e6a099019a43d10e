import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// The common part of SPACE_TO_BATCH_ND and BATCH_TO_SPACE_ND: positions within blocks of the spatial axes on the
/// larger side correspond to batch entries on the smaller side.
///
/// Position `p` of a spatial axis of the larger side, plus the padding before it, corresponds to step `p / block` of
/// the smaller side in the batch with remainder `p % block`. In the batches of the smaller side, the remainder of the
/// first axis is outermost, and the original batch is innermost.
struct BatchBlocks: Sendable {
  struct Axis: Sendable {
    /// The size on the larger side, without padding or crops.
    var size: Int
    /// The size on the smaller side.
    var steps: Int
    var block: Int
    /// The number of steps padded or cropped at the start.
    var before: Int
  }

  var axes: [Axis]
  /// The number of batches on the larger side.
  var batch: Int
  var pixelBytes: Int

  /// The innermost spatial axis. A row contains everything along it.
  private var last: Axis { axes[axes.count - 1] }
  private var largeRowBytes: Int { last.size &* pixelBytes }
  private var smallRowBytes: Int { last.steps &* pixelBytes }

  /// Returns the block sizes, and the pairs of paddings or crops, from inputs 1 and 2.
  ///
  /// - Throws: An error if they don't match the input, and the signal of `inferShapes` if they aren't known yet.
  static func parameters(_ node: NodeView) throws -> (blocks: [Int], pairs: [(before: Int, after: Int)]) {
    let input = try node.input(0)
    let blocks = try node.integers(1)
    let values = try node.integers(2)
    let spatial = input.shape.rank - 2
    guard spatial >= 1, blocks.count == spatial, values.count == 2 * spatial, blocks.allSatisfy({ $0 >= 1 }),
      values.allSatisfy({ $0 >= 0 && $0 <= Int(Int32.max) })
    else {
      throw node.invalid(
        "blocks \(blocks.excerpt) and margins \(values.excerpt) must be one block of 1 or more and two margins of 0 or more for each axis of input \(input) between the first and the last"
      )
    }
    return (blocks, (0..<spatial).map { (values[2 * $0], values[2 * $0 + 1]) })
  }

  /// Returns the blocks of images from inputs 1 and 2; `nil` unless the spatial axes are height and width.
  static func images(_ node: NodeView, _ role: ImageBlocks.Role) throws -> ImageBlocks? {
    guard try node.input(0).shape.rank == 4 else { return nil }
    let (blocks, pairs) = try parameters(node)
    return ImageBlocks(
      role, height: blocks[0], width: blocks[1],
      margins: ExplicitPadding(
        top: pairs[0].before, bottom: pairs[0].after, left: pairs[1].before, right: pairs[1].after))
  }

  /// Copies rows `rows` of the smaller side from the larger side, and fills the padding.
  func gather(
    _ rows: Range<Int>, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer, fill: ElementFill
  ) {
    for row in rows {
      let to = destination.advanced(by: row &* smallRowBytes)
      let place = place(ofSmallRow: row)
      guard let largeRow = place.row else {
        fill.fill(to, byteCount: smallRowBytes)
        continue
      }
      let from = source.advanced(by: largeRow &* largeRowBytes)
      let shift = place.remainder &- last.before
      let first = min(last.steps, shift >= 0 ? 0 : (last.block &- 1 &- shift) / last.block)
      let end = max(first, min(last.steps, last.size > shift ? (last.size &- 1 &- shift) / last.block &+ 1 : 0))
      fill.fill(to, byteCount: first &* pixelBytes)
      for step in first..<end {
        moveBytes(
          pixelBytes, from: from.advanced(by: (step &* last.block &+ shift) &* pixelBytes),
          to: to.advanced(by: step &* pixelBytes))
      }
      fill.fill(to.advanced(by: end &* pixelBytes), byteCount: (last.steps &- end) &* pixelBytes)
    }
  }

  /// Returns the row of the larger side, `nil` in the padding, and the remainder along the last axis, for row `row` of
  /// the smaller side.
  private func place(ofSmallRow row: Int) -> (row: Int?, remainder: Int) {
    // The digits of the row, innermost first: outer spatial steps, the batch, and the remainders.
    var rest = row
    var steps = SIMD8<Int>.zero
    for axis in stride(from: axes.count &- 2, through: 0, by: -1) {
      steps[axis] = rest % axes[axis].steps
      rest /= axes[axis].steps
    }
    let image = rest % batch
    rest /= batch
    let remainder = rest % last.block
    rest /= last.block
    var largeRow = 0
    var stride = 1
    for axis in Swift.stride(from: axes.count &- 2, through: 0, by: -1) {
      let item = axes[axis]
      let position = steps[axis] &* item.block &+ rest % item.block &- item.before
      rest /= item.block
      guard position >= 0, position < item.size else { return (nil, remainder) }
      largeRow &+= position &* stride
      stride &*= item.size
    }
    return (largeRow &+ image &* stride, remainder)
  }

  /// Copies rows `rows` of the larger side from the smaller side.
  func spread(_ rows: Range<Int>, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    for row in rows {
      let to = destination.advanced(by: row &* largeRowBytes)
      // The rows of the smaller side with remainder 0 along the last axis. The next remainder is `batch` batches
      // further.
      let (base, remainderStride) = smallRow(ofLargeRow: row)
      for remainder in 0..<last.block {
        let from = source.advanced(by: (base &+ remainder &* remainderStride) &* smallRowBytes)
        var step = max(0, last.before &- remainder &+ last.block &- 1) / last.block
        var position = step &* last.block &+ remainder &- last.before
        while position < last.size {
          moveBytes(
            pixelBytes, from: from.advanced(by: step &* pixelBytes), to: to.advanced(by: position &* pixelBytes))
          step &+= 1
          position &+= last.block
        }
      }
    }
  }

  /// The approximate time per row of the larger side, in nanoseconds: the time for its pixels, and for each remainder,
  /// even if it is cropped completely.
  var spreadingCost: Double {
    Double(last.size) * (4 + Double(pixelBytes) * 0.05) + Double(last.block) * 3 + 10
  }

  private func smallRow(ofLargeRow row: Int) -> (base: Int, remainderStride: Int) {
    var rest = row
    var stepRow = 0
    var rowsPerBatch = 1
    var remainders = 0
    var remainderScale = last.block
    for axis in Swift.stride(from: axes.count &- 2, through: 0, by: -1) {
      let item = axes[axis]
      let (step, remainder) = (rest % item.size &+ item.before).quotientAndRemainder(dividingBy: item.block)
      rest /= item.size
      stepRow &+= step &* rowsPerBatch
      rowsPerBatch &*= item.steps
      remainders &+= remainder &* remainderScale
      remainderScale &*= item.block
    }
    return ((remainders &* batch &+ rest) &* rowsPerBatch &+ stepRow, batch &* rowsPerBatch)
  }
}

/// BATCH_TO_SPACE_ND: images interleaved position by position in blocks, and cropped.
///
/// - Shapes: input `[batch, spatial…, channels]`; blocks `[spatial axes]`; crops `[spatial axes, 2]`.
/// - Types: data of every type of whole bytes; blocks and crops int32 or int64.
/// - Source: operator 37 of the model format.
struct BatchToSpaceNDOperator: ImageBlocksOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .batchToSpaceND, versions: 1...4, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func imageBlocks(_ node: NodeView) throws -> ImageBlocks? { try BatchBlocks.images(node, .assembly) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let (blocks, crops) = try BatchBlocks.parameters(node)
    var shape = input.shape
    for (axis, block) in blocks.enumerated() {
      let (size, overflow) = shape[axis + 1].multipliedReportingOverflow(by: block)
      let cropped = crops[axis].before + crops[axis].after
      guard !overflow, cropped <= size, shape[0] % block == 0 else {
        throw node.invalid(
          "block \(block) of axis \(axis + 1) does not divide the batch of input \(input), or its crops remove more than the axis has"
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

/// SPACE_TO_BATCH_ND: the padded image divided into blocks. Equal positions of all blocks form separate images.
///
/// - Shapes: input `[batch, spatial…, channels]`; blocks `[spatial axes]`; paddings `[spatial axes, 2]`.
/// - Types: data of every type of whole bytes, padded with zero or the zero point; blocks and paddings int32 or int64.
/// - Source: operator 38 of the model format.
struct SpaceToBatchNDOperator: ImageBlocksOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .spaceToBatchND, versions: 1...4, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func imageBlocks(_ node: NodeView) throws -> ImageBlocks? { try BatchBlocks.images(node, .division) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let (blocks, paddings) = try BatchBlocks.parameters(node)
    var shape = input.shape
    for (axis, block) in blocks.enumerated() {
      let padded = shape[axis + 1] + paddings[axis].before + paddings[axis].after
      let (batch, overflow) = shape[0].multipliedReportingOverflow(by: block)
      guard padded % block == 0, !overflow else {
        throw node.invalid(
          "axis \(axis + 1) of input \(input), \(padded) with its padding, is not a multiple of block \(block)")
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
