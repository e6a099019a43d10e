import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Congruences")
struct CongruenceTests {
  @Test("return the multiples that leave a remainder")
  func findMultiples() {
    for factor in 1...9 {
      for modulus in 1...9 {
        let congruence = Congruence(factor: factor, modulus: modulus)
        for value in -20...20 {
          let solutions = (0..<20).filter { ($0 * factor - value) % modulus == 0 }
          #expect(congruence.first(for: value) == solutions.first)
          if solutions.count > 1 { #expect(solutions[1] - solutions[0] == congruence.period) }
        }
      }
    }
  }

  @Test("take no longer, and do not overflow, for large numbers")
  func takeLargeNumbers() throws {
    let (factor, modulus, value) = ((1 << 40) - 87, (1 << 40) + 15, -(1 << 60))
    let congruence = Congruence(factor: factor, modulus: modulus)
    let first = try #require(congruence.first(for: value))
    let remainder = modulus.dividingFullWidth(first.multipliedFullWidth(by: factor)).remainder
    #expect((remainder - value % modulus) % modulus == 0)
  }
}
