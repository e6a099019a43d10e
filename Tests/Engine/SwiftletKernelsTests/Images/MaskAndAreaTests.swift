import Testing

@testable import SwiftletKernels

@Suite("Masks and averages of areas")
struct MaskAndAreaTests {
  @Test("a mask is interpolated along a line, and is 0 outside", arguments: variants([0, 1, 3, 4, 5, 7, 8, 9, 33]))
  func masks(_ table: KernelTable, _ count: Int) {
    var random = SplitMix(seed: UInt64(count))
    let (width, height) = (7, 5)
    let mask = random.floats(width * height, in: 0...1)
    func element(_ x: Int, _ y: Int) -> Float {
      (0..<width).contains(x) && (0..<height).contains(y) ? mask[y * width + x] : 0
    }
    // Rows of columns: each element, with the one below it, from one row above the mask and one column left of it.
    let cells = (-1..<height).flatMap { y in (-1...width).map { x in SIMD2(element(x, y), element(x, y + 1)) } }
    let guarded = GuardedBuffer(cells)
    for (start, step) in [
      (SIMD2(-40.0, -35.0), SIMD2(9.7, 6.1)), (SIMD2(300.0, 100), SIMD2(-21.3, -5.5)), (SIMD2(10.0, -31), SIMD2(0, 3)),
      (SIMD2(7.0 * 32 - 1, 5 * 32 - 1), SIMD2(-3.3, -2.1)), (SIMD2(-500.0, 20), SIMD2(1.0, 0)),
    ] {
      var line = MaskLine(start: start, step: step, maskWidth: width, maskHeight: height)
      var expected: [Float] = []
      for pixel in 0..<count {
        let x = Int((line.x + line.stepX * Float(pixel)).rounded(.toNearestOrEven))
        let y = Int((line.y + line.stepY * Float(pixel)).rounded(.toNearestOrEven))
        guard x >= -32, y >= -32, x < 32 * width, y < 32 * height else {
          expected.append(0)
          continue
        }
        let (column, row) = (x >> 5, y >> 5)
        let (right, down) = (Float(x & 31) / 32, Float(y & 31) / 32)
        let (a, b) = (element(column, row), element(column + 1, row))
        let (c, d) = (element(column, row + 1), element(column + 1, row + 1))
        let (above, below) = (a + (b - a) * right, c + (d - c) * right)
        expected.append(above + (below - above) * down)
      }
      let output = GuardedBuffer<Float>(count: count, repeating: .nan)
      table.images.maskRow(&line, cells: guarded.pointer, count: count, into: output.pointer)
      #expect(output.values == expected, "from \(start) by \(step)")
    }
  }

  @Test("columns are averaged by their shares", arguments: [1, 3, 4])
  func columns(pixelBytes: Int) {
    var random = SplitMix(seed: UInt64(pixelBytes))
    let row = GuardedBuffer<UInt8>(random.integers(7 * pixelBytes, in: 0...255))
    // Three targets; the middle one shares a source pixel with both neighbors, and the third is left out.
    let shares = [(0, 0, 0.5), (1, 0, 0.4), (2, 0, 0.1), (2, 1, 0.25), (3, 1, 0.75), (5, 3, 0.3), (6, 3, 0.7)].map {
      AreaShare(source: $0.0, target: $0.1, share: Float($0.2))
    }
    var expected = [Float](repeating: 9, count: 4 * pixelBytes)
    for target in [0, 1, 3] {
      for channel in 0..<pixelBytes {
        expected[target * pixelBytes + channel] = shares.filter { $0.target == target }.reduce(Float(0)) {
          $0 + Float(row.pointer[$1.source * pixelBytes + channel]) * $1.share
        }
      }
    }
    let line = GuardedBuffer<Float>(count: 4 * pixelBytes, repeating: 9)
    shares.withUnsafeBufferPointer {
      KernelTable.current.images.averageColumns($0, pixelBytes: pixelBytes, row: row.pointer, into: line.pointer)
    }
    #expect(line.values == expected)
  }

  @Test("shares of lines are added, and sums are rounded to even", arguments: [0, 1, 3, 4, 9])
  func sums(count: Int) {
    var random = SplitMix(seed: UInt64(count))
    let (line, sums) = (
      GuardedBuffer(random.floats(count, in: 0...255)), GuardedBuffer(random.floats(count, in: 0...99))
    )
    let expected = zip(sums.values, line.values).map { $0 + $1 * 0.3 }
    KernelTable.current.images.addShare(of: line.pointer, 0.3, count: count, to: sums.pointer)
    #expect(sums.values == expected)

    let numbers: [Float] = [0, 0.5, 1.5, 2.49, 2.5, 254.5, 255, 255.5, 300].prefix(count).map(\.self)
    let given = GuardedBuffer(numbers)
    let bytes = GuardedBuffer<UInt8>(count: count, repeating: 7)
    KernelTable.current.images.roundSums(given.pointer, count: count, into: bytes.pointer)
    #expect(bytes.values == [0, 0, 2, 2, 2, 254, 255, 255, 255].prefix(count).map(\.self))
  }

  @Test("blocks are averaged; halves round up in blocks of four, and to even in others", arguments: [1, 3, 4])
  func blocks(pixelBytes: Int) {
    var random = SplitMix(seed: UInt64(pixelBytes))
    for (across, down, count) in [(1, 1, 3), (2, 2, 5), (2, 1, 4), (1, 2, 1), (3, 4, 2), (64, 9, 2)] {
      let bytesPerRow = across * count * pixelBytes + 3
      // The last row has no padding.
      let image = GuardedBuffer<UInt8>(random.integers(bytesPerRow * down - 3, in: 0...255))
      var expected: [UInt8] = []
      for block in 0..<count {
        for channel in 0..<pixelBytes {
          var sum = 0
          for y in 0..<down {
            for x in 0..<across {
              sum += Int(image.pointer[y * bytesPerRow + (block * across + x) * pixelBytes + channel])
            }
          }
          let isQuarter = across == 2 && down == 2
          let mean = Float(sum) * (1 / Float(across * down))
          expected.append(isQuarter ? UInt8((sum + 2) / 4) : UInt8(mean.rounded(.toNearestOrEven)))
        }
      }
      let bytes = GuardedBuffer<UInt8>(count: count * pixelBytes, repeating: 7)
      KernelTable.current.images.averageBlocks(
        image.pointer, bytesPerRow: bytesPerRow, pixelBytes: pixelBytes, across: across, down: down, count: count,
        into: bytes.pointer)
      #expect(bytes.values == expected, "\(across) × \(down)")
    }
  }

  @Test("a block of 2²⁵ white pixels is white")
  func largeBlocks() {
    let image = GuardedBuffer<UInt8>(count: 1 << 25, repeating: 255)
    var byte: UInt8 = 0
    KernelTable.current.images.averageBlocks(
      image.pointer, bytesPerRow: 1 << 12, pixelBytes: 1, across: 1 << 12, down: 1 << 13, count: 1, into: &byte)
    #expect(byte == 255)
  }
}
