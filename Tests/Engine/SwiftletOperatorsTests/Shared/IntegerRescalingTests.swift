import Testing

@testable import SwiftletOperators

@Suite("Integer rescaling")
struct IntegerRescalingTests {
  private func rescaling(_ factors: [Double], largestSum: Double) -> IntegerRescaling {
    IntegerRescaling(
      factors: .real(factors), range: OutputRange(zeroPoint: 0, -128...127), largestSum: largestSum)
  }

  @Test("fits single precision while factors are below 1, whatever the sums")
  func smallFactors() {
    #expect(rescaling([0.5, 0.999], largestSum: .infinity).fitsSinglePrecision)
    #expect(!rescaling([0.5, 1], largestSum: .infinity).fitsSinglePrecision)
    #expect(!rescaling([], largestSum: 0).fitsSinglePrecision)
    #expect(!IntegerRescaling(factors: .none, range: OutputRange(zeroPoint: 0, 0...1)).fitsSinglePrecision)
  }

  @Test("fits single precision with larger factors up to scaled sums of 2³⁰")
  func largeFactors() {
    #expect(rescaling([0.5, 4], largestSum: 0x1p28).fitsSinglePrecision)
    #expect(!rescaling([0.5, 4], largestSum: 0x1p28 + 1).fitsSinglePrecision)
    #expect(!rescaling([.infinity], largestSum: 1).fitsSinglePrecision)
    #expect(!rescaling([.nan], largestSum: 1).fitsSinglePrecision)
  }
}
