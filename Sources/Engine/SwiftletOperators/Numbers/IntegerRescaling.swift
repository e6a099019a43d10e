import SwiftletEngine
import SwiftletKernels

/// The type of a sum of integer products: 32 bits for 8-bit tensors, 64 bits for 16-bit tensors.
protocol ProductSum: FixedWidthInteger, SignedInteger, BitwiseCopyable, Sendable {
  func scaled(by multiplier: QuantizedMultiplier) -> Int32
}

extension Int32: ProductSum {
  @inline(__always) func scaled(by multiplier: QuantizedMultiplier) -> Int32 { multiplier.apply(self) }
}

extension Int64: ProductSum {
  @inline(__always) func scaled(by multiplier: QuantizedMultiplier) -> Int32 { multiplier.apply(self) }
}

/// The conversion of sums of integer products to quantized values of the output: multiply by a factor per column,
/// round, add the zero point, and clamp.
struct IntegerRescaling: Sendable {
  enum Factors: Sendable {
    /// The sums are unchanged.
    case none
    /// The reference's fixed-point factors, rounded twice; one per column or one for all columns.
    case fixedPoint([QuantizedMultiplier])
    /// The factors per column in double precision, rounded once, half away from zero.
    case real([Double])
  }

  let factors: Factors
  let range: OutputRange
  /// The multipliers of the fixed-point factors in the form that kernels read.
  private let multipliers: [Int32]
  private let shifts: [Int32]

  /// The single-precision factors for computations that aren't exact.
  private let roundedFactors: [Float]?
  private let largestSum: Double

  /// Creates the rescaling.
  ///
  /// - Parameters:
  ///   - singlePrecision: The factors for single-precision kernels; by default, `factors` rounded.
  ///   - largestSum: The largest magnitude of a sum; infinite if it is unknown.
  init(factors: Factors, range: OutputRange, singlePrecision: [Float]? = nil, largestSum: Double = .infinity) {
    self.factors = factors
    roundedFactors = singlePrecision
    self.largestSum = largestSum
    self.range = range
    if case .fixedPoint(let fixed) = factors {
      multipliers = fixed.map(\.multiplier)
      shifts = fixed.map(\.shift)
    } else {
      multipliers = []
      shifts = []
    }
  }

  /// Whether single-precision kernels can rescale: there are factors, and scaled sums fit in 32 bits. They do if all
  /// factors are below 1, which is practically always true, and if even the largest sum stays small.
  var fitsSinglePrecision: Bool {
    let factors = singlePrecisionFactors
    return !factors.isEmpty && factors.allSatisfy { $0 < 1 || Double($0) * largestSum <= 0x1p30 }
  }

  /// The factors for single-precision kernels.
  var singlePrecisionFactors: [Float] {
    if let roundedFactors { return roundedFactors }
    return switch factors {
    case .none: []
    case .fixedPoint(let fixed):
      fixed.map { Float(Double($0.multiplier) * Double(sign: .plus, exponent: Int($0.shift) - 31, significand: 1)) }
    case .real(let factors): factors.map { Float($0) }
    }
  }

  /// The rescaling of 32-bit sums with the results of 64-bit ones, or `nil` for factors above 1 or below 2⁻¹⁷. Both
  /// round once, half up: with 15 bits of the factor, and no shift after the multiplication.
  var narrowed: IntegerRescaling? {
    guard case .fixedPoint(let factors) = factors else { return nil }
    var narrowed: [QuantizedMultiplier] = []
    for factor in factors {
      guard factor.multiplier >= 0, (-16...0).contains(factor.shift) else { return nil }
      let fraction = factor.multiplier < 0x7FFF_0000 ? (factor.multiplier + (1 << 15)) >> 16 : 0x7FFF
      narrowed.append(QuantizedMultiplier(multiplier: fraction << (16 + factor.shift), shift: 0))
    }
    return IntegerRescaling(factors: .fixedPoint(narrowed), range: range)
  }

  /// Rescales 32-bit sums like `apply`, without kernels.
  func apply<Quantized: QuantizedValue>(
    _ sums: UnsafePointer<Int32>, rows: Int, columns: Int, firstColumn: Int, output: UnsafeMutablePointer<Quantized>,
    distance: Int, kernels: QuantizationKernels
  ) {
    guard Quantized.bitWidth <= 16, !multipliers.isEmpty else {
      return apply(sums, rows: rows, columns: columns, firstColumn: firstColumn, output: output, distance: distance)
    }
    let step = multipliers.count == 1 ? 0 : 1
    multipliers.withUnsafeBufferPointer { multipliers in
      shifts.withUnsafeBufferPointer { shifts in
        guard let multipliers = multipliers.baseAddress, let shifts = shifts.baseAddress else { return }
        let first = firstColumn &* step
        if Quantized.bitWidth == 8 {
          kernels.requantize(
            rows: rows, columns: columns, input: sums, inputStride: columns, multipliers: multipliers + first,
            shifts: shifts + first, parameterStride: step, zeroPoint: range.zeroPoint, lower: range.lower,
            upper: range.upper, toBytes: UnsafeMutableRawPointer(output), outputStride: distance)
        } else {
          kernels.requantize(
            rows: rows, columns: columns, input: sums, inputStride: columns, multipliers: multipliers + first,
            shifts: shifts + first, parameterStride: step, zeroPoint: range.zeroPoint, lower: range.lower,
            upper: range.upper, toInt16: UnsafeMutableRawPointer(output).assumingMemoryBound(to: Int16.self),
            outputStride: distance)
        }
      }
    }
  }

  /// Rescales `rows × columns` sums.
  ///
  /// - Parameters:
  ///   - firstColumn: The column in `factors` of the first sum in a row.
  ///   - distance: The number of elements between two output rows.
  func apply<Sum: ProductSum, Quantized: QuantizedValue>(
    _ sums: UnsafePointer<Sum>, rows: Int, columns: Int, firstColumn: Int, output: UnsafeMutablePointer<Quantized>,
    distance: Int
  ) {
    switch factors {
    case .none:
      for row in 0..<rows {
        let from = sums + row &* columns, to = output + row &* distance
        for column in 0..<columns { to[column] = range.quantized(Int32(truncatingIfNeeded: from[column])) }
      }
    case .fixedPoint(let multipliers):
      let step = multipliers.count == 1 ? 0 : 1
      multipliers.withUnsafeBufferPointer { multipliers in
        for row in 0..<rows {
          let from = sums + row &* columns, to = output + row &* distance
          for column in 0..<columns {
            to[column] = range.quantized(from[column].scaled(by: multipliers[(firstColumn &+ column) &* step]))
          }
        }
      }
    case .real(let factors):
      factors.withUnsafeBufferPointer { factors in
        for row in 0..<rows {
          let from = sums + row &* columns, to = output + row &* distance
          for column in 0..<columns {
            let value = (Double(from[column]) * factors[firstColumn &+ column]).rounded(.toNearestOrAwayFromZero)
            to[column] = range.quantized(Int32(clampedTo32Bits: value))
          }
        }
      }
    }
  }
}

extension PrepareContext {
  /// Returns the largest magnitude of a sum of products of 8-bit values and the bias; infinite if the bias is computed
  /// in the run.
  ///
  /// - Parameters:
  ///   - weights: The index of the input with the weights of all columns.
  ///   - bias: The index of the input with an int32 bias, which the node may lack.
  func largestSum(weights: Int, columns: Int, bias: Int?) throws -> Double {
    let products = try node.input(weights).shape.elementCount / max(1, columns)
    var largestBias: UInt32 = 0
    if let bias, node.hasInput(bias) {
      guard let values = node.constant(bias)?.bindMemory(to: Int32.self) else { return .infinity }
      for value in values { largestBias = max(largestBias, value.magnitude) }
    }
    return Double(products) * 255 * 255 + Double(largestBias)
  }
}

extension Int32 {
  /// Creates an integer from a double-precision number, limited to a range in which a zero point can be added; the
  /// lowest one for NaN.
  @inline(__always)
  init(clampedTo32Bits value: Double) {
    let limit = 1_073_741_824.0
    self = value > -limit ? (value < limit ? Int32(value) : 1 << 30) : -(1 << 30)
  }
}
