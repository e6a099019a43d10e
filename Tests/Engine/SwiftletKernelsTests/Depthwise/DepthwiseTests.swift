@testable import SwiftletKernels
import Testing

@Suite("Depthwise convolution")
struct DepthwiseTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var geometry: DepthwiseGeometry
    var outputRows: Int
    var testDescription: String {
      let g = geometry
      return "\(g.inputHeight)×\(g.inputWidth)×\(g.channels) kernel \(g.kernelHeight)×\(g.kernelWidth) stride "
        + "\(g.columnStride) dilation \(g.columnDilation) padding \(g.paddingLeft) channels of \(g.inputPixelStride) multiplier \(g.multiplier)"
    }

    init(
      _ height: Int, _ width: Int, _ channels: Int, kernel: (Int, Int), stride: Int = 1, dilation: Int = 1,
      padded: Bool = true, extraChannels: Int = 0, multiplier: Int = 1
    ) {
      let reachY = (kernel.0 - 1) * dilation, reachX = (kernel.1 - 1) * dilation
      let outputWidth = padded ? (width + stride - 1) / stride : max(0, (width - reachX + stride - 1) / stride)
      outputRows = padded ? (height + stride - 1) / stride : max(0, (height - reachY + stride - 1) / stride)
      geometry = DepthwiseGeometry(
        inputHeight: height, inputWidth: width, outputWidth: outputWidth, channels: channels * multiplier,
        kernelHeight: kernel.0,
        kernelWidth: kernel.1, rowStride: stride, columnStride: stride, rowDilation: dilation,
        columnDilation: dilation,
        paddingTop: padded ? max(0, (outputRows - 1) * stride + reachY + 1 - height) / 2 : 0,
        paddingLeft: padded ? max(0, (outputWidth - 1) * stride + reachX + 1 - width) / 2 : 0,
        multiplier: multiplier)
      geometry.inputPixelStride += extraChannels
      geometry.outputPixelStride += extraChannels
      geometry.tapStride += extraChannels
    }

    var inputCount: Int {
      let g = geometry
      return max(0, (g.inputHeight * g.inputWidth - 1) * g.inputPixelStride + g.channels / g.multiplier)
    }
    var outputCount: Int {
      let g = geometry
      return max(0, (outputRows * g.outputWidth - 1) * g.outputPixelStride + g.channels)
    }
    var weightCount: Int {
      let g = geometry
      return (g.kernelHeight * g.kernelWidth - 1) * g.tapStride + g.channels
    }
  }

  static let shapes: [Shape] = {
    var shapes: [Shape] = []
    for channels in [1, 3, 4, 7, 8, 9, 15, 16, 17, 31, 40] {
      shapes.append(Shape(5, 9, channels, kernel: (3, 3)))
      shapes.append(Shape(6, 11, channels, kernel: (3, 3), stride: 2))
    }
    for size in 1...9 {
      shapes.append(Shape(size, size, 16, kernel: (3, 3)))
      shapes.append(Shape(size, size, 19, kernel: (5, 5)))
      shapes.append(Shape(size, size, 5, kernel: (5, 5), stride: 2))
    }
    // Rows are long enough for several pixels in a vector, and filters are large enough for blocks of channels.
    for channels in [1, 2, 4, 8] {
      shapes.append(Shape(4, 71, channels, kernel: (3, 3)))
      shapes.append(Shape(3, 83, channels, kernel: (2, 4), dilation: 2))
      shapes.append(Shape(3, 80, channels, kernel: (3, 5), padded: false))
    }
    // Channels in blocks of byte vectors, and pixels whose weights repeat after some vectors.
    for channels in [64, 128, 120, 192, 72, 88, 20, 28, 36] {
      shapes.append(Shape(7, 9, channels, kernel: (3, 3)))
      shapes.append(Shape(9, 7, channels, kernel: (3, 3), stride: 2))
      shapes.append(Shape(7, 9, channels, kernel: (4, 2), dilation: 2))
    }
    shapes += [
      Shape(5, 90, 64, kernel: (3, 3)), Shape(4, 420, 8, kernel: (3, 3)),
      Shape(5, 99, 64, kernel: (1, 4), stride: 3, padded: false),
      Shape(3, 200, 40, kernel: (3, 3), padded: false), Shape(2, 2, 64, kernel: (3, 3), dilation: 4),
    ]
    shapes += [Shape(7, 7, 200, kernel: (5, 5)), Shape(5, 6, 390, kernel: (3, 3), extraChannels: 3)]
    shapes += [
      Shape(12, 13, 20, kernel: (5, 5)), Shape(12, 13, 20, kernel: (5, 5), stride: 2),
      Shape(9, 14, 18, kernel: (3, 3), dilation: 2), Shape(9, 14, 18, kernel: (2, 4)),
      Shape(9, 14, 18, kernel: (7, 1)), Shape(9, 14, 18, kernel: (1, 7)),
      Shape(9, 14, 33, kernel: (3, 3), padded: false),
      Shape(9, 14, 33, kernel: (3, 3), stride: 3, padded: false), Shape(2, 2, 16, kernel: (3, 3), padded: false),
      Shape(7, 10, 17, kernel: (3, 3), extraChannels: 5), Shape(4, 4, 16, kernel: (9, 9)),
      Shape(8, 8, 3, kernel: (16, 16)), Shape(11, 9, 18, kernel: (3, 3), dilation: 3), Shape(3, 300, 5, kernel: (2, 3)),
      Shape(13, 300, 17, kernel: (5, 3), stride: 2), Shape(5, 140, 16, kernel: (3, 3), dilation: 2),
    ]
    // Columns 2 KB apart, and other distances; pixels of whole and partial pairs of vectors.
    shapes += [
      Shape(5, 11, 512, kernel: (3, 3)), Shape(5, 6, 509, kernel: (2, 3), extraChannels: 3),
      Shape(9, 13, 256, kernel: (3, 3), stride: 2), Shape(9, 14, 250, kernel: (5, 2), stride: 2, extraChannels: 6),
      Shape(3, 9, 512, kernel: (1, 2), dilation: 2), Shape(9, 17, 128, kernel: (3, 3), stride: 4),
      Shape(5, 11, 508, kernel: (3, 3)), Shape(5, 3, 24, kernel: (3, 3)), Shape(6, 2, 56, kernel: (4, 1)),
    ]
    return shapes
  }()

  @Test("float32 agrees with plain loops", arguments: variants(shapes))
  func float32(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 41)
    let input = GuardedBuffer(random.floats(shape.inputCount)),
      weights = GuardedBuffer(random.floats(shape.weightCount))
    let bias = GuardedBuffer(random.floats(shape.geometry.channels))
    let output = GuardedBuffer<Float>(count: shape.outputCount, repeating: -77)
    table.depthwise.convolve(
      shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, weights: weights.pointer, bias: bias.pointer,
      output: output.pointer, lower: -0.9, upper: 1.1)
    var expected = [Double](repeating: -77, count: shape.outputCount)
    KernelReference.depthwise(
      shape.geometry, outputRows: shape.outputRows, input: { Double(input.pointer[$0]) },
      weight: { Double(weights.pointer[$0]) }, bias: { Double(bias.pointer[$0]) },
      store: { element, _, sum in expected[element] = min(max(sum, Double(Float(-0.9))), Double(Float(1.1))) })
    let bound = 6e-8 * Double(shape.geometry.kernelHeight * shape.geometry.kernelWidth + 1)
    for index in expected.indices {
      #expect(abs(Double(output.pointer[index]) - expected[index]) <= bound, "element \(index)")
    }
  }

  /// Every remainder of rows, columns, tap rows, and channels, with windows that share input rows or not.
  static let remainders: [Shape] = {
    var shapes: [Shape] = []
    for rows in 1...9 {
      for (stride, dilation) in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 1), (2, 3), (4, 2)] {
        let kernel = (1 + (rows &+ stride) % 8, 1 + rows % 4)
        shapes.append(
          Shape(rows * stride, (rows + 2) * stride, 17, kernel: kernel, stride: stride, dilation: dilation))
        shapes.append(
          Shape(
            (kernel.0 - 1) * dilation + rows * stride, (kernel.1 - 1) * dilation + rows * stride, 33, kernel: kernel,
            stride: stride, dilation: dilation, padded: false, extraChannels: rows % 2))
      }
      shapes.append(Shape(9, 9, 20, kernel: (rows, 3)))
      shapes.append(Shape(9, 9, 16, kernel: (rows, 1), stride: 2))
    }
    // Groups of pixels with 1 to 63 channels, in rows of fewer, as many, and more pixels than a group.
    for channels in 1...64 {
      for width in [1, 3, 15, 16, 17, 18, 19, 66, 68, 85] where width < 20 || channels < 20 {
        shapes.append(Shape(3, width, channels, kernel: (2, 3)))
      }
    }
    return shapes
  }()

  /// Multipliers, and groups of pixels with strides.
  static let gathered: [Shape] = {
    var shapes: [Shape] = []
    for channels in [1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33] {
      for (stride, dilation) in [(1, 1), (2, 1), (1, 2), (3, 1), (2, 3)] {
        for width in [3, 16, 40, 71] where channels < 9 || width < 20 {
          shapes.append(Shape(9, width, channels, kernel: (3, 3), stride: stride, dilation: dilation))
          for multiplier in [2, 3, 4, 20] where channels < 9 || multiplier < 4 {
            shapes.append(
              Shape(
                6, width, channels, kernel: (2, 3), stride: stride, dilation: dilation, multiplier: multiplier))
          }
        }
      }
    }
    return shapes
  }()

  #if arch(x86_64)
    @Test("float32 adds products column by column", arguments: KernelTable.available.filter { $0.name != "portable" })
    func float32Order(_ table: KernelTable) {
      var random = SplitMix(seed: 44)
      for shape in Self.shapes + Self.remainders + (table.depthwise.takesMultipliers ? Self.gathered : []) {
        let g = shape.geometry
        let input = GuardedBuffer(random.floats(shape.inputCount))
        let weights = GuardedBuffer(random.floats(shape.weightCount))
        let bias = GuardedBuffer(random.floats(g.channels))
        let output = GuardedBuffer<Float>(count: shape.outputCount, repeating: -77)
        table.depthwise.convolve(
          g, rows: 0..<shape.outputRows, input: input.pointer, weights: weights.pointer, bias: bias.pointer,
          output: output.pointer, lower: -.infinity, upper: .infinity)
        var expected = [Float](repeating: -77, count: shape.outputCount)
        for element in 0..<shape.outputRows * g.outputWidth * g.channels {
          let (pixel, channel) = element.quotientAndRemainder(dividingBy: g.channels)
          let (row, column) = pixel.quotientAndRemainder(dividingBy: g.outputWidth)
          var sum = bias.pointer[channel]
          for tap in 0..<g.kernelWidth {
            for tapRow in 0..<g.kernelHeight {
              let y = row * g.rowStride - g.paddingTop + tapRow * g.rowDilation
              let x = column * g.columnStride - g.paddingLeft + tap * g.columnDilation
              guard (0..<g.inputHeight).contains(y), (0..<g.inputWidth).contains(x) else { continue }
              sum.addProduct(
                input.pointer[(y * g.inputWidth + x) * g.inputPixelStride + channel / g.multiplier],
                weights.pointer[(tapRow * g.kernelWidth + tap) * g.tapStride + channel])
            }
          }
          expected[pixel * g.outputPixelStride + channel] = sum
        }
        #expect(output.values == expected, "\(shape.testDescription) rows \(shape.outputRows)")
      }
    }
  #endif

  /// Shapes that only the kernels for bytes support, and that reach the limits of their arrangements: lines of few
  /// channels and blocks, whole and partial vectors of both, and streams of every stride.
  static let byteShapes: [Shape] = {
    var shapes: [Shape] = []
    for channels in 1...18 {
      // From fewer than four vectors of a line to more than one segment.
      for width in [1, 4, 7, 16, 33] { shapes.append(Shape(4, width, channels, kernel: (3, 3))) }
      for stride in 2...5 {
        shapes.append(Shape(5, 37, channels, kernel: (3, 4), stride: stride, dilation: stride == 3 ? 2 : 1))
      }
    }
    for multiplier in [2, 3, 4, 5, 17] {
      for channels in [1, 2, 3, 5, 8, 15, 16, 17, 33] {
        shapes.append(Shape(4, 21, channels, kernel: (3, 3), multiplier: multiplier))
        shapes.append(Shape(5, 19, channels, kernel: (5, 2), stride: 2, padded: false, multiplier: multiplier))
        shapes.append(Shape(4, 6, channels, kernel: (2, 3), stride: 3, multiplier: multiplier))
      }
      shapes.append(Shape(3, 700, 1, kernel: (3, 3), multiplier: multiplier))
    }
    shapes += [
      Shape(2, 2100, 1, kernel: (3, 3)), Shape(2, 1030, 2, kernel: (3, 3), stride: 2), Shape(3, 700, 3, kernel: (7, 7)),
      Shape(3, 40, 3, kernel: (3, 3), extraChannels: 2), Shape(3, 40, 3, kernel: (3, 3), stride: 9),
      Shape(2, 2100, 1, kernel: (1, 3), dilation: 1024), Shape(2, 2100, 1, kernel: (1, 3), dilation: 1025),
      Shape(7, 9, 65, kernel: (3, 3)), Shape(7, 9, 127, kernel: (4, 4), stride: 2), Shape(7, 9, 67, kernel: (5, 5)),
    ]
    return shapes
  }()

  @Test("bytes are exact, and requantized with a single rounding", arguments: variants(shapes + byteShapes))
  func bytes(_ table: KernelTable, _ shape: Shape) {
    var random = SplitMix(seed: 42)
    for (inputIsSigned, inputZeroPoint, weightsAreSigned, weightZeroPoint) in [
      (true, -7, true, 0), (false, 131, false, 117),
    ] as [(Bool, Int32, Bool, Int32)] {
      let input = GuardedBuffer(random.integers(shape.inputCount, in: UInt8.min...UInt8.max))
      let weights = GuardedBuffer(random.integers(shape.weightCount, in: UInt8.min...UInt8.max))
      let bias = GuardedBuffer(random.integers(shape.geometry.channels, in: Int32(-50_000_000)...50_000_000))
      let scales = GuardedBuffer(random.floats(shape.geometry.channels, in: 1e-6...2e-6))
      func prepared(_ result: DepthwiseKernels.ByteResult) -> (GuardedBuffer<UInt8>, GuardedBuffer<UInt8>) {
        let packed = GuardedBuffer<UInt8>(
          count: table.depthwise.packedByteCount(shape.geometry, for: result), repeating: 0x55)
        table.depthwise.packBytes(
          shape.geometry, for: result, weights: weights.pointer, weightsAreSigned: weightsAreSigned,
          weightZeroPoint: weightZeroPoint, into: packed.pointer)
        let scratch = GuardedBuffer<UInt8>(
          count: table.depthwise.scratchByteCount(shape.geometry, for: result), repeating: 0x77)
        return (packed, scratch)
      }
      let sums = GuardedBuffer<Int32>(count: shape.outputCount, repeating: -77)
      let output = GuardedBuffer<UInt8>(count: shape.outputCount, repeating: 0xA5)
      let (packed, scratch) = prepared(.sums)
      table.depthwise.convolveAccumulating(
        shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, inputIsSigned: inputIsSigned,
        inputZeroPoint: inputZeroPoint, panels: packed.pointer, bias: bias.pointer, output: sums.pointer,
        scratch: scratch.pointer)
      let (lower, upper): (Int32, Int32) = inputIsSigned ? (-100, 127) : (0, 250)
      let (packedForBytes, scratchForBytes) = prepared(.bytes)
      table.depthwise.convolveRequantizing(
        shape.geometry, rows: 0..<shape.outputRows, input: input.pointer, inputIsSigned: inputIsSigned,
        inputZeroPoint: inputZeroPoint, panels: packedForBytes.pointer, bias: bias.pointer, scales: scales.pointer,
        output: output.pointer, zeroPoint: 3, lower: lower, upper: upper, scratch: scratchForBytes.pointer)
      func value(_ byte: UInt8, _ isSigned: Bool) -> Int { isSigned ? Int(Int8(bitPattern: byte)) : Int(byte) }
      var expectedSums = [Int32](repeating: -77, count: shape.outputCount)
      var expected = [UInt8](repeating: 0xA5, count: shape.outputCount)
      KernelReference.depthwise(
        shape.geometry, outputRows: shape.outputRows,
        input: { value(input.pointer[$0], inputIsSigned) - Int(inputZeroPoint) },
        weight: { value(weights.pointer[$0], weightsAreSigned) - Int(weightZeroPoint) },
        bias: { Int(bias.pointer[$0]) },
        store: { element, channel, sum in
          expectedSums[element] = Int32(sum)
          let scaled = (Float(sum) * scales.pointer[channel]).rounded(.toNearestOrEven)
          expected[element] = UInt8(truncatingIfNeeded: min(max(Int32(scaled) + 3, lower), upper))
        })
      #expect(sums.values == expectedSums)
      #expect(output.values == expected)
    }
  }

  @Test("rows and channels that are computed separately equal the whole", arguments: KernelTable.available)
  func sharedOutWorkEqualsTheWhole(_ table: KernelTable) {
    var random = SplitMix(seed: 43)
    let shape = Shape(11, 15, 37, kernel: (3, 3))
    let input = random.floats(shape.inputCount), weights = random.floats(shape.weightCount)
    let whole = GuardedBuffer<Float>(count: shape.outputCount, repeating: 0)
    let parts = GuardedBuffer<Float>(count: shape.outputCount, repeating: 0)
    table.depthwise.convolve(
      shape.geometry, rows: 0..<11, input: input, weights: weights, bias: nil, output: whole.pointer,
      lower: -.infinity, upper: .infinity)
    input.withUnsafeBufferPointer { input in
      weights.withUnsafeBufferPointer { weights in
        guard let input = input.baseAddress, let weights = weights.baseAddress else { return }
        for channels in [0..<20, 20..<37] {
          var geometry = shape.geometry
          geometry.channels = channels.count
          for rows in [0..<1, 1..<7, 7..<11] {
            table.depthwise.convolve(
              geometry, rows: rows, input: input + channels.lowerBound, weights: weights + channels.lowerBound,
              bias: nil, output: parts.pointer + channels.lowerBound, lower: -.infinity, upper: .infinity)
          }
        }
      }
    }
    #expect(whole.values == parts.values)
  }
}
