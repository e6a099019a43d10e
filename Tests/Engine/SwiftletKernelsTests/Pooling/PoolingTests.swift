@testable import SwiftletKernels
import Testing

@Suite("Pooling")
struct PoolingTests {
  typealias Shape = DepthwiseTests.Shape

  static let shapes: [Shape] = [1, 3, 4, 8, 9, 16, 17, 31, 32, 33, 63, 64, 65, 100].flatMap { channels in
    [
      Shape(5, 7, channels, kernel: (2, 2), stride: 2), Shape(5, 6, channels, kernel: (3, 3), stride: 2),
      Shape(4, 4, channels, kernel: (4, 4), padded: false), Shape(5, 5, channels, kernel: (3, 2), extraChannels: 3),
    ]
  }

  @Test("float32 maxima are exact, averages within rounding", arguments: variants(shapes))
  func float32(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 81)
    let input = GuardedBuffer(random.floats(shape.inputCount))
    let maxima = GuardedBuffer<Float>(count: shape.outputCount, repeating: -77)
    let averages = GuardedBuffer<Float>(count: shape.outputCount, repeating: -77)
    table.pooling.pool(
      .maximum, shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, output: maxima.pointer, lower: -0.5,
      upper: 0.9)
    table.pooling.pool(
      .average, shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, output: averages.pointer,
      lower: -0.5, upper: 0.9)
    var written = Set<Int>()
    KernelReference.windows(shape.geometry, outputRows: shape.outputRows) { output, elements in
      let values = elements.map { input.pointer[$0] }
      let largest = values.max() ?? 0
      #expect(maxima.pointer[output] == min(max(largest, -0.5), 0.9))
      let mean = values.reduce(0.0) { $0 + Double($1) } / Double(values.count)
      #expect(abs(Double(averages.pointer[output]) - min(max(mean, -0.5), Double(Float(0.9)))) < 1e-6)
      written.insert(output)
    }
    for index in 0..<shape.outputCount where !written.contains(index) {
      #expect(maxima.pointer[index] == -77 && averages.pointer[index] == -77, "gap at \(index)")
    }
  }

  @Test("signed and unsigned bytes are exact", arguments: variants(shapes))
  func bytes(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 82)
    let input = GuardedBuffer(random.integers(shape.inputCount, in: UInt8.min...UInt8.max))
    for (isSigned, lower, upper) in [(true, -128, 127), (true, -3, 90), (false, 0, 255), (false, 10, 240)] {
      func value(_ byte: UInt8) -> Int { isSigned ? Int(Int8(bitPattern: byte)) : Int(byte) }
      for kind in [PoolingKernels.Kind.maximum, .average] {
        let output = GuardedBuffer<UInt8>(count: shape.outputCount, repeating: 0xA5)
        table.pooling.pool(
          kind, shape.geometry, rows: 0..<shape.outputRows, bytes: input.pointer, isSigned: isSigned,
          output: output.pointer, lower: Int32(lower), upper: Int32(upper))
        var expected = [UInt8](repeating: 0xA5, count: shape.outputCount)
        KernelReference.windows(shape.geometry, outputRows: shape.outputRows) { output, elements in
          let values = elements.map { value(input.pointer[$0]) }
          let result =
            kind == .maximum
            ? values.max() ?? 0 : KernelReference.roundedMean(values.reduce(0, +), values.count)
          expected[output] = UInt8(truncatingIfNeeded: min(max(result, lower), upper))
        }
        #expect(output.values == expected, "\(kind), signed \(isSigned)")
      }
    }
  }

  @Test("means of whole images round exactly for every sum", arguments: KernelTable.available)
  func meansRoundExactly(_ table: KernelTable) {
    // 16 bytes per column, in all relevant combinations of sums: multiples, halves, and their neighbors.
    for taps in [2, 3, 7, 16, 49] {
      let channels = 40
      var random = SplitMix(seed: 83)
      let input = GuardedBuffer(random.integers(taps * channels, in: Int8.min...Int8.max))
      let output = GuardedBuffer<Int8>(count: channels, repeating: 0)
      let geometry = DepthwiseGeometry(
        inputHeight: taps, inputWidth: 1, outputWidth: 1, channels: channels, kernelHeight: taps, kernelWidth: 1)
      table.pooling.pool(
        .average, geometry, rows: 0..<1, bytes: input.pointer, isSigned: true, output: output.pointer, lower: -128,
        upper: 127)
      for channel in 0..<channels {
        let sum = (0..<taps).reduce(0) { $0 + Int(input.pointer[$1 * channels + channel]) }
        #expect(Int(output.pointer[channel]) == KernelReference.roundedMean(sum, taps))
      }
    }
  }
}
