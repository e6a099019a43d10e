@testable import SwiftletKernels
import Testing

@Suite("Pooling")
struct PoolingTests {
  typealias Shape = DepthwiseTests.Shape

  /// Channels around vectors and their parts, windows around groups of nine and of eight rows, several pixels per vector
  /// with gaps, rows that are longer than a block, and windows with as many taps as are located at once, and one more.
  static let shapes: [Shape] =
    [1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100].flatMap { channels in
      [
        Shape(5, 7, channels, kernel: (2, 2), stride: 2), Shape(5, 6, channels, kernel: (3, 3), stride: 2),
        Shape(4, 4, channels, kernel: (4, 4), padded: false), Shape(4, 37, channels, kernel: (3, 3)),
        Shape(9, 70, channels, kernel: (3, 3), stride: 3), Shape(11, 30, channels, kernel: (9, 2), stride: 4),
        Shape(19, 9, channels, kernel: (17, 5), padded: false), Shape(1, 3, channels, kernel: (1, 1)),
      ]
    } + [
      Shape(3, 130, 100, kernel: (3, 3)), Shape(3, 130, 101, kernel: (3, 2), stride: 2),
      Shape(3, 3, 7000, kernel: (2, 2)),
      Shape(2, 9, 1501, kernel: (2, 3), stride: 3), Shape(40, 41, 3, kernel: (40, 41), padded: false),
      Shape(10, 70, 20, kernel: (9, 63)), Shape(10, 75, 20, kernel: (8, 71)),
    ]
  /// Pixels that aren't adjacent in memory.
  static let sparseShapes = [1, 5, 16, 33].map { Shape(5, 5, $0, kernel: (3, 2), extraChannels: 3) }

  @Test("float32 maxima are exact, averages in XNNPACK's order", arguments: variants(shapes + sparseShapes))
  func float32(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 81)
    let input = GuardedBuffer(random.floats(shape.inputCount))
    let maxima = GuardedBuffer<Float>(count: shape.outputCount, repeating: -77)
    let averages = GuardedBuffer<Float>(count: shape.outputCount, repeating: -77)
    let scratch = GuardedBuffer<UInt8>(count: PoolingKernels.scratchBytes(shape.geometry, nil), repeating: 0xA5)
    table.pooling.pool(
      .maximum, shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, output: maxima.pointer,
      scratch: scratch.pointer, lower: -0.5, upper: 0.9)
    table.pooling.pool(
      .average, shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, output: averages.pointer,
      scratch: scratch.pointer, lower: -0.5, upper: 0.9)
    var expectedMaxima = [Float](repeating: -77, count: shape.outputCount), expectedAverages = expectedMaxima
    KernelReference.windows(shape.geometry, outputRows: shape.outputRows) { output, elements in
      let largest = elements.map { input.pointer[$0] }.max() ?? 0
      expectedMaxima[output] = min(max(largest, -0.5), 0.9)
      let mean = Self.sum(shape.geometry, output, input.pointer) * (1 / Float(elements.count))
      expectedAverages[output] = min(max(mean, -0.5), 0.9)
    }
    #expect(maxima.values == expectedMaxima)
    #expect(averages.values == expectedAverages)
  }

  /// Returns the sum of a window: groups of nine elements in column-major order, with zeros outside the image.
  private static func sum(_ g: DepthwiseGeometry, _ output: Int, _ input: UnsafePointer<Float>) -> Float {
    let (pixel, channel) = output.quotientAndRemainder(dividingBy: g.outputPixelStride)
    var taps: [Float] = []
    for tapColumn in 0..<g.kernelWidth {
      for tapRow in 0..<g.kernelHeight {
        let y = pixel / g.outputWidth * g.rowStride - g.paddingTop + tapRow
        let x = pixel % g.outputWidth * g.columnStride - g.paddingLeft + tapColumn
        let isInside = (0..<g.inputHeight).contains(y) && (0..<g.inputWidth).contains(x)
        taps.append(isInside ? input[(y * g.inputWidth + x) * g.inputPixelStride + channel] : 0)
      }
    }
    taps += [Float](repeating: 0, count: (9 - taps.count % 9) % 9)
    return stride(from: 0, to: taps.count, by: 9).reduce(0 as Float) { sum, first in
      let t = Array(taps[first..<first + 9])
      return sum + (((t[2] + t[3]) + (t[4] + t[5])) + (((t[0] + t[1]) + t[8]) + (t[6] + t[7])))
    }
  }

  @Test("signed and unsigned bytes are exact", arguments: variants(shapes))
  func bytes(_ table: KernelTable, _ shape: Shape) {
    for range in [-128...127, -3...90] { expectExact(table, shape, .int8, Int8.self, range) }
    for range in [0...255, 10...240] { expectExact(table, shape, .uint8, UInt8.self, range) }
  }

  @Test("16-bit integers are exact", arguments: variants(shapes))
  func int16(_ table: KernelTable, _ shape: Shape) {
    for range in [-32768...32767, -300...9000] { expectExact(table, shape, .int16, Int16.self, range) }
  }

  private func expectExact<Element: FixedWidthInteger & BitwiseCopyable>(
    _ table: KernelTable, _ shape: Shape, _ type: PoolingKernels.Integer, _: Element.Type, _ range: ClosedRange<Int>
  ) {
    var random = SplitMix(seed: 82)
    let input = GuardedBuffer(random.integers(shape.inputCount, in: Element.min...Element.max))
    let scratch = GuardedBuffer<UInt8>(count: PoolingKernels.scratchBytes(shape.geometry, type), repeating: 0xA5)
    for kind in [PoolingKernels.Kind.maximum, .average] {
      let output = GuardedBuffer<Element>(count: shape.outputCount, repeating: 99)
      table.pooling.pool(
        kind, shape.geometry, rows: 0..<shape.outputRows, type: type, input: input.pointer, output: output.pointer,
        scratch: scratch.pointer, lower: Int32(range.lowerBound), upper: Int32(range.upperBound))
      var expected = [Element](repeating: 99, count: shape.outputCount)
      KernelReference.windows(shape.geometry, outputRows: shape.outputRows) { output, elements in
        let values = elements.map { Int(input.pointer[$0]) }
        let result =
          kind == .maximum ? values.max() ?? 0 : KernelReference.roundedMean(values.reduce(0, +), values.count)
        expected[output] = Element(truncatingIfNeeded: min(max(result, range.lowerBound), range.upperBound))
      }
      #expect(output.values == expected, "\(kind) of \(type) in \(range)")
    }
  }

  @Test(
    "rows of output are written alone",
    arguments: variants([1, 3, 64].map { Shape(7, 9, $0, kernel: (2, 2), stride: 2) }))
  func rows(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 84)
    let input = GuardedBuffer(random.integers(shape.inputCount, in: Int8.min...Int8.max))
    let output = GuardedBuffer<Int8>(count: shape.outputCount, repeating: 99)
    let scratch = GuardedBuffer<UInt8>(count: PoolingKernels.scratchBytes(shape.geometry, .int8), repeating: 0xA5)
    table.pooling.pool(
      .maximum, shape.geometry, rows: 1..<2, type: .int8, input: input.pointer, output: output.pointer,
      scratch: scratch.pointer, lower: -128, upper: 90)
    let rowCount = shape.geometry.outputWidth * shape.geometry.channels
    for index in 0..<shape.outputCount { #expect((output.pointer[index] == 99) == (index / rowCount != 1)) }
  }

  @Test("means round exactly for sums next to halves", arguments: KernelTable.available)
  func meansRoundExactly(_ table: KernelTable) {
    for (height, width) in [(2, 1), (3, 1), (7, 1), (4, 4), (7, 7), (1, 257), (2, 129), (256, 1), (64, 64), (256, 32)] {
      let taps = height * width
      let deltas = [-1, 0, 1].flatMap { [$0, $0 + taps / 2, $0 + taps - taps / 2] }
      expectExactMeans(table, height, width, .int8, deltas.flatMap { d in (-128...126).map { $0 * taps + d } })
      let int16 = [-32768, -32767, -9000, -2, -1, 0, 1, 2, 777, 32765, 32766]
      expectExactMeans(table, height, width, .int16, deltas.flatMap { d in int16.map { $0 * taps + d } })
    }
  }

  /// Pools an image with one channel per sum.
  private func expectExactMeans(
    _ table: KernelTable, _ height: Int, _ width: Int, _ type: PoolingKernels.Integer, _ sums: [Int]
  ) {
    let taps = height * width, lowest = type == .int16 ? -32768 : -128
    let sums = sums.map { min(max($0, lowest * taps), (-lowest - 1) * taps) }
    let values = (0..<taps).flatMap { tap in
      sums.map { sum in
        let shifted = sum - lowest * taps
        return shifted / taps + (tap < shifted % taps ? 1 : 0) + lowest
      }
    }
    let geometry = DepthwiseGeometry(
      inputHeight: height, inputWidth: width, outputWidth: 1, channels: sums.count, kernelHeight: height,
      kernelWidth: width)
    let scratch = GuardedBuffer<UInt8>(count: PoolingKernels.scratchBytes(geometry, type), repeating: 0xA5)
    let input = GuardedBuffer(values.map { Int16($0) }),
      bytes = GuardedBuffer(values.map { Int8(truncatingIfNeeded: $0) })
    let output = GuardedBuffer<Int16>(count: sums.count, repeating: 0)
    let byteOutput = GuardedBuffer<Int8>(count: sums.count, repeating: 0)
    table.pooling.pool(
      .average, geometry, rows: 0..<1, type: type,
      input: type == .int16 ? UnsafeRawPointer(input.pointer) : UnsafeRawPointer(bytes.pointer),
      output: type == .int16 ? UnsafeMutableRawPointer(output.pointer) : UnsafeMutableRawPointer(byteOutput.pointer),
      scratch: scratch.pointer, lower: Int32(lowest), upper: Int32(-lowest - 1))
    let means = type == .int16 ? output.values.map { Int($0) } : byteOutput.values.map { Int($0) }
    #expect(means == sums.map { KernelReference.roundedMean($0, taps) }, "\(height)×\(width) of \(type)")
  }
}
