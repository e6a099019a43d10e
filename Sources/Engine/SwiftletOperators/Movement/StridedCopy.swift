import SwiftletEngine
import SwiftletKernels

/// One loop of a strided copy: the iteration count, and the byte strides in source and destination.
struct CopyLoop: Sendable, Hashable {
  var count: Int
  /// The source stride; 0 repeats the source, and a negative stride reads it backward.
  var sourceStride: Int
  var destinationStride: Int
}

/// A copy of elements from one strided layout to another, the common part of padding, slicing, joining, repeating, and
/// transposing.
///
/// The loops are simplified first: single-iteration loops are removed, adjacent loops with matching strides on both
/// sides are merged, and an innermost loop over contiguous bytes becomes a single copy. Only the size of an element
/// matters, not its type.
///
/// - Shapes: At most 16 loops.
struct StridedCopy: Sendable {
  /// The form of the copy after simplification.
  enum Form: Sendable {
    /// Nothing to move.
    case empty
    /// One contiguous run of bytes, divided into blocks of `StridedCopy.blockBytes`.
    case block(bytes: Int)
    /// A contiguous run of bytes for every step of `inner` and `outer`.
    case runs(bytes: Int, inner: CopyLoop, outer: [CopyLoop])
    /// Single elements that are contiguous along `rows` in the source and along `columns` in the destination, for every
    /// step of `outer`. An item is a range of columns in a strip of `stripRows` rows.
    case transposed(elementBytes: Int, rows: CopyLoop, columns: CopyLoop, outer: [CopyLoop], stripRows: Int)
  }

  static let blockBytes = 16_384
  /// The number of elements in a strip of a transpose, large enough to amortize its overhead.
  private static let stripElements = 4_096
  /// The number of columns in an item: all columns, unless a strip of them would block a thread.
  static let stripColumns = 1 << 16

  let form: Form
  let sourceOffset: Int
  let destinationOffset: Int

  /// Creates a copy.
  ///
  /// - Parameters:
  ///   - elementBytes: The size of an element in bytes.
  ///   - loops: The loops, outermost first, with strides in bytes. The last loops should be contiguous in the
  ///     destination.
  ///   - sourceOffset: The byte offset of the first element in the source.
  ///   - destinationOffset: The byte offset of the first element in the destination.
  init(elementBytes: Int, loops: [CopyLoop], sourceOffset: Int = 0, destinationOffset: Int = 0) {
    self.sourceOffset = sourceOffset
    self.destinationOffset = destinationOffset
    guard loops.allSatisfy({ $0.count > 0 }) else {
      form = .empty
      return
    }
    var reduced = Self.merged(loops)
    var run = elementBytes
    if let last = reduced.last, last.sourceStride == run, last.destinationStride == run {
      run = run &* last.count
      reduced.removeLast()
    }
    form = Self.form(run: run, loops: reduced)
  }

  private static func merged(_ loops: [CopyLoop]) -> [CopyLoop] {
    var merged: [CopyLoop] = []
    for loop in loops where loop.count > 1 {
      if let outer = merged.last, outer.sourceStride == loop.sourceStride &* loop.count,
        outer.destinationStride == loop.destinationStride &* loop.count
      {
        merged[merged.count - 1] = CopyLoop(
          count: outer.count &* loop.count, sourceStride: loop.sourceStride, destinationStride: loop.destinationStride)
      } else {
        merged.append(loop)
      }
    }
    return merged
  }

  private static func form(run: Int, loops: [CopyLoop]) -> Form {
    guard let inner = loops.last else { return .block(bytes: run) }
    let outer = Array(loops.dropLast())
    let isElement = run == 1 || run == 2 || run == 4 || run == 8
    if isElement, inner.destinationStride == run, inner.sourceStride != 0,
      let rows = outer.lastIndex(where: { $0.sourceStride == run })
    {
      var others = outer
      let loop = others.remove(at: rows)
      // Whole cache lines of the source.
      let line = 64 / run
      let strip = max(1, stripElements / inner.count / line) * line
      return .transposed(elementBytes: run, rows: loop, columns: inner, outer: others, stripRows: strip)
    }
    return runs(run, inner: inner, outer: outer)
  }

  /// Returns the form of a copy of runs. Stepping from row to row costs more than stepping within a row, so a long loop
  /// should be the innermost.
  private static func runs(_ bytes: Int, inner: CopyLoop, outer: [CopyLoop]) -> Form {
    let shortest = 8
    guard inner.count < shortest, let longest = outer.map(\.count).max(), longest > inner.count,
      let index = outer.lastIndex(where: { $0.count == longest })
    else { return .runs(bytes: bytes, inner: inner, outer: outer) }
    var others = outer + [inner]
    let loop = others.remove(at: index)
    return .runs(bytes: bytes, inner: loop, outer: others)
  }

  /// The number of independent items in the copy.
  var itemCount: Int {
    switch form {
    case .empty: 0
    case .block(let bytes): (bytes + Self.blockBytes - 1) / Self.blockBytes
    case .runs(_, let inner, let outer): outer.reduce(inner.count) { $0 &* $1.count }
    case .transposed(_, let rows, let columns, let outer, let strip):
      outer.reduce((rows.count + strip - 1) / strip * Self.columnParts(columns)) { $0 &* $1.count }
    }
  }

  /// The approximate time per item in nanoseconds.
  var itemCost: Double {
    switch form {
    case .empty: 0
    case .block(let bytes): Double(min(bytes, Self.blockBytes)) * 0.05 + 5
    case .runs(let bytes, _, _): Double(bytes) * 0.05 + (bytes <= 8 ? 0.7 : 4)
    case .transposed(_, let rows, let columns, _, let strip):
      Double(min(columns.count, Self.stripColumns)) * Double(min(rows.count, strip)) * 0.3 + 10
    }
  }

  static func columnParts(_ columns: CopyLoop) -> Int { (columns.count + stripColumns - 1) / stripColumns }
}

extension StridedCopy {
  /// Creates a copy between two tensors' elements, or parts of them.
  ///
  /// - Parameters:
  ///   - counts: The number of steps along each axis, outermost first.
  ///   - sourceStrides: The source strides in elements, one per axis. 0 repeats.
  ///   - destinationStrides: The destination strides in elements, one per axis.
  ///   - sourceStart: The first element of the source.
  ///   - destinationStart: The first element of the destination.
  init(
    elementBytes: Int, counts: [Int], sourceStrides: [Int], destinationStrides: [Int], sourceStart: Int = 0,
    destinationStart: Int = 0
  ) {
    let loops = counts.indices.map {
      CopyLoop(
        count: counts[$0], sourceStride: sourceStrides[$0] &* elementBytes,
        destinationStride: destinationStrides[$0] &* elementBytes)
    }
    self.init(
      elementBytes: elementBytes, loops: loops, sourceOffset: sourceStart &* elementBytes,
      destinationOffset: destinationStart &* elementBytes)
  }
}

extension StridedCopy {
  /// Returns the copy of a dense tensor to steps `start ..< start + count` along `axis` of a tensor of shape `whole`.
  static func joining(elementBytes: Int, whole: Shape, axis: Int, start: Int, count: Int) -> StridedCopy {
    let (outer, step) = outerCountAndStep(elementBytes, whole, axis)
    let loops = [
      CopyLoop(count: outer, sourceStride: count &* step, destinationStride: whole[axis] &* step),
      CopyLoop(count: count &* step, sourceStride: 1, destinationStride: 1),
    ]
    return StridedCopy(elementBytes: 1, loops: loops, destinationOffset: start &* step)
  }

  /// Returns the copy of steps `start ..< start + count` along `axis` of a tensor of shape `whole` to a dense tensor.
  static func cutting(elementBytes: Int, whole: Shape, axis: Int, start: Int, count: Int) -> StridedCopy {
    let (outer, step) = outerCountAndStep(elementBytes, whole, axis)
    let loops = [
      CopyLoop(count: outer, sourceStride: whole[axis] &* step, destinationStride: count &* step),
      CopyLoop(count: count &* step, sourceStride: 1, destinationStride: 1),
    ]
    return StridedCopy(elementBytes: 1, loops: loops, sourceOffset: start &* step)
  }

  private static func outerCountAndStep(_ elementBytes: Int, _ whole: Shape, _ axis: Int) -> (outer: Int, step: Int) {
    (whole.elementCount(0..<axis), whole.elementCount((axis + 1)..<whole.rank) &* elementBytes)
  }
}

extension PreparedOperator {
  /// Creates copies that split input `input`, of shape `whole`, along `axis` into one output per element of `counts`,
  /// whose sum is the size of the axis.
  init(splitting whole: Shape, axis: Int, counts: [Int], input: Int, _ context: PrepareContext) throws {
    guard whole.elementCount > 0 else {
      self = .empty
      return
    }
    context.uses("strided copy", .none)
    let elementBytes = try context.node.elementBytes(ofInput: input)
    let source = try context.inputSlot(input)
    var start = 0
    var parts: [CopyPart] = []
    for (index, count) in counts.enumerated() {
      let copy = StridedCopy.cutting(elementBytes: elementBytes, whole: whole, axis: axis, start: start, count: count)
      parts.append(CopyPart(copy: copy, source: source, destination: try context.outputSlot(index)))
      start += count
    }
    self.init(copies: parts)
  }
}

extension StridedCopy {
  /// Copies items `items` of `0..<itemCount`.
  ///
  /// - Parameters:
  ///   - source: The start of the source tensor.
  ///   - destination: The start of the destination tensor, which must not overlap the source.
  func run(_ items: Range<Int>, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    guard !items.isEmpty else { return }
    switch form {
    case .empty: break
    case .block(let bytes):
      let start = items.lowerBound &* Self.blockBytes
      let count = min(bytes, items.upperBound &* Self.blockBytes) &- start
      destination.advanced(by: destinationOffset &+ start)
        .copyMemory(from: source.advanced(by: sourceOffset &+ start), byteCount: count)
    case .runs(let bytes, let inner, let outer):
      outer.withUnsafeBufferPointer { loops in
        copyRuns(items, bytes: bytes, inner: inner, outer: loops, from: source, to: destination)
      }
    case .transposed(let elementBytes, let rows, let columns, let outer, let strip):
      outer.withUnsafeBufferPointer { loops in
        transpose(
          items, elementBytes: elementBytes, rows: rows, columns: columns, strip: strip, outer: loops, from: source,
          to: destination)
      }
    }
  }

  private func copyRuns(
    _ items: Range<Int>, bytes: Int, inner: CopyLoop, outer: UnsafeBufferPointer<CopyLoop>,
    from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    var (row, index) = items.lowerBound.quotientAndRemainder(dividingBy: inner.count)
    var cursor = LoopCursor(outer, at: row, source: sourceOffset, destination: destinationOffset)
    var remaining = items.count
    while remaining > 0 {
      let count = min(remaining, inner.count &- index)
      let from = source.advanced(by: cursor.source &+ index &* inner.sourceStride)
      let to = destination.advanced(by: cursor.destination &+ index &* inner.destinationStride)
      let loop = CopyLoop(
        count: count, sourceStride: inner.sourceStride, destinationStride: inner.destinationStride)
      switch bytes {
      case 1: Self.copyElements(UInt8.self, loop, from: from, to: to)
      case 2: Self.copyElements(UInt16.self, loop, from: from, to: to)
      case 4: Self.copyElements(UInt32.self, loop, from: from, to: to)
      case 8: Self.copyElements(UInt64.self, loop, from: from, to: to)
      default: Self.copyBlocks(bytes, loop, from: from, to: to)
      }
      remaining &-= count
      index = 0
      row &+= 1
      cursor.advance(outer)
    }
  }

  @inline(__always)
  private static func copyElements<Element: FixedWidthInteger & BitwiseCopyable>(
    _ type: Element.Type, _ loop: CopyLoop, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<Element>.size
    if loop.sourceStride == 0, loop.destinationStride == size {
      let value = source.loadUnaligned(as: Element.self)
      for index in 0..<loop.count {
        destination.storeBytes(of: value, toByteOffset: index &* size, as: Element.self)
      }
      return
    }
    var from = source
    var to = destination
    for _ in 0..<loop.count {
      to.storeBytes(of: from.loadUnaligned(as: Element.self), as: Element.self)
      from = from.advanced(by: loop.sourceStride)
      to = to.advanced(by: loop.destinationStride)
    }
  }

  @inline(__always)
  private static func copyBlocks(
    _ bytes: Int, _ loop: CopyLoop, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    var from = source
    var to = destination
    for _ in 0..<loop.count {
      moveBytes(bytes, from: from, to: to)
      from = from.advanced(by: loop.sourceStride)
      to = to.advanced(by: loop.destinationStride)
    }
  }

  private func transpose(
    _ items: Range<Int>, elementBytes: Int, rows: CopyLoop, columns: CopyLoop, strip: Int,
    outer: UnsafeBufferPointer<CopyLoop>, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let parts = Self.columnParts(columns)
    let pieces = (rows.count &+ strip &- 1) / strip &* parts
    var (step, index) = items.lowerBound.quotientAndRemainder(dividingBy: pieces)
    var cursor = LoopCursor(outer, at: step, source: sourceOffset, destination: destinationOffset)
    for _ in items {
      let (place, part) = parts == 1 ? (index, 0) : index.quotientAndRemainder(dividingBy: parts)
      let row = place &* strip, column = part &* Self.stripColumns
      let block = BlockTransposition(
        rows: min(strip, rows.count &- row), columns: min(Self.stripColumns, columns.count &- column),
        sourceStride: columns.sourceStride, destinationStride: rows.destinationStride)
      block.run(
        elementBytes: elementBytes,
        from: source.advanced(by: cursor.source &+ row &* rows.sourceStride &+ column &* columns.sourceStride),
        to: destination.advanced(
          by: cursor.destination &+ row &* rows.destinationStride &+ column &* columns.destinationStride))
      index &+= 1
      if index == pieces {
        index = 0
        step &+= 1
        cursor.advance(outer)
      }
    }
  }
}
