import SwiftletEngine
import SwiftletKernels

extension StridedCopy {
  /// Moves items `items` of `0..<itemCount`.
  ///
  /// - Parameters:
  ///   - source: the start of the source tensor.
  ///   - destination: the start of the destination tensor, which must not overlap the source.
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
