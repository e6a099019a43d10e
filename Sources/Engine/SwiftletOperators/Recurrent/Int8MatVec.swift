import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// The products of int8 vectors and several constant int8 matrices of the same shape. Each matrix has its own
/// fixed-point rescaling factor. Results are bit-exact with the reference.
///
/// The matrices are packed side by side, so that one call multiplies a vector by all of them. In the results, each
/// matrix takes `matrixWidth` elements, of which the first `columns` are valid.
struct Int8MatVec: Sendable {
  struct Matrix {
    /// The index of the input with the weights, `[columns, depth]`.
    var weights: Int
    /// The index of the input with an int32 bias per column.
    var bias: Int?
    var factor: QuantizedMultiplier
  }

  /// The width of one matrix in the results, in whole panels.
  let matrixWidth: Int
  /// The width of all matrices.
  let width: Int
  private let columns: Int
  private let depth: Int
  private let panels: AlignedBytes
  /// The fixed-point factors of all result elements in the form that kernels read: all multipliers, followed by all
  /// shifts.
  private let factors: AlignedBytes
  private let products: QuantizedGemmKernels
  private let quantization: QuantizationKernels

  /// Creates the products.
  ///
  /// - Parameter zeroPoint: The zero point of the vectors.
  /// - Throws: An error if weights aren't constant or are too large to pack.
  init(_ context: PrepareContext, matrices: [Matrix], columns: Int, depth: Int, zeroPoint: Int32) throws {
    let kernels = context.kernels.quantizedGemm
    let step = kernels.panelColumns
    self.columns = columns
    self.depth = depth
    products = kernels
    quantization = context.kernels.quantization
    matrixWidth = (columns + step - 1) / step * step
    width = matrices.count * matrixWidth
    let limit = context.options.limits.arenaBytes
    let size = (depth + 64).multipliedReportingOverflow(by: width)
    guard !size.overflow, size.partialValue <= limit else {
      throw RuntimeError(.limitExceeded, "weights are too large to pack", location: context.node.node.location)
    }
    let matrixBytes = kernels.packedByteCount(columns: matrixWidth, taps: 1, tapDepth: depth)
    let biases = matrices.compactMap(\.bias)
    panels = try context.packed(
      inputs: matrices.map(\.weights) + biases,
      layout: PackedLayout("8-bit panels of several matrices", [step, columns, depth, Int(zeroPoint), matrices.count])
    ) { sources in
      let packed = try AlignedBytes.available(matrixBytes * matrices.count, for: "packed weights")
      for place in matrices.indices {
        guard let weights = sources[place].baseAddress else { continue }
        let bias = biases.isEmpty ? nil : sources[matrices.count + place].baseAddress
        kernels.pack(
          columns: columns, taps: 1, tapDepth: depth, weights: weights, weightsAreSigned: true, columnStride: depth,
          tapStride: 0, channelStride: 1, weightZeroPoint: 0, inputZeroPoint: zeroPoint, inputIsSigned: true,
          bias: bias?.assumingMemoryBound(to: Int32.self), scales: nil, scaleStride: 0,
          into: packed.start + place * matrixBytes)
      }
      return packed
    }
    factors = try AlignedBytes.available(width * 8, for: "packed weights")
    for (place, matrix) in matrices.enumerated() {
      for column in (place * matrixWidth)..<((place + 1) * matrixWidth) {
        factors.bytes.storeBytes(of: matrix.factor.multiplier, toByteOffset: column * 4, as: Int32.self)
        factors.bytes.storeBytes(of: matrix.factor.shift, toByteOffset: (width + column) * 4, as: Int32.self)
      }
    }
  }

  /// Returns the size of scratch memory for products of the given number of rows, in bytes.
  func scratchBytes(rows: Int) -> Int { rows * width * 4 }

  private var multipliers: UnsafePointer<Int32> { UnsafePointer(factors.start.assumingMemoryBound(to: Int32.self)) }
  private var shifts: UnsafePointer<Int32> { multipliers + width }

  /// Returns the sums of products before rescaling. Vectors are read in whole groups of four bytes, so their tensors
  /// must have slack (`PrepareContext.requireSlack(behind:)`).
  private func sum(
    rows: Int, _ vectors: UnsafePointer<Int8>, stride: Int, _ scratch: UnsafeMutableRawPointer
  ) -> UnsafePointer<Int32> {
    let sums = scratch.assumingMemoryBound(to: Int32.self)
    products.multiplyAccumulating(
      rows: rows, columns: width,
      input: .rows(base: UnsafeRawPointer(vectors), isSigned: true, stride: stride, depth: (depth &+ 3) & ~3),
      panels: UnsafeRawPointer(panels.start), rowTerms: nil, output: sums, outputStride: width)
    return UnsafePointer(sums)
  }

  /// Computes the rescaled products of several vectors, `width` elements each.
  func multiply(
    rows: Int, _ vectors: UnsafePointer<Int8>, stride: Int, into results: UnsafeMutablePointer<Int16>,
    scratch: UnsafeMutableRawPointer
  ) {
    quantization.requantize(
      rows: rows, columns: width, input: sum(rows: rows, vectors, stride: stride, scratch), inputStride: width,
      multipliers: multipliers, shifts: shifts, parameterStride: 1, zeroPoint: 0, lower: -32768, upper: 32767,
      toInt16: results, outputStride: width)
  }

  /// Adds the rescaled products of one vector to existing values.
  func multiply(
    _ vector: UnsafePointer<Int8>, adding addend: UnsafePointer<Int16>, into results: UnsafeMutablePointer<Int16>,
    _ kernels: RecurrentKernels, scratch: UnsafeMutableRawPointer
  ) {
    kernels.rescale(
      count: width, sums: sum(rows: 1, vector, stride: depth, scratch), multipliers: multipliers, shifts: shifts,
      adding: addend, into: results)
  }

  /// Computes the rescaled products of one vector and the first matrix as int8.
  func multiply(
    _ vector: UnsafePointer<Int8>, zeroPoint: Int32, into results: UnsafeMutablePointer<Int8>,
    scratch: UnsafeMutableRawPointer
  ) {
    quantization.requantize(
      rows: 1, columns: columns, input: sum(rows: 1, vector, stride: depth, scratch), inputStride: width,
      multipliers: multipliers, shifts: shifts, parameterStride: 0, zeroPoint: zeroPoint, lower: -128, upper: 127,
      toBytes: UnsafeMutableRawPointer(results), outputStride: columns)
  }
}

/// Layer normalization of 16-bit gate sums.
///
/// - Source: the integer layer normalization of the reference runtime, bit-exact: mean and standard deviation with 10
///   fraction bits.
struct ShortNormalization: Sendable {
  private let coefficients: TensorSlot
  private let bias: TensorSlot
  private let factor: QuantizedMultiplier
  /// The replacement for a variance of 0.
  private let varianceGuard: Int32

  /// The number of fraction bits in the results.
  private static let resultBits: Int32 = 12

  init(_ context: PrepareContext, _ gate: LSTMInputs.Gate) throws {
    guard let index = gate.normalization else { throw context.node.invalid("has no normalization coefficients") }
    let scale = try context.node.inputQuantization(index).scale
    coefficients = try context.inputSlot(index)
    bias = try context.inputSlot(gate.bias)
    let multiplier = QuantizedMultiplier(Double(scale))
    factor = QuantizedMultiplier(
      multiplier: multiplier.multiplier, shift: min(multiplier.shift, 31) + Self.resultBits)
    varianceGuard = max(1, Int32(saturating: 10_000 * scale))
  }

  func apply(to sums: UnsafeMutablePointer<Int16>, count: Int, _ run: RunContext) {
    var sum: Int64 = 0
    var squares: Int64 = 0
    for index in 0..<count {
      let value = Int32(sums[index])
      sum &+= Int64(value)
      squares &+= Int64(value &* value)
    }
    let size = Int64(max(count, 1))
    let mean = Int32(truncatingIfNeeded: sum &* 1024 / size)
    let spread = squares &* ((1 << 20) / size) &- Int64(mean) &* Int64(mean)
    let variance = Int32(truncatingIfNeeded: spread / (1 << 20))
    let deviation = QuantizedMultiplier(reciprocalSquareRootOf: variance < 1 ? varianceGuard : variance)
    let coefficients = run.pointer(coefficients, as: Int16.self)
    let bias = run.pointer(bias, as: Int32.self)
    for index in 0..<count {
      let distance = deviation.apply(1024 &* Int32(sums[index]) &- mean)
      let weighted = Int64(distance &* Int32(coefficients[index]) &+ bias[index])
      let rounded = Int32(truncatingIfNeeded: (weighted > 0 ? weighted &+ 512 : weighted &- 512) / 1024)
      sums[index] = Int16(clamping: factor.apply(rounded))
    }
  }
}
