import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// The reference's fixed-point softmax of 8-bit values.
struct FixedPointSoftmax<Input: QuantizedValue, Result: QuantizedValue>: RowFunction {
  let exponentials: ExponentialTable

  func callAsFunction(_ input: UnsafePointer<Input>, _ output: UnsafeMutablePointer<Result>, count: Int) {
    let largest = input.largest(count)
    let (fraction, exponent) = FixedPoint.reciprocal(
      exponentials.sum(input, count: count, largest: largest), integerBits: 12)
    let shift = exponent + 31 - Result.bitWidth
    exponentials.values.withUnsafeBufferPointer { values in
      @inline(__always) func share(_ distance: Int) -> Result {
        let product = FixedPoint.saturatingRoundingDoublingHighMultiply(fraction, values[distance])
        return Result(clamping: FixedPoint.scale(product, byPowerOfTwo: 0 &- shift) &+ Int32(Result.min))
      }
      @inline(__always) func distance(_ index: Int) -> Int {
        Int(largest &- Int32(truncatingIfNeeded: input[index]))
      }
      guard count > Self.longestDirectRow else {
        for index in 0..<count { output[index] = share(distance(index)) }
        return
      }
      // A row has at most 256 different shares. Most rows have far fewer above zero.
      withUnsafeTemporaryAllocation(of: Result.self, capacity: 256) { shares in
        shares.initialize(repeating: .min)
        var index = 0
        while index < 256 {
          shares[index] = share(index)
          if shares[index] == .min, exponentials.isNonincreasing { break }
          index &+= 1
        }
        for index in 0..<count { output[index] = shares[distance(index)] }
      }
    }
  }

  /// The maximum length of rows whose shares are computed one by one.
  private static var longestDirectRow: Int { 64 }
}

/// The reference's softmax of int16 values, with lookup tables for the exponential and for the reciprocal of the sum.
struct Int16Softmax: RowFunction {
  /// The multiplier of differences. -65535 represents -10, where the exponential counts as 0.
  private let multiplier: QuantizedMultiplier
  private let exponential: InterpolationTable
  private let reciprocal: InterpolationTable

  init(inputScale: Float, beta: Float) {
    multiplier = QuantizedMultiplier(Double(inputScale * beta) / (10.0 / 65535))
    let unit = 2.0 / 65535
    exponential = InterpolationTable(
      inputScale: 10.0 / 65535, Int32(Int16.max), outputScale: unit, 0
    ) { (x: Double) in exp(x) }
    reciprocal = InterpolationTable(
      inputScale: 1.0 / 65535, Int32(Int16.min), outputScale: unit, 0
    ) { (x: Double) in 1 / (1 + x) }
  }

  func callAsFunction(_ input: UnsafePointer<Int16>, _ output: UnsafeMutablePointer<Int16>, count: Int) {
    let largest = input.largest(count)
    var sum: Int32 = 0
    for index in 0..<count {
      let difference = multiplier.apply(Int32(input[index]) &- largest)
      let value = exponential(Int16(clamping: difference &+ 32767))
      output[index] = value
      sum &+= Int32(value)
    }
    let headroom = Int32(UInt32(bitPattern: sum).leadingZeroBitCount)
    guard headroom > 0, headroom < 31 else {
      // The sum of the exponentials has overflowed, so the row has no meaningful result.
      output.update(repeating: 0, count: count)
      return
    }
    // The table contains 1/(1 + x) for x from 0 to 1.
    let normalized = (Int64(sum) << Int64(headroom &- 1) &+ (1 << 13)) >> 14
    let scale = Int64(reciprocal(Int16(clamping: normalized &- (1 << 15) &- (1 << 16))))
    let shift = Int64(31 &- headroom)
    let half: Int64 = 1 << (shift &- 1)
    for index in 0..<count {
      let share = (Int64(output[index]) &* scale &+ half) >> shift
      output[index] = Int16(truncatingIfNeeded: min(max(share, 0), 32767))
    }
  }
}

/// The values of exp(difference × scale) for all differences of 8-bit values from the largest one, computed like in the
/// reference.
struct ExponentialTable: Sendable {
  /// The multiplier that converts a difference to 5 integer bits.
  let multiplier: QuantizedMultiplier
  /// The smallest difference with a nonzero exponential.
  let smallestDifference: Int32
  /// The exponentials by distance from the largest quantized value, without integer bits.
  let values: [Int32]
  /// Whether no exponential is above that of a smaller distance.
  let isNonincreasing: Bool
  /// The exponentials with 12 integer bits.
  let terms: [Int32]

  private static let integerBits = 5

  /// Creates the table.
  ///
  /// - Throws: An error if the scale is too small for the reference's arithmetic.
  init(_ node: NodeView, scale: Float, beta: Float = 1) throws {
    let factor = min(Double(beta) * Double(scale) * Double(1 << (31 - Self.integerBits)), 2_147_483_647)
    guard factor > 1 else {
      throw node.invalid("takes an input whose scale × beta is above 2^-26, got \(scale) × \(beta)")
    }
    let multiplier = QuantizedMultiplier(factor)
    let radius =
      Double((1 << Self.integerBits) - 1) * Double(1 << (31 - Self.integerBits)) / Double(1 << multiplier.shift)
    let smallest = -Int32(min(radius.rounded(.down), 1e9))
    values = (0...255).map { distance in
      let difference = Int32(-distance)
      return difference >= smallest ? FixedPoint.exponential(ofNegative: multiplier.apply(difference)) : 0
    }
    // A lazy sequence would create its type at load.
    var isNonincreasing = true
    for distance in 1..<values.count where values[distance] > values[distance - 1] { isNonincreasing = false }
    self.isNonincreasing = isNonincreasing
    terms = values.map { FixedPoint.scale($0, byPowerOfTwo: -12) }
    smallestDifference = smallest
    self.multiplier = multiplier
  }

  /// Returns the sum of the exponentials of a row, with 12 integer bits.
  func sum<Quantized: QuantizedValue>(_ row: UnsafePointer<Quantized>, count: Int, largest: Int32) -> Int32 {
    terms.withUnsafeBufferPointer { terms in
      var sum: Int32 = 0
      for index in 0..<count { sum &+= terms[Int(largest &- Int32(truncatingIfNeeded: row[index]))] }
      return sum
    }
  }
}

extension UnsafePointer where Pointee: QuantizedValue {
  /// Returns the largest of the first `count` quantized values.
  func largest(_ count: Int) -> Int32 {
    var largest = Pointee.min
    for index in 0..<count { largest = self[index] > largest ? self[index] : largest }
    return Int32(truncatingIfNeeded: largest)
  }
}
