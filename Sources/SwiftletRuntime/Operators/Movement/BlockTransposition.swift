/// A strip of few rows and many columns, transposed: element (row, column) adjoins its row neighbours in the source and its column
/// neighbours in the destination.
struct BlockTransposition {
  var rows: Int
  var columns: Int
  /// Bytes from one column to the next in the source.
  var sourceStride: Int
  /// Bytes from one row to the next in the destination.
  var destinationStride: Int

  /// Columns handled before the next rows: a cache line of four-byte elements in the destination.
  private static let columnBlock = 16

  @inline(__always)
  func run<Element: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(
    _ type: Element.Type, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<Element>.size
    let wholeRows = rows & ~3
    let wholeColumns = columns & ~3
    var block = 0
    while block < wholeColumns {
      let end = min(block &+ Self.columnBlock, wholeColumns)
      for row in stride(from: 0, to: wholeRows, by: 4) {
        for column in stride(from: block, to: end, by: 4) {
          quad(
            type, from: source.advanced(by: column &* sourceStride &+ row &* size),
            to: destination.advanced(by: row &* destinationStride &+ column &* size))
        }
      }
      block = end
    }
    single(type, rows: 0..<wholeRows, columns: wholeColumns..<columns, from: source, to: destination)
    single(type, rows: wholeRows..<rows, columns: 0..<columns, from: source, to: destination)
  }

  /// Four rows by four columns in registers.
  @inline(__always)
  private func quad<Element: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(
    _ type: Element.Type, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let first = source.loadUnaligned(as: SIMD4<Element>.self)
    let second = source.loadUnaligned(fromByteOffset: sourceStride, as: SIMD4<Element>.self)
    let third = source.loadUnaligned(fromByteOffset: 2 &* sourceStride, as: SIMD4<Element>.self)
    let fourth = source.loadUnaligned(fromByteOffset: 3 &* sourceStride, as: SIMD4<Element>.self)
    for row in 0..<4 {
      destination.storeBytes(
        of: SIMD4(first[row], second[row], third[row], fourth[row]), toByteOffset: row &* destinationStride,
        as: SIMD4<Element>.self)
    }
  }

  @inline(__always)
  private func single<Element: FixedWidthInteger & SIMDScalar & BitwiseCopyable>(
    _ type: Element.Type, rows: Range<Int>, columns: Range<Int>, from source: UnsafeRawPointer,
    to destination: UnsafeMutableRawPointer
  ) {
    let size = MemoryLayout<Element>.size
    for row in rows {
      let to = destination.advanced(by: row &* destinationStride)
      let from = source.advanced(by: row &* size)
      for column in columns {
        to.storeBytes(
          of: from.loadUnaligned(fromByteOffset: column &* sourceStride, as: Element.self),
          toByteOffset: column &* size, as: Element.self)
      }
    }
  }
}
