import SwiftletEngine

/// Which multiples of a factor leave a given remainder when they are divided by a modulus: one in so many, from a
/// first one on.
///
/// Windows meet strides and spacings so. Finding the places by this instead of trying them one by one takes no time
/// that grows with them.
struct Congruence: Sendable, Hashable {
  /// From one solution to the next.
  let period: Int
  private let divisor: Int
  /// What the factor, without the common divisor, is to be multiplied with to leave 1.
  private let inverse: Int

  /// - Parameters: both positive.
  init(factor: Int, modulus: Int) {
    var (larger, smaller) = (factor, modulus)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    divisor = larger
    period = modulus / larger
    inverse = Self.inverse(of: factor / larger % period, modulo: period)
  }

  /// The least number from 0 on whose product with the factor leaves the same remainder as `value`; `nil` when none
  /// does.
  func first(for value: Int) -> Int? {
    guard period > 1 || divisor > 1 else { return 0 }
    guard value % divisor == 0 else { return nil }
    let rest = value / divisor % period
    return period.dividingFullWidth((rest < 0 ? rest + period : rest).multipliedFullWidth(by: inverse)).remainder
  }

  /// By Euclid's algorithm; `number` and `modulus` share no divisor.
  private static func inverse(of number: Int, modulo modulus: Int) -> Int {
    var (larger, smaller, last, factor) = (modulus, number, 0, 1)
    while smaller > 1 {
      // Factors stay below the modulus.
      (last, factor) = (factor, last - larger / smaller * factor)
      (larger, smaller) = (smaller, larger % smaller)
    }
    return (factor % modulus + modulus) % modulus
  }
}
