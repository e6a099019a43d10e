import Testing

@testable import SwiftletKernels

@Suite(
  "Products of bfloat16 numbers",
  .enabled(if: KernelTable.available.contains { $0.bfloat16 != nil }, "needs a processor with products of bfloat16"))
struct BFloat16Tests {
  static let available = KernelTable.available.compactMap(\.bfloat16).last

  /// Returns the nearest number of 8 significant bits, ties to even, by comparing distances.
  static func rounded(_ x: Float) -> Float {
    guard x.isFinite else { return x }
    guard x.isNormal else { return x.sign == .minus ? -0.0 : 0.0 }
    let below = Float(bitPattern: x.bitPattern & 0xFFFF_0000)
    let above = Float(bitPattern: below.bitPattern + 0x1_0000)
    let up = above.isFinite ? abs(Double(above) - Double(x)) : 0x1p128 - abs(Double(x))
    let down = abs(Double(x) - Double(below))
    if up == down { return below.bitPattern & 0x1_0000 == 0 ? below : above }
    return up < down ? above : below
  }

  static func floats(_ values: [UInt16]) -> [Float] { values.map { Float(bitPattern: UInt32($0) << 16) } }

  @Test("rounds to nearest, ties to even, for every kind of number and any count, and accesses nothing else")
  func rounding() throws {
    let kernels = try #require(Self.available)
    var random = SplitMix(seed: 21)
    let special: [Float] = [
      0, -0.0, 1, -1, 1.00390625, 1.01171875, 1.003906369, 0.1, -3.3, .infinity, -.infinity, .leastNormalMagnitude,
      .leastNonzeroMagnitude, -0x1p-130, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 3.3895314e38, 1e-30,
    ]
    for count in 0...70 {
      let values = (0..<count).map { $0 < special.count ? special[$0] : Float.random(in: -9...9, using: &random) }
      let input = GuardedBuffer(values)
      let output = GuardedBuffer<UInt16>(count: count, repeating: 77)
      kernels.round(
        rows: 1, columns: count, input: input.pointer, inputStride: 0, output: output.pointer, outputStride: 0)
      for (got, x) in zip(Self.floats(output.values), values) {
        // Products treat denormals as zero, so rounding may keep them.
        let seen = got.isSubnormal ? Float(signOf: got, magnitudeOf: 0) : got
        #expect(seen.bitPattern == Self.rounded(x).bitPattern, "\(x) of \(count) numbers became \(got)")
      }
    }
    let result = GuardedBuffer<UInt16>(count: 1, repeating: 0)
    kernels.round(rows: 1, columns: 1, input: [.nan], inputStride: 0, output: result.pointer, outputStride: 0)
    #expect(Self.floats(result.values)[0].isNaN)
  }

  @Test("rows are rounded at their strides, and the bytes between them are unchanged")
  func roundingOfRows() throws {
    let kernels = try #require(Self.available)
    var random = SplitMix(seed: 22)
    let input = random.floats(3 * 50)
    let output = GuardedBuffer<UInt16>(count: 2 * 41 + 37, repeating: 77)
    kernels.round(rows: 3, columns: 37, input: input, inputStride: 50, output: output.pointer, outputStride: 41)
    for (index, value) in Self.floats(output.values).enumerated() {
      let (row, column) = index.quotientAndRemainder(dividingBy: 41)
      #expect(
        value == (column < 37 ? Self.rounded(input[row * 50 + column]) : Self.floats([77])[0]), "\(row), \(column)")
    }
  }

  @Test(
    "windows with padding agree with plain loops over rounded values, and nothing outside the output is accessed",
    arguments: GemmFloat32Tests.shapes)
  func agreesWithPlainLoops(_ shape: GemmFloat32Tests.Shape) throws {
    let kernels = try #require(Self.available)
    var random = SplitMix(seed: 23)
    let depth = shape.taps * shape.tapDepth, pixels = 9
    let input = random.floats(pixels * shape.tapDepth), weights = random.floats(shape.columns * depth)
    let bias = GuardedBuffer(random.floats(shape.columns))
    let packed = try PackedInput(kernels, input: input, weights: weights, bias: bias, shape)
    let offsets = GuardedBuffer(
      (0..<shape.rows * shape.taps).map { _ in
        let pixel = Int.random(in: -2..<pixels, using: &random)
        return Int32(pixel < 0 ? -1 : pixel * shape.tapDepth)
      })
    let stride = shape.columns + 3
    let count = shape.rows == 0 ? 0 : (shape.rows - 1) * stride + shape.columns
    let output = GuardedBuffer<Float>(count: count, repeating: -77)
    let expected = GuardedBuffer<Float>(count: count, repeating: -77)
    let zeroRow = GuardedBuffer<UInt16>(count: shape.tapDepth, repeating: 0)
    kernels.multiplyTaps(
      rows: shape.rows, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, input: packed.input.pointer,
      offsets: offsets.pointer, zeroRow: zeroRow.pointer, panels: packed.panels.pointer, output: output.pointer,
      outputStride: stride, lower: -0.75, upper: 1.5)
    KernelReference.multiplyTaps(
      rows: shape.rows, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth,
      input: input.map(Self.rounded), offsets: offsets.pointer, zeroRow: [Float](repeating: 0, count: shape.tapDepth),
      weights: weights.map(Self.rounded), bias: bias.pointer, output: expected.pointer, outputStride: stride,
      lower: -0.75,
      upper: 1.5)
    let bound = Float(depth + 1) * 1.2e-7
    for (index, (got, wanted)) in zip(output.values, expected.values).enumerated() {
      #expect(abs(got - wanted) <= bound, "element \(index)")
    }
  }

  /// An input and weights in the layouts that the kernel reads.
  struct PackedInput {
    let input: GuardedBuffer<UInt16>
    let panels: GuardedBuffer<UInt32>

    init(
      _ kernels: BFloat16Kernels, input: [Float], weights: [Float], bias: GuardedBuffer<Float>?,
      _ shape: GemmFloat32Tests.Shape
    ) throws {
      let numbers = GuardedBuffer(input), guarded = GuardedBuffer(weights)
      self.input = GuardedBuffer(count: input.count, repeating: 77)
      kernels.round(
        rows: 1, columns: input.count, input: numbers.pointer, inputStride: 0, output: self.input.pointer,
        outputStride: 0)
      panels = GuardedBuffer(
        count: kernels.packedCount(columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth),
        repeating: .max)
      kernels.pack(
        columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, weights: guarded.pointer,
        columnStride: shape.taps * shape.tapDepth, tapStride: shape.tapDepth, depthStride: 1, bias: bias?.pointer,
        into: panels.pointer)
    }
  }

  @Test(
    "a row's result depends neither on the rows computed with it nor on how the row is addressed", arguments: [64, 19])
  func resultsDoNotDependOnTiling(_ depth: Int) throws {
    let kernels = try #require(Self.available)
    var random = SplitMix(seed: 24)
    for (rows, columns) in [(17, 300), (20, 9), (13, 24)] {
      let packed = try PackedInput(
        kernels, input: random.floats(rows * depth), weights: random.floats(columns * depth), bias: nil,
        .init(rows: rows, columns: columns, taps: 1, tapDepth: depth))
      let input = UnsafePointer(packed.input.pointer)
      func multiply(_ range: Range<Int>, into output: UnsafeMutablePointer<Float>) {
        kernels.multiplyRows(
          rows: range.count, columns: columns, depth: depth, input: input + range.lowerBound * depth,
          inputStride: depth,
          panels: packed.panels.pointer, output: output + range.lowerBound * columns, outputStride: columns,
          lower: -.infinity, upper: .infinity)
      }
      let together = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
      let apart = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
      let windows = GuardedBuffer<Float>(count: rows * columns, repeating: 0)
      multiply(0..<rows, into: together.pointer)
      for range in [0..<1, 1..<3, 3..<10, 10..<rows] { multiply(range, into: apart.pointer) }
      kernels.multiplyTaps(
        rows: rows, columns: columns, taps: 1, tapDepth: depth, input: input,
        offsets: (0..<rows).map { Int32($0 * depth) },
        zeroRow: input, panels: packed.panels.pointer, output: windows.pointer, outputStride: columns,
        lower: -.infinity,
        upper: .infinity)
      #expect(together.values == apart.values)
      #expect(together.values == windows.values)
    }
  }

  @Test("weights are packed from any strides, and columns from any panel boundary")
  func packing() throws {
    let kernels = try #require(Self.available)
    var random = SplitMix(seed: 25)
    let columns = kernels.panelColumns + 5, taps = 2, tapDepth = 5
    let weights = random.floats(columns * taps * tapDepth), bias = random.floats(columns)
    let count = kernels.packedCount(columns: columns, taps: taps, tapDepth: tapDepth)
    let whole = GuardedBuffer<UInt32>(count: count, repeating: 0)
    let parts = GuardedBuffer<UInt32>(count: count, repeating: 0)
    kernels.pack(
      columns: columns, taps: taps, tapDepth: tapDepth, weights: weights, columnStride: 1,
      tapStride: tapDepth * columns,
      depthStride: columns, bias: bias, into: whole.pointer)
    let first = kernels.packedCount(columns: kernels.panelColumns, taps: taps, tapDepth: tapDepth)
    for (range, place) in [(0..<kernels.panelColumns, 0), (kernels.panelColumns..<columns, first)] {
      kernels.pack(
        columns: range.count, taps: taps, tapDepth: tapDepth, weights: Array(weights[range.lowerBound...]),
        columnStride: 1,
        tapStride: tapDepth * columns, depthStride: columns, bias: Array(bias[range]), into: parts.pointer + place)
    }
    #expect(whole.values == parts.values)
    #expect(Array(whole.values[0..<kernels.panelColumns]) == bias[0..<kernels.panelColumns].map(\.bitPattern))
    // The first pair of the second tap, and its last element, which is alone in its pair.
    func bits(_ depth: Int, _ column: Int) -> UInt32 {
      Self.rounded(weights[depth * columns + column]).bitPattern >> 16
    }
    let words = kernels.group / 2, tapWords = kernels.steps(taps: 1, tapDepth: tapDepth) * words
    func word(_ index: Int, _ column: Int) -> UInt32 {
      whole.values[kernels.panelColumns * (1 + tapWords + index / words * words) + column * words + index % words]
    }
    #expect(word(0, 3) == bits(5, 3) | bits(6, 3) << 16)
    #expect(word(2, 3) == bits(9, 3))
    if tapWords > 3 { #expect(word(3, 3) == 0) }
  }

  @Test("memory past a tap with an odd number of elements doesn't affect the result")
  func oddTapsReadNothingElse() throws {
    let kernels = try #require(Self.available)
    let shape = GemmFloat32Tests.Shape(rows: 1, columns: 2, taps: 1, tapDepth: 3)
    let packed = try PackedInput(
      kernels, input: [1, 2, 4, .nan], weights: [1, 10, 100, 2, 20, 200], bias: nil, shape)
    let output = GuardedBuffer<Float>(count: 2, repeating: 0)
    kernels.multiplyRows(
      rows: 1, columns: 2, depth: 3, input: packed.input.pointer, inputStride: 3, panels: packed.panels.pointer,
      output: output.pointer, outputStride: 2, lower: -.infinity, upper: .infinity)
    #expect(output.values == [421, 842])
  }

  @Test("NaN passes through the clamp, and denormals are flushed to zero")
  func specialNumbers() throws {
    let kernels = try #require(Self.available)
    let shape = GemmFloat32Tests.Shape(rows: 2, columns: 1, taps: 1, tapDepth: 2)
    let packed = try PackedInput(
      kernels, input: [.nan, 0, 0x1p-130, 1], weights: [1e38, 3], bias: nil, shape)
    let output = GuardedBuffer<Float>(count: 2, repeating: 0)
    kernels.multiplyRows(
      rows: 2, columns: 1, depth: 2, input: packed.input.pointer, inputStride: 2, panels: packed.panels.pointer,
      output: output.pointer, outputStride: 1, lower: -10, upper: 10)
    #expect(output.values[0].isNaN)
    #expect(output.values[1] == 3)
  }
}
