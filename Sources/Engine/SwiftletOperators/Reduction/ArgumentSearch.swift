import SwiftletEngine
import SwiftletKernels

/// The search for the position of the extreme element along one axis, for elements and positions of all types.
struct ArgumentSearch: Sendable {
  let isMaximum: Bool
  let axis: Int

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    switch input.elementType {
    case .float32: return try search(context, isMaximum ? FloatMaximum().argumentLoops : FloatMinimum().argumentLoops)
    case .int8: return try rowsOfBytes(context) ?? search(context, loops(Int8.self))
    case .uint8, .bool: return try rowsOfBytes(context) ?? search(context, loops(UInt8.self))
    case .int32: return try search(context, loops(Int32.self))
    default: throw node.unexpectedType(input)
    }
  }

  private func loops<Element: FixedWidthInteger & BitwiseCopyable & Sendable>(_ type: Element.Type) -> ArgumentLoops {
    isMaximum ? IntegerMaximum<Element>().argumentLoops : IntegerMinimum<Element>().argumentLoops
  }

  /// Returns whether positions are int64.
  private func isWide(_ node: NodeView) throws -> Bool {
    let output = try node.output(0)
    switch output.elementType {
    case .int32: return false
    case .int64: return true
    default: throw node.unexpectedType(output)
    }
  }

  /// Returns the search along the last axis of 8-bit elements with a kernel; `nil` for other axes.
  private func rowsOfBytes(_ context: PrepareContext) throws -> PreparedOperator? {
    let input = try context.node.input(0)
    let length = input.shape[axis], rows = input.shape.elementCount(0..<axis)
    guard input.shape.elementCount((axis + 1)..<input.shape.rank) == 1, rows > 0, length > 0,
      length <= ByteKernels.maximumSearchedRow
    else { return nil }
    let source = try context.inputSlot(0), destination = try context.outputSlot(0)
    let kernels = context.kernels.bytes, isSigned = input.elementType == .int8, isMaximum = isMaximum
    context.uses("vector search int8")
    let isWide = try isWide(context.node)
    // 64-bit positions are first written to scratch memory as 32-bit positions.
    let block = isWide ? 256 : rows
    context.requireWorkerScratch(bytes: isWide ? block * MemoryLayout<Int32>.size : 0)
    return PreparedOperator(items: rows, cost: 0.3 * Double(length) + 4) { run, range in
      for first in stride(from: range.lowerBound, to: range.upperBound, by: block) {
        let count = min(block, range.upperBound &- first)
        let places =
          isWide
          ? run.workerScratch.assumingMemoryBound(to: Int32.self) : run.pointer(destination, as: Int32.self) + first
        kernels.positionsOfExtremes(
          isMaximum: isMaximum, rows: count, columns: length, input: run.pointer(source) + first &* length,
          isSigned: isSigned, output: places)
        if isWide { Self.widen(places, count, into: run.pointer(destination, as: Int64.self) + first) }
      }
    }
  }

  private static func widen(_ places: UnsafePointer<Int32>, _ count: Int, into output: UnsafeMutablePointer<Int64>) {
    for index in 0..<max(count, 0) { output[index] = Int64(places[index]) }
  }

  /// The number of columns per item, so that the best values stay in the L1 cache.
  private static let columnsPerItem = 1024

  private func search(_ context: PrepareContext, _ loops: ArgumentLoops) throws -> PreparedOperator {
    let node = context.node
    let input = try node.input(0)
    let length = input.shape[axis]
    let inner = input.shape.elementCount((axis + 1)..<input.shape.rank)
    let outer = input.shape.elementCount(0..<axis)
    let isWide = try isWide(node)
    guard outer > 0, inner > 0 else { return .empty }
    guard length > 0 else { throw node.invalid("searches axis \(axis) of input \(input), which is empty") }
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    if inner == 1 {
      return PreparedOperator(items: outer, cost: 0.4 * Double(length) + 3) { run, range in
        for item in range {
          let position = loops.row(run.pointer(source) + item &* length &* loops.elementBytes, length)
          if isWide {
            run.pointer(destination, as: Int64.self)[item] = Int64(position)
          } else {
            run.pointer(destination, as: Int32.self)[item] = Int32(truncatingIfNeeded: position)
          }
        }
      }
    }
    guard length <= Int(Int32.max) else {
      throw RuntimeError(
        .limitExceeded, "searches up to \(Int32.max) elements along an axis that is not the last, got \(input)",
        location: node.node.location)
    }
    // 64-bit positions are first written to scratch memory as 32-bit positions, after the best values.
    let bestBytes = Self.columnsPerItem * 8
    context.requireWorkerScratch(bytes: bestBytes + Self.columnsPerItem * MemoryLayout<Int32>.size)
    let pieces = (inner + Self.columnsPerItem - 1) / Self.columnsPerItem
    let width = (inner + pieces - 1) / pieces
    return PreparedOperator(items: outer * pieces, cost: 0.8 * Double(length) * Double(width) + 5) { run, range in
      for item in range {
        let (block, piece) = item.quotientAndRemainder(dividingBy: pieces)
        let first = piece &* width, count = min(width, inner &- first)
        let target = block &* inner &+ first
        let places =
          isWide
          ? (run.workerScratch + bestBytes).assumingMemoryBound(to: Int32.self)
          : run.pointer(destination, as: Int32.self) + target
        loops.columns(
          ArgumentLoops.Columns(
            elements: run.pointer(source) + (block &* length &* inner &+ first) &* loops.elementBytes,
            best: run.workerScratch, positions: places, rows: length, stride: inner, count: max(count, 0)))
        if isWide { Self.widen(places, count, into: run.pointer(destination, as: Int64.self) + target) }
      }
    }
  }
}

/// The loops of a search over elements. Only the loops know the element type.
struct ArgumentLoops: Sendable {
  /// The element size in bytes, at most 8.
  let elementBytes: Int
  /// Returns the position of the extreme element of `count` ≥ 1 contiguous elements.
  let row: @Sendable (_ elements: UnsafeRawPointer, _ count: Int) -> Int
  /// Computes the positions of the extreme elements of columns.
  let columns: @Sendable (Columns) -> Void

  struct Columns {
    var elements: UnsafeRawPointer
    /// Memory for one element per column.
    var best: UnsafeMutableRawPointer
    var positions: UnsafeMutablePointer<Int32>
    /// The number of rows, at least 1.
    var rows: Int
    /// The number of elements between two rows.
    var stride: Int
    var count: Int
  }
}

extension ReductionRule where Element == Accumulator, Element: Equatable {
  /// The extreme value is found first, and then the first element that has it. Both loops are vectorized, in contrast
  /// to a search that tracks positions.
  fileprivate var argumentLoops: ArgumentLoops {
    ArgumentLoops(elementBytes: MemoryLayout<Element>.stride) { elements, count in
      let elements = elements.assumingMemoryBound(to: Element.self)
      return firstPosition(of: combine(run: elements, count: count), in: elements, count: count)
    } columns: {
      search($0)
    }
  }

  @inline(__always)
  private func search(_ columns: ArgumentLoops.Columns) {
    let elements = columns.elements.assumingMemoryBound(to: Element.self)
    let best = columns.best.assumingMemoryBound(to: Element.self)
    let positions = columns.positions
    for column in 0..<columns.count {
      best[column] = begin(elements[column])
      positions[column] = 0
    }
    for row in 1..<max(columns.rows, 1) {
      let values = elements + row &* columns.stride
      for column in 0..<columns.count { best[column] = combine(best[column], values[column]) }
    }
    // Backward, so that the first of equal elements is kept.
    for row in stride(from: columns.rows &- 1, through: 0, by: -1) {
      let values = elements + row &* columns.stride
      let position = Int32(truncatingIfNeeded: row)
      for column in 0..<columns.count where values[column] == best[column] { positions[column] = position }
    }
  }

  /// Returns the position of the first of `count` elements equal to `value`; 0 if there is none, because all may be
  /// NaN.
  @inline(__always)
  private func firstPosition(of value: Element, in elements: UnsafePointer<Element>, count: Int) -> Int {
    // Runs up to this length are searched completely, without a branch per element. Longer ones are searched until the
    // value is found.
    let shortRun = 64
    if count > shortRun {
      var position = 0
      while position < count, elements[position] != value { position &+= 1 }
      return position < count ? position : 0
    }
    var first = Int32.max
    for position in 0..<Int32(truncatingIfNeeded: count) {
      let candidate = elements[Int(position)] == value ? position : .max
      first = candidate < first ? candidate : first
    }
    return first == .max ? 0 : Int(first)
  }
}
