import SwiftletEngine
import SwiftletKernels

/// A sum of integer products: 32 bits wide for 8-bit tensors, 64 for 16-bit ones.
protocol ProductSum: FixedWidthInteger, SignedInteger, BitwiseCopyable, Sendable {
  func scaled(by multiplier: QuantizedMultiplier) -> Int32
}

extension Int32: ProductSum {
  @inline(__always) func scaled(by multiplier: QuantizedMultiplier) -> Int32 { multiplier.apply(self) }
}

extension Int64: ProductSum {
  @inline(__always) func scaled(by multiplier: QuantizedMultiplier) -> Int32 { multiplier.apply(self) }
}

/// How sums of integer products become quantized values of the output: a factor per column, rounded, then zero point
/// and clamp.
struct IntegerRescaling: Sendable {
  enum Factors: Sendable {
    /// The sums as they are.
    case none
    /// The reference's fixed-point factors, rounded twice; one per column or one for all.
    case fixedPoint([QuantizedMultiplier])
    /// Factors per column in double precision, rounded once, half away from zero.
    case real([Double])
  }

  let factors: Factors
  let range: OutputRange
  /// The fixed-point factors taken apart, as kernels read them.
  private let multipliers: [Int32]
  private let shifts: [Int32]

  /// What stands for `factors` where they are not exact anyway.
  private let roundedFactors: [Float]?

  /// - Parameter singlePrecision: The factors for kernels that compute in single precision; rounded from `factors` when
  ///   left out.
  init(factors: Factors, range: OutputRange, singlePrecision: [Float]? = nil) {
    self.factors = factors
    roundedFactors = singlePrecision
    self.range = range
    if case .fixedPoint(let fixed) = factors {
      multipliers = fixed.map(\.multiplier)
      shifts = fixed.map(\.shift)
    } else {
      multipliers = []
      shifts = []
    }
  }

  /// Whether there are factors and all are below 1, as they practically always are. Kernels that compute in single
  /// precision want that, so that 32-bit sums stay ones.
  var shrinks: Bool {
    let factors = singlePrecisionFactors
    return !factors.isEmpty && factors.allSatisfy { $0 < 1 }
  }

  /// The factors for kernels that compute in single precision.
  var singlePrecisionFactors: [Float] {
    if let roundedFactors { return roundedFactors }
    return switch factors {
    case .none: []
    case .fixedPoint(let fixed):
      fixed.map { Float(Double($0.multiplier) * Double(sign: .plus, exponent: Int($0.shift) - 31, significand: 1)) }
    case .real(let factors): factors.map { Float($0) }
    }
  }

  /// The same as `apply` without kernels, for sums of 32 bits.
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
  ///   - firstColumn: The column of `factors` that the first sum of a row belongs to.
  ///   - distance: Elements from one row of the output to the next.
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

extension Int32 {
  /// Creates a whole number in double precision, limited to a range in which a zero point can still be added; the
  /// lowest for NaN.
  @inline(__always)
  init(clampedTo32Bits value: Double) {
    let limit = 1_073_741_824.0
    self = value > -limit ? (value < limit ? Int32(value) : 1 << 30) : -(1 << 30)
  }
}
