import SwiftletEngine

/// Elementwise broadcasting by NumPy's rule: shapes are aligned at their last dimension, and dimensions of size 1 are
/// stretched.
///
/// - Types: none; this type only computes positions.
/// - Source: the broadcasting rule of the model format, for any rank.
struct Broadcast: Sendable {
  /// The positions of an operand's elements, in elements. Strides are 0 along stretched dimensions.
  struct Operand: Sendable {
    /// The stride along the columns, 1 or 0.
    var innerStride = 1
    var rowStride = 0
    /// The strides along `Broadcast.outer`.
    var outerStrides: [Int] = []
  }

  /// A run of rows that a kernel handles in one call.
  struct Block {
    /// The start of the block in the dense output.
    var output: Int
    var columns: Int
    var rows: Int
    /// The index of the position in `outer`, and the first row and column, for the operands' offsets.
    var outer: Int
    var row: Int
    var column: Int
  }

  /// The number of output elements.
  let count: Int
  /// The size of the dense innermost run, which includes as many adjacent dimensions as possible.
  let columns: Int
  /// The size of the dimension around the columns, or 1 if there is none.
  let rows: Int
  /// The sizes of the dimensions around the rows, outermost first.
  let outer: [Int]
  let operands: [Operand]

  /// Returns the shape that `shapes` broadcast to, or `nil` if they are incompatible. A size of zero takes precedence
  /// over one.
  static func shape(of shapes: [Shape]) -> Shape? {
    let rank = shapes.map(\.rank).max() ?? 0
    var result = [Int](repeating: 1, count: rank)
    for shape in shapes {
      for (axis, dimension) in shape.dimensions.enumerated() where dimension != 1 {
        let target = axis + rank - shape.rank
        guard result[target] == 1 || result[target] == dimension else { return nil }
        result[target] = dimension
      }
    }
    return Shape(result)
  }

  /// Creates the broadcast.
  ///
  /// - Parameters:
  ///   - shapes: The shapes of the operands.
  ///   - output: The shape that they broadcast to.
  init(_ shapes: [Shape], to output: Shape) {
    // Dimensions from the innermost outward. Adjacent dimensions that every operand steps through in the same way are
    // merged.
    var sizes: [Int] = []
    var strides = [[Int]](repeating: [], count: shapes.count)
    var dense = [Int](repeating: 1, count: shapes.count)
    for axis in stride(from: output.rank - 1, through: 0, by: -1) where output[axis] != 1 {
      let size = output[axis]
      var steps: [Int] = []
      for (index, shape) in shapes.enumerated() {
        let own = axis - (output.rank - shape.rank)
        let isStretched = own < 0 || shape[own] == 1
        steps.append(isStretched ? 0 : dense[index])
        if !isStretched { dense[index] = dense[index] &* size }
      }
      if let last = sizes.last, shapes.indices.allSatisfy({ steps[$0] == strides[$0][sizes.count - 1] &* last }) {
        sizes[sizes.count - 1] = last &* size
      } else {
        sizes.append(size)
        for index in shapes.indices { strides[index].append(steps[index]) }
      }
    }
    count = output.elementCount
    columns = sizes.first ?? 1
    rows = sizes.count > 1 ? sizes[1] : 1
    outer = sizes.dropFirst(2).reversed()
    operands = strides.map {
      Operand(
        innerStride: $0.first ?? 1, rowStride: $0.count > 1 ? $0[1] : 0, outerStrides: $0.dropFirst(2).reversed())
    }
  }

  /// Divides the output elements in `range` into blocks: whole rows if possible, and parts of rows at the ends.
  @inline(__always)
  func forEachBlock(in range: Range<Int>, _ body: (Block) -> Void) {
    var position = range.lowerBound
    let end = range.upperBound
    while position < end {
      let line = position / columns
      let column = position &- line &* columns
      let outer = line / rows
      let row = line &- outer &* rows
      let left = end &- position
      var block = Block(output: position, columns: columns, rows: 1, outer: outer, row: row, column: column)
      if column == 0, left >= columns {
        block.rows = min(left / columns, rows &- row)
      } else {
        block.columns = min(columns &- column, left)
      }
      body(block)
      position &+= block.columns &* block.rows
    }
  }

  /// The overhead of blocks in nanoseconds per element, which is negligible unless rows are short.
  var blockCost: Double {
    guard columns < 16 else { return 0 }
    return 4 / Double(max(1, columns))
      + (outer.isEmpty ? 0 : Double(20 + 20 * outer.count) / Double(max(1, columns) * max(1, rows)))
  }

  /// Returns the start of a block in an operand.
  @inline(__always)
  func offset(of block: Block, in operand: Operand) -> Int {
    var offset = block.column &* operand.innerStride &+ block.row &* operand.rowStride
    var remaining = block.outer
    var axis = outer.count &- 1
    while axis >= 0 {
      let next = remaining / outer[axis]
      offset &+= (remaining &- next &* outer[axis]) &* operand.outerStrides[axis]
      remaining = next
      axis &-= 1
    }
    return offset
  }
}

extension NodeView {
  /// Returns the shape that all inputs broadcast to.
  ///
  /// - Throws: An error that names the shapes if they are incompatible.
  func broadcastShape() throws -> Shape {
    let inputs = try (0..<inputCount).map { try input($0) }
    guard let shape = Broadcast.shape(of: inputs.map(\.shape)) else {
      throw invalid(
        "cannot broadcast inputs \(inputs.map(\.description).joined(separator: " and ")) to one shape: dimensions, aligned at the last one, must be equal or 1"
      )
    }
    return shape
  }
}

/// The repetition of a short row that is combined with every row of the other operand, so that a kernel gets rows of a
/// sufficient length.
///
/// An example is three channels that are subtracted from every pixel of an image.
struct RowRepetition: Sendable {
  private enum Side { case left, right }

  private let side: Side
  private let columns: Int
  private let sizes: BinaryRowKernel.ElementSizes
  /// The number of repetitions.
  let rows: Int

  /// The number of elements in the repeated row.
  private var elements: Int { columns &* rows }
  /// The element size of the short row in bytes.
  private var elementBytes: Int { side == .left ? sizes.left : sizes.right }
  /// The size of the repeated row in bytes.
  var byteCount: Int { elements &* elementBytes }

  /// Creates the repetition, or returns `nil` if it isn't worthwhile or if the short row isn't the same everywhere.
  init?(_ broadcast: Broadcast, _ sizes: BinaryRowKernel.ElementSizes) {
    self.sizes = sizes
    columns = broadcast.columns
    rows = 256 / max(1, columns)
    let (left, right) = (broadcast.operands[0], broadcast.operands[1])
    guard broadcast.outer.isEmpty, columns < 32, broadcast.rows >= 4 * rows, left.innerStride == 1,
      right.innerStride == 1
    else { return nil }
    if right.rowStride == 0, left.rowStride == columns {
      side = .right
    } else if left.rowStride == 0, right.rowStride == columns {
      side = .left
    } else {
      return nil
    }
  }

  /// Writes the repeated row.
  func fill(_ memory: UnsafeMutableRawPointer, left: UnsafeRawPointer, right: UnsafeRawPointer) {
    let rowBytes = columns &* elementBytes
    for repetition in 0..<rows {
      moveBytes(rowBytes, from: side == .left ? left : right, to: memory + repetition &* rowBytes)
    }
  }

  /// Merges every `self.rows` rows to one. The remaining rows are dropped.
  func widen(_ block: inout BinaryRows, _ memory: UnsafeMutableRawPointer) {
    switch side {
    case .left: block.left = UnsafeRawPointer(memory)
    case .right: block.right = UnsafeRawPointer(memory)
    }
    block.columns = elements
    block.rows = block.rows / rows
    block.leftStride = block.leftStride &* rows
    block.rightStride = block.rightStride &* rows
  }

  /// Returns the rows that `widen` dropped, as one row.
  func rest(_ widened: BinaryRows, of block: Broadcast.Block) -> BinaryRows {
    var rest = widened
    rest.left += widened.rows &* widened.leftStride &* sizes.left
    rest.right += widened.rows &* widened.rightStride &* sizes.right
    rest.result += widened.rows &* elements &* sizes.result
    rest.columns = (block.rows &- widened.rows &* rows) &* columns
    rest.rows = rest.columns > 0 ? 1 : 0
    return rest
  }
}
