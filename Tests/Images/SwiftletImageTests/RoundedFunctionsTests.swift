import Testing

@testable import SwiftletImage

/// Checks arguments for which the single-precision functions of a widespread C library aren't correctly rounded.
@Suite("Correctly rounded functions")
struct RoundedFunctionsTests {
  @Test(
    "results are the nearest floats",
    arguments: [
      (RoundedFunctions.cosine, 0.115_549_5, 0x3F7E_4AFA), (RoundedFunctions.cosine, 0.170_650_9, 0x3F7C_480D),
      (RoundedFunctions.sine, 0.101_027_5, 0x3DCE_8D73), (RoundedFunctions.sine, 0.101_630_3, 0x3DCF_C7DE),
      (RoundedFunctions.exponential, 0.119_563_6, 0x3F90_41B3),
      (RoundedFunctions.exponential, 0.165_047_6, 0x3F96_F831),
    ] as [(@Sendable (Float) -> Float, Float, UInt32)])
  func nearest(function: @Sendable (Float) -> Float, argument: Float, expected: UInt32) {
    #expect(function(argument).bitPattern == expected)
  }

  @Test("the arc tangent is the nearest float in all quadrants")
  func arcTangent() {
    #expect(RoundedFunctions.arcTangent(y: -299.969, x: 100.017).bitPattern == 0xBF9F_DE0B)
    #expect(RoundedFunctions.arcTangent(y: -299.659, x: 100.187).bitPattern == 0xBF9F_C327)
    #expect(RoundedFunctions.arcTangent(y: 0, x: -1) == Float(Double.pi))
    #expect(RoundedFunctions.arcTangent(y: -0.0, x: -1) == -Float(Double.pi))
  }

  @Test("the sigmoid reaches its limits, and is one half at 0")
  func sigmoid() {
    #expect(RoundedFunctions.sigmoid(0) == 0.5)
    #expect(RoundedFunctions.sigmoid(.infinity) == 1 && RoundedFunctions.sigmoid(-.infinity) == 0)
    #expect(RoundedFunctions.sigmoid(.nan).isNaN)
  }
}
