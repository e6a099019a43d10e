import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("FAKE_QUANT")
struct FakeQuantizeTests {
  private func quantize(
    _ values: [Float], from lower: Float, to upper: Float, bits: Int32, isNarrow: Bool = false
  ) throws -> [Float] {
    try SingleNode(
      .fakeQuant, [try .input(values)], gives: [.float32],
      options: FakeQuantOptions.with {
        [$0.minimum(lower), $0.maximum(upper), $0.bitCount(bits), $0.narrowRange(isNarrow)]
      })().values()
  }

  @Test("rounds to the steps of its range")
  func rounds() throws {
    #expect(try quantize([-2, 0.4, 0.6, 9], from: -1, to: 2, bits: 2) == [-1, 0, 1, 2])
    #expect(try quantize([.nan], from: -1, to: 2, bits: 2)[0].isNaN)
  }

  @Test("a narrow range has one step less")
  func narrow() throws {
    #expect(try quantize([-3, 0.4, 0.6], from: -1, to: 1, bits: 2, isNarrow: true) == [-1, 0, 1])
  }

  @Test(
    "rejects invalid ranges and widths",
    arguments: [(1, 1, 8), (2, 1, 8), (-1, 1, 1), (-1, 1, 17), (-.infinity, 1, 8)] as [(Float, Float, Int32)])
  func refuses(lower: Float, upper: Float, bits: Int32) {
    #expect(throws: RuntimeError.self) { try quantize([0], from: lower, to: upper, bits: bits) }
  }
}
