/// The transpose of a matrix: adjacent elements of a row are adjacent in the source, and adjacent elements of a column
/// are adjacent in the destination.
///
/// - Types: Elements of 1, 2, 4, or 8 bytes, at any alignment.
/// - Thread safety: callable concurrently on disjoint destinations.
package struct BlockTransposition: Sendable {
  package var rows: Int
  package var columns: Int
  /// The byte offset between two adjacent columns in the source.
  package var sourceStride: Int
  /// The byte offset between two adjacent rows in the destination.
  package var destinationStride: Int

  package init(rows: Int, columns: Int, sourceStride: Int, destinationStride: Int) {
    self.rows = rows
    self.columns = columns
    self.sourceStride = sourceStride
    self.destinationStride = destinationStride
  }

  /// Transposes the matrix.
  ///
  /// - Parameters:
  ///   - elementBytes: The element size: 1, 2, 4, or 8.
  ///   - source: The address of element (0, 0).
  ///   - destination: The address of element (0, 0) in the result, which must not overlap the source.
  package func run(elementBytes: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    switch elementBytes {
    case 1: run(UInt8.self, source, destination)
    case 2: run(UInt16.self, source, destination)
    case 4: run(UInt32.self, source, destination)
    default: run(UInt64.self, source, destination)
    }
  }

  @inline(__always)
  private func run<Element: SquareTransposable>(
    _ type: Element.Type, _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer
  ) {
    let side = Element.squareSide
    guard rows >= side, columns >= side else { return runNarrow(type, source, destination) }
    let wholeRows = rows - rows % side
    let wholeColumns = columns - columns % side
    // Process strips of rows that fill a cache line or two of the source, in runs of columns that do so in the
    // destination.
    let strip = 64 / MemoryLayout<Element>.size
    for firstRow in stride(from: 0, to: wholeRows, by: strip) {
      let endRow = min(firstRow &+ strip, wholeRows)
      for firstColumn in stride(from: 0, to: wholeColumns, by: strip) {
        let endColumn = min(firstColumn &+ strip, wholeColumns)
        var row = firstRow
        while row < endRow {
          var column = firstColumn
          while column < endColumn {
            let (from, to) = place(type, row: row, column: column, source, destination)
            Element.transposeSquare(from, sourceStride, to, destinationStride)
            column &+= side
          }
          row &+= side
        }
      }
    }
    if wholeColumns < columns {
      part(rows: wholeRows, columns: columns &- wholeColumns)
        .runNarrow(
          type, source.advanced(by: wholeColumns &* sourceStride),
          destination.advanced(by: wholeColumns &* MemoryLayout<Element>.size))
    }
    if wholeRows < rows {
      let (from, to) = place(type, row: wholeRows, column: 0, source, destination)
      part(rows: rows &- wholeRows, columns: columns).runNarrow(type, from, to)
    }
  }

  private func part(rows: Int, columns: Int) -> BlockTransposition {
    BlockTransposition(
      rows: rows, columns: columns, sourceStride: sourceStride, destinationStride: destinationStride)
  }

  @inline(__always)
  private func place<Element>(
    _ type: Element.Type, row: Int, column: Int, _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer
  ) -> (UnsafeRawPointer, UnsafeMutableRawPointer) {
    let size = MemoryLayout<Element>.size
    return (
      source.advanced(by: column &* sourceStride &+ row &* size),
      destination.advanced(by: row &* destinationStride &+ column &* size)
    )
  }

  /// Transposes a matrix with fewer rows or columns than a square. The inner loop is over the longer side.
  @inline(__always)
  private func runNarrow<Element: SquareTransposable>(
    _ type: Element.Type, _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer
  ) {
    if rows >= columns {
      var column = 0
      while column < columns {
        let count = min(4, columns &- column)
        let (from, to) = place(type, row: 0, column: column, source, destination)
        switch count {
        case 4: weave(type, 4, from, to)
        case 3: weave(type, 3, from, to)
        case 2: weave(type, 2, from, to)
        default: weave(type, 1, from, to)
        }
        column &+= count
      }
      return
    }
    var row = 0
    while row < rows {
      let count = min(4, rows &- row)
      let (from, to) = place(type, row: row, column: 0, source, destination)
      switch count {
      case 4: unweave(type, 4, from, to)
      case 3: unweave(type, 3, from, to)
      case 2: unweave(type, 2, from, to)
      default: unweave(type, 1, from, to)
      }
      row &+= count
    }
  }

  /// Transposes `count` columns, all rows at once. `count` is a constant after inlining.
  @inline(__always)
  private func weave<Element: SquareTransposable>(
    _ type: Element.Type, _ count: Int, _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<Element>.size
    for row in 0..<rows {
      let from = source.advanced(by: row &* size)
      let to = destination.advanced(by: row &* destinationStride)
      for column in 0..<count {
        to.storeBytes(
          of: from.loadUnaligned(fromByteOffset: column &* sourceStride, as: type), toByteOffset: column &* size,
          as: type)
      }
    }
  }

  /// Transposes `count` rows, all columns at once. `count` is a constant after inlining.
  @inline(__always)
  private func unweave<Element: SquareTransposable>(
    _ type: Element.Type, _ count: Int, _ source: UnsafeRawPointer, _ destination: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<Element>.size
    for column in 0..<columns {
      let from = source.advanced(by: column &* sourceStride)
      let to = destination.advanced(by: column &* size)
      for row in 0..<count {
        to.storeBytes(
          of: from.loadUnaligned(fromByteOffset: row &* size, as: type), toByteOffset: row &* destinationStride,
          as: type)
      }
    }
  }
}
