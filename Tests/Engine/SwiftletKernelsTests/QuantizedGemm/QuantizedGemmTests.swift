@testable import SwiftletKernels
import Testing

@Suite("Quantized matrix multiplication")
struct QuantizedGemmTests {
  @Test(
    "accumulators are exact for every combination of signs and zero points", arguments: variants(QuantizedCase.shapes))
  func accumulatorsAreExact(_ table: KernelTable, _ shape: QuantizedCase.Shape) {
    let gemm = table.quantizedGemm
    let problem = QuantizedCase(shape, seed: 21)
    let terms = problem.rowTerms(gemm), panels = problem.packed(gemm)
    let expected = problem.expectedAccumulators(filler: -77)
    for (rows, copies) in problem.rowsInPlaceAndCopied(gemm) {
      let output = GuardedBuffer<Int32>(count: problem.outputCount, repeating: -77)
      gemm.multiplyAccumulating(
        rows: shape.rows, columns: shape.columns, input: rows, panels: panels.pointer, rowTerms: terms?.pointer,
        output: output.pointer, outputStride: problem.outputStride)
      #expect(output.values == expected, "\(copies == nil ? "in place" : "copied")")
    }
  }

  @Test(
    "requantized bytes are the rounded, clamped products of accumulator and scale",
    arguments: variants(QuantizedCase.shapes))
  func requantizedBytes(_ table: KernelTable, _ shape: QuantizedCase.Shape) {
    let gemm = table.quantizedGemm
    let problem = QuantizedCase(shape, seed: 22)
    let accumulators = problem.expectedAccumulators(filler: 0)
    let terms = problem.rowTerms(gemm), panels = problem.packed(gemm)
    for (isSigned, zeroPoint, lower, upper) in [
      (true, -5, -128, 127), (true, 127, -20, 30), (false, 131, 0, 255), (false, 0, 3, 200), (true, -128, -128, -100),
    ] as [(Bool, Int32, Int32, Int32)] {
      let results = problem.rowsInPlaceAndCopied(gemm).map { rows, copies in
        let output = GuardedBuffer<UInt8>(count: problem.outputCount, repeating: 0xA5)
        gemm.multiplyRequantizing(
          rows: shape.rows, columns: shape.columns, input: rows, panels: panels.pointer, rowTerms: terms?.pointer,
          output: output.pointer, outputIsSigned: isSigned, outputStride: problem.outputStride, zeroPoint: zeroPoint,
          lower: lower, upper: upper)
        return withExtendedLifetime(copies) { output.values }
      }
      #expect(results[1] == results[0], "copied rows")
      for (index, byte) in results[0].enumerated() {
        let column = index % problem.outputStride
        guard column < shape.columns else {
          #expect(byte == 0xA5, "gap at \(index)")
          continue
        }
        let scaled = Float(accumulators[index]) * problem.scales.pointer[column]
        let wanted = min(max(Int32(scaled.rounded(.toNearestOrEven)) + zeroPoint, lower), upper)
        #expect(byte == UInt8(truncatingIfNeeded: wanted), "element \(index)")
      }
    }
  }

  @Test(
    "windows whose taps have the same distances give the same sums as any windows",
    arguments: variants([1, 2, 3, 4, 7, 8, 15, 16, 17, 33]))
  func fixedTaps(_ table: KernelTable, _ tapDepth: Int) {
    let gemm = table.quantizedGemm
    var random = SplitMix(seed: 26)
    // Three lines of an image; the windows of the last row end with the image.
    let line = 20 + tapDepth, distances = [0, line, 2 * line]
    let input = GuardedBuffer(random.integers(3 * line, in: Int8.min...Int8.max))
    for rows in [1, 2, 3, 5, 6, 7, 8, 9, 12, 15, 21] {
      for columns in [1, 3, 16, 17, 31, 32, 33, 40] {
        let weights = GuardedBuffer(random.integers(columns * 3 * tapDepth, in: Int8.min...Int8.max))
        let panels = GuardedBuffer<Int32>(
          count: gemm.packedByteCount(columns: columns, taps: 3, tapDepth: tapDepth) / 4, repeating: 0)
        gemm.pack(
          columns: columns, taps: 3, tapDepth: tapDepth, weights: weights.pointer, weightsAreSigned: true,
          columnStride: 3 * tapDepth, tapStride: tapDepth, channelStride: 1, weightZeroPoint: 0, inputZeroPoint: 5,
          inputIsSigned: true, bias: nil, scales: nil, scaleStride: 0, into: panels.pointer)
        let offsets = (0..<rows).flatMap { row in distances.map { Int32($0 + 20 - row * 3 % 21) } }
        func sums(areFixed: Bool) -> [Int32] {
          let output = GuardedBuffer<Int32>(count: rows * columns, repeating: -77)
          gemm.multiplyAccumulating(
            rows: rows, columns: columns,
            input: .windows(
              base: input.pointer, isSigned: true, taps: 3, tapDepth: tapDepth, offsets: offsets,
              zeroRow: input.pointer, areFixed: areFixed), panels: panels.pointer, rowTerms: nil,
            output: output.pointer, outputStride: columns)
          return output.values
        }
        #expect(sums(areFixed: true) == sums(areFixed: false), "\(rows) × \(columns)")
      }
    }
  }

  @Test("rows that are copied in several parts give the same sums", arguments: KernelTable.available)
  func copiedParts(_ table: KernelTable) {
    let gemm = table.quantizedGemm
    // One tile of copies is larger than a part; a part contains several tiles; the last part is not whole.
    for (rows, taps, tapDepth) in [(13, 1, 9000), (13, 3, 3000), (45, 1, 1001), (61, 9, 60)] {
      let problem = QuantizedCase(
        QuantizedCase.Shape(
          rows: rows, columns: 19, taps: taps, tapDepth: tapDepth, inputZeroPoint: 3, weightZeroPoint: 2), seed: 28)
      let terms = problem.rowTerms(gemm), panels = problem.packed(gemm)
      let results = problem.rowsInPlaceAndCopied(gemm).map { rows, copies in
        let output = GuardedBuffer<Int32>(count: problem.outputCount, repeating: -77)
        gemm.multiplyAccumulating(
          rows: problem.shape.rows, columns: 19, input: rows, panels: panels.pointer, rowTerms: terms?.pointer,
          output: output.pointer, outputStride: problem.outputStride)
        return withExtendedLifetime(copies) { output.values }
      }
      #expect(results[1] == results[0], "\(rows) rows of \(taps) × \(tapDepth)")
      #expect(results[0] == problem.expectedAccumulators(filler: -77), "\(rows) rows of \(taps) × \(tapDepth)")
    }
  }

  @Test("extreme accumulators saturate", arguments: KernelTable.available)
  func extremeAccumulatorsSaturate(_ table: KernelTable) {
    let gemm = table.quantizedGemm
    let bias: [Int32] = [.max, .min, .max - 1, 1 << 30, -(1 << 30), 40_000, -40_000]
    let scales = [Float](repeating: Float(1).nextDown, count: 7)
    let panels = GuardedBuffer<Int32>(
      count: gemm.packedByteCount(columns: 7, taps: 0, tapDepth: 0) / 4, repeating: 0)
    gemm.pack(
      columns: 7, taps: 0, tapDepth: 0, weights: panels.pointer, weightsAreSigned: true, columnStride: 0, tapStride: 0,
      channelStride: 0, weightZeroPoint: 0, inputZeroPoint: 0, inputIsSigned: true, bias: bias, scales: scales,
      scaleStride: 1, into: panels.pointer)
    let input = ByteRows.windows(
      base: panels.pointer, isSigned: true, taps: 0, tapDepth: 0, offsets: bias, zeroRow: panels.pointer)
    for zeroPoint in [-128, 0, 127] as [Int32] {
      let output = GuardedBuffer<Int8>(count: 7, repeating: 0)
      gemm.multiplyRequantizing(
        rows: 1, columns: 7, input: input, panels: panels.pointer, rowTerms: nil, output: output.pointer,
        outputIsSigned: true, outputStride: 7, zeroPoint: zeroPoint, lower: -128, upper: 127)
      #expect(output.values == [127, -128, 127, 127, -128, 127, -128])
    }
  }

  @Test(
    "dynamic-range multiplication dequantizes each row with its own scale and zero point",
    arguments: variants(QuantizedCase.shapes.filter { $0.weightsAreSigned && $0.weightZeroPoint == 0 }))
  func dynamicRange(_ table: KernelTable, _ shape: QuantizedCase.Shape) {
    let gemm = table.quantizedGemm
    let problem = QuantizedCase(shape, seed: 23)
    var random = SplitMix(seed: 24)
    let depth = shape.taps * shape.tapDepth
    let panels = GuardedBuffer<Int32>(
      count: gemm.packedByteCount(columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth) / 4,
      repeating: 0x5A5A_5A5A)
    gemm.packDynamicRange(
      columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth,
      weights: UnsafeRawPointer(problem.weights.pointer).assumingMemoryBound(to: Int8.self), columnStride: depth,
      tapStride: shape.tapDepth, channelStride: 1, scales: problem.scales.pointer, scaleStride: 1,
      bias: problem.floatBias.pointer, into: panels.pointer)
    for perRow in [true, false] {
      // Padding reads the zero row, which contains a single zero point.
      let zeroPoints =
        perRow && shape.taps == 1 && shape.inputIsSigned
        ? random.integers(shape.rows, in: -128...127) : [Int32](repeating: shape.inputZeroPoint, count: shape.rows)
      let rowScales = perRow ? random.floats(shape.rows, in: 0.01...0.02) : [Float](repeating: 0.015, count: shape.rows)
      let output = GuardedBuffer<Float>(count: problem.outputCount, repeating: -77)
      let fused = GuardedBuffer<Float>(count: problem.outputCount, repeating: -77)
      let copied = GuardedBuffer<Float>(count: problem.outputCount, repeating: -77)
      let scaleBuffer = GuardedBuffer(perRow ? rowScales : [0.015])
      let zeroPointBuffer = GuardedBuffer(perRow ? zeroPoints : [shape.inputZeroPoint])
      gemm.multiplyDynamicRange(
        rows: shape.rows, columns: shape.columns, input: problem.rows, panels: panels.pointer,
        rowScales: scaleBuffer.pointer, rowZeroPoints: zeroPointBuffer.pointer, rowParameterStride: perRow ? 1 : 0,
        output: output.pointer, outputStride: problem.outputStride, lower: -1, upper: 1.5)
      let copies = problem.rowsInPlaceAndCopied(gemm)[1]
      gemm.multiplyDynamicRange(
        rows: shape.rows, columns: shape.columns, input: copies.rows, panels: panels.pointer,
        rowScales: scaleBuffer.pointer, rowZeroPoints: zeroPointBuffer.pointer, rowParameterStride: perRow ? 1 : 0,
        output: copied.pointer, outputStride: problem.outputStride, lower: -1, upper: 1.5)
      withExtendedLifetime(copies) { #expect(copied.values == output.values, "copied rows") }
      gemm.multiplyDynamicRange(
        rows: shape.rows, columns: shape.columns, input: problem.rows, panels: panels.pointer,
        rowScales: scaleBuffer.pointer, rowZeroPoints: zeroPointBuffer.pointer, rowParameterStride: perRow ? 1 : 0,
        output: fused.pointer, outputStride: problem.outputStride, lower: -1, upper: 1.5, isFused: true)
      for (index, value) in output.values.enumerated() {
        let row = index / problem.outputStride, column = index % problem.outputStride
        guard column < shape.columns else {
          #expect(value == -77 && fused.values[index] == -77, "gap at \(index)")
          continue
        }
        var sum = 0
        for step in 0..<depth {
          let offset = problem.offsets.pointer[row * shape.taps + step / shape.tapDepth]
          let byte =
            offset < 0
            ? problem.zeroRow.pointer[0] : problem.input.pointer[Int(offset) + step % shape.tapDepth]
          let x = shape.inputIsSigned ? Int(Int8(bitPattern: byte)) : Int(byte)
          sum += (x - Int(zeroPoints[row])) * Int(Int8(bitPattern: problem.weights.pointer[column * depth + step]))
        }
        // Only the CPU's own kernel set uses fused multiply-add.
        let product = Float(sum) * rowScales[row], scale = problem.scales.pointer[column],
          bias = problem.floatBias.pointer[column]
        let sums = [bias.addingProduct(product, scale), product * scale + bias].map { min(max($0, -1), 1.5) }
        #expect(sums.contains(fused.values[index]), "element \(index)")
        let exact =
          Double(sum) * Double(rowScales[row]) * Double(problem.scales.pointer[column])
          + Double(problem.floatBias.pointer[column])
        #expect(abs(Double(value) - min(max(exact, -1), 1.5)) < 1e-5, "element \(index)")
      }
    }
  }

  @Test("strided weights are packed like contiguous ones", arguments: KernelTable.available)
  func stridedWeightsPackAlike(_ table: KernelTable) {
    let gemm = table.quantizedGemm
    var random = SplitMix(seed: 25)
    let columns = 21, taps = 3, tapDepth = 6
    let weights = random.integers(columns * taps * tapDepth, in: Int8.min...Int8.max)
    // The same weights with columns innermost.
    var transposed = weights
    for column in 0..<columns {
      for step in 0..<taps * tapDepth { transposed[step * columns + column] = weights[column * taps * tapDepth + step] }
    }
    let bytes = gemm.packedByteCount(columns: columns, taps: taps, tapDepth: tapDepth)
    let first = GuardedBuffer<Int32>(count: bytes / 4, repeating: 1),
      second = GuardedBuffer<Int32>(count: bytes / 4, repeating: 2)
    gemm.pack(
      columns: columns, taps: taps, tapDepth: tapDepth, weights: weights, weightsAreSigned: true,
      columnStride: taps * tapDepth, tapStride: tapDepth, channelStride: 1, weightZeroPoint: 4, inputZeroPoint: 7,
      inputIsSigned: true, bias: nil, scales: [0.5], scaleStride: 0, into: first.pointer)
    gemm.pack(
      columns: columns, taps: taps, tapDepth: tapDepth, weights: transposed, weightsAreSigned: true, columnStride: 1,
      tapStride: tapDepth * columns, channelStride: columns, weightZeroPoint: 4, inputZeroPoint: 7, inputIsSigned: true,
      bias: nil, scales: [0.5], scaleStride: 0, into: second.pointer)
    #expect(first.values == second.values)
  }
}
