import SwiftletEngine
import SwiftletKernels

/// exp(difference × scale) for all differences of 8-bit values from the largest one, as the reference computes it.
struct ExponentialTable: Sendable {
  /// Scales a difference to 5 integer bits.
  let multiplier: QuantizedMultiplier
  /// Smaller differences count as 0.
  let smallestDifference: Int32
  /// By distance from the largest quantised value, without integer bits.
  let values: [Int32]
  /// The same with 12 integer bits.
  let terms: [Int32]

  private static let integerBits = 5

  /// - Throws: when the scale is too small for the reference's arithmetic.
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
    terms = values.map { FixedPoint.scale($0, byPowerOfTwo: -12) }
    smallestDifference = smallest
    self.multiplier = multiplier
  }

  /// The sum over a row, with 12 integer bits.
  func sum<Quantized: QuantizedValue>(_ row: UnsafePointer<Quantized>, count: Int, largest: Int32) -> Int32 {
    terms.withUnsafeBufferPointer { terms in
      var sum: Int32 = 0
      for index in 0..<count { sum &+= terms[Int(largest &- Int32(truncatingIfNeeded: row[index]))] }
      return sum
    }
  }
}

extension UnsafePointer where Pointee: QuantizedValue {
  /// The largest of the first `count` quantised values.
  func largest(_ count: Int) -> Int32 {
    var largest = Pointee.min
    for index in 0..<count { largest = self[index] > largest ? self[index] : largest }
    return Int32(truncatingIfNeeded: largest)
  }
}
