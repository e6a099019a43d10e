@testable import SwiftletKernels
import Testing

/// A quantized multiplication with all its parameters, generated from a seed.
struct QuantizedCase {
  struct Shape: Sendable, CustomTestStringConvertible {
    var rows: Int
    var columns: Int
    var taps = 1
    var tapDepth: Int
    var inputIsSigned = true
    var inputZeroPoint: Int32 = 0
    var weightsAreSigned = true
    var weightZeroPoint: Int32 = 0
    var testDescription: String {
      "\(rows)×\(taps)·\(tapDepth)×\(columns) \(inputIsSigned ? "int8" : "uint8")-\(inputZeroPoint) × "
        + "\(weightsAreSigned ? "int8" : "uint8")-\(weightZeroPoint)"
    }
  }

  static let shapes: [Shape] = {
    var shapes = [
      Shape(rows: 0, columns: 5, tapDepth: 3), Shape(rows: 3, columns: 0, tapDepth: 3),
      Shape(rows: 3, columns: 5, tapDepth: 0), Shape(rows: 3, columns: 5, taps: 0, tapDepth: 3),
      Shape(rows: 1, columns: 301, taps: 2, tapDepth: 17, inputZeroPoint: -128),
      Shape(rows: 13, columns: 70, taps: 9, tapDepth: 6, inputIsSigned: false, inputZeroPoint: 131),
      Shape(
        rows: 13, columns: 35, taps: 9, tapDepth: 6, inputIsSigned: false, inputZeroPoint: 131, weightsAreSigned: false,
        weightZeroPoint: 117),
      Shape(
        rows: 1, columns: 140, taps: 4, tapDepth: 65, inputIsSigned: false, inputZeroPoint: 3, weightsAreSigned: false,
        weightZeroPoint: 0),
      Shape(
        rows: 5, columns: 9, taps: 1, tapDepth: 130, inputIsSigned: true, inputZeroPoint: 127, weightsAreSigned: true,
        weightZeroPoint: -3),
    ]
    for rows in 1...14 { shapes.append(Shape(rows: rows, columns: 33, taps: 2, tapDepth: 7, inputZeroPoint: 5)) }
    for columns in 1...36 { shapes.append(Shape(rows: 7, columns: columns, tapDepth: 8, inputZeroPoint: -7)) }
    for depth in 1...9 {
      shapes.append(Shape(rows: 7, columns: 8, taps: 2, tapDepth: depth, inputIsSigned: false, inputZeroPoint: 9))
    }
    // Few columns, with taps of several words.
    for columns in [1, 2, 3, 4, 5, 8, 9, 33, 34, 36, 40] {
      for depth in [8, 12, 16, 20, 36, 64, 68] {
        shapes.append(
          Shape(
            rows: 13, columns: columns, taps: depth == 36 ? 1 : 2, tapDepth: depth, inputIsSigned: depth % 8 != 0,
            inputZeroPoint: 9))
      }
    }
    // One row per lane, for few columns in either vector of a panel: no rows, whole vectors of rows, and rows beyond.
    for columns in [0, 1, 2, 3, 4, 5, 7, 8, 9, 17, 20, 24, 25, 33, 40, 49, 56] {
      for rows in [15, 16, 17, 35] {
        shapes.append(
          Shape(rows: rows, columns: columns, tapDepth: 96, inputIsSigned: rows % 2 == 0, inputZeroPoint: 3))
      }
      shapes.append(
        Shape(
          rows: 34, columns: columns, taps: 2, tapDepth: 64, inputIsSigned: false, inputZeroPoint: 3,
          weightsAreSigned: false, weightZeroPoint: 117))
    }
    for depth in 12...83 {
      for columns in [2, 8, 22] {
        shapes.append(Shape(rows: 18, columns: columns, taps: 3, tapDepth: depth, inputZeroPoint: -4))
      }
    }
    return shapes
  }()

  let shape: Shape
  let input: GuardedBuffer<UInt8>
  let zeroRow: GuardedBuffer<UInt8>
  let weights: GuardedBuffer<UInt8>
  let bias: GuardedBuffer<Int32>
  let scales: GuardedBuffer<Float>
  let floatBias: GuardedBuffer<Float>
  let offsets: GuardedBuffer<Int32>
  let outputStride: Int
  let outputCount: Int

  init(_ shape: Shape, seed: UInt64) {
    var random = SplitMix(seed: seed)
    let pixels = 9
    self.shape = shape
    input = GuardedBuffer(random.integers(pixels * shape.tapDepth, in: UInt8.min...UInt8.max))
    zeroRow = GuardedBuffer(
      [UInt8](repeating: UInt8(truncatingIfNeeded: shape.inputZeroPoint), count: shape.tapDepth))
    weights = GuardedBuffer(random.integers(shape.columns * shape.taps * shape.tapDepth, in: UInt8.min...UInt8.max))
    bias = GuardedBuffer(random.integers(shape.columns, in: -20_000...20_000))
    scales = GuardedBuffer(random.floats(shape.columns, in: 1e-4...2e-3))
    floatBias = GuardedBuffer(random.floats(shape.columns))
    offsets = GuardedBuffer(
      (0..<shape.rows * shape.taps).map { _ in
        let pixel = Int.random(in: -2..<pixels, using: &random)
        return Int32(pixel < 0 ? -1 : pixel * shape.tapDepth)
      })
    outputStride = shape.columns + 3
    outputCount = shape.rows == 0 ? 0 : (shape.rows - 1) * outputStride + shape.columns
  }

  var rows: ByteRows {
    .windows(
      base: input.pointer, isSigned: shape.inputIsSigned, taps: shape.taps, tapDepth: shape.tapDepth,
      offsets: offsets.pointer, zeroRow: zeroRow.pointer)
  }

  /// Returns the rows as products read them in place, and copied.
  func rowsInPlaceAndCopied(_ gemm: QuantizedGemmKernels) -> [(rows: ByteRows, copies: GuardedBuffer<UInt8>?)] {
    let copies = GuardedBuffer<UInt8>(
      count: gemm.copyByteCount(rows: shape.rows, taps: shape.taps, tapDepth: shape.tapDepth), repeating: 0xA5)
    var copied = rows
    copied.copyMemory = UnsafeMutableRawPointer(copies.pointer)
    return [(rows, nil), (copied, copies)]
  }

  func packed(_ gemm: QuantizedGemmKernels) -> GuardedBuffer<Int32> {
    let bytes = gemm.packedByteCount(columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth)
    let panels = GuardedBuffer<Int32>(count: bytes / 4, repeating: 0x5A5A_5A5A)
    gemm.pack(
      columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, weights: weights.pointer,
      weightsAreSigned: shape.weightsAreSigned, columnStride: shape.taps * shape.tapDepth, tapStride: shape.tapDepth,
      channelStride: 1, weightZeroPoint: shape.weightZeroPoint, inputZeroPoint: shape.inputZeroPoint,
      inputIsSigned: shape.inputIsSigned, bias: bias.pointer, scales: scales.pointer, scaleStride: 1,
      into: panels.pointer)
    return panels
  }

  func rowTerms(_ gemm: QuantizedGemmKernels) -> GuardedBuffer<Int32>? {
    let terms = GuardedBuffer<Int32>(count: shape.rows, repeating: 0x5A5A_5A5A)
    let needed = gemm.computeRowTerms(
      rows: shape.rows, input: rows, weightZeroPoint: shape.weightZeroPoint, weightsAreSigned: shape.weightsAreSigned,
      into: terms.pointer)
    return needed ? terms : nil
  }

  /// Returns the exact accumulators, with rows at `outputStride` and gaps filled with `filler`.
  func expectedAccumulators(filler: Int32) -> [Int32] {
    let expected = GuardedBuffer<Int32>(count: outputCount, repeating: filler)
    KernelReference.accumulators(
      rows: shape.rows, columns: shape.columns, taps: shape.taps, tapDepth: shape.tapDepth, input: input.pointer,
      inputIsSigned: shape.inputIsSigned, inputZeroPoint: shape.inputZeroPoint, offsets: offsets.pointer,
      weights: weights.pointer, weightsAreSigned: shape.weightsAreSigned, weightZeroPoint: shape.weightZeroPoint,
      bias: bias.pointer, output: expected.pointer, outputStride: outputStride)
    return expected.values
  }
}
