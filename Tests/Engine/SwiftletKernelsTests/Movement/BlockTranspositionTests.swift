import Testing

@testable import SwiftletKernels

@Suite("Block transpose")
struct BlockTranspositionTests {
  private func check<Element: FixedWidthInteger & BitwiseCopyable>(
    _ type: Element.Type, rows: Int, columns: Int, gap: Int
  ) {
    let size = MemoryLayout<Element>.size
    // Columns are contiguous in the source, with a gap after each; rows are contiguous in the destination.
    let (sourceStride, destinationStride) = (rows + gap, columns + gap)
    let source = GuardedBuffer(
      (0..<(columns * sourceStride - gap)).map { Element(truncatingIfNeeded: $0 &* 0x9E37_79B9) })
    let output = GuardedBuffer<Element>(count: rows * destinationStride - gap, repeating: 0x55)
    BlockTransposition(
      rows: rows, columns: columns, sourceStride: sourceStride * size, destinationStride: destinationStride * size
    ).run(elementBytes: size, from: source.pointer, to: output.pointer)
    let expected = (0..<output.count).map { index -> Element in
      let (row, column) = index.quotientAndRemainder(dividingBy: destinationStride)
      return column < columns ? source.pointer[column * sourceStride + row] : 0x55
    }
    #expect(output.values == expected, "\(type) \(rows) × \(columns), gap \(gap)")
  }

  @Test(
    "swaps rows and columns, and accesses nothing else", arguments: [1, 2, 3, 5, 8, 17, 70], [1, 2, 3, 4, 7, 8, 9, 33])
  func transposes(rows: Int, columns: Int) {
    for gap in [0, 3] {
      check(UInt8.self, rows: rows, columns: columns, gap: gap)
      check(UInt16.self, rows: rows, columns: columns, gap: gap)
      check(UInt32.self, rows: rows, columns: columns, gap: gap)
      check(UInt64.self, rows: rows, columns: columns, gap: gap)
    }
  }
}
