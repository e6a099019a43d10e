import SwiftletBase
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Int8 sign flips before products")
struct SignFlipTests {
  @Test("are flipped in every byte and not past the end", arguments: [0, 1, 7, 8, 9, 63, 64, 65, 137])
  func flipAll(count: Int) {
    let source = AlignedBytes(zeroed: 160), target = AlignedBytes(zeroed: 160)
    for index in 0..<160 {
      source.start.storeBytes(of: UInt8(truncatingIfNeeded: index &* 37), toByteOffset: index, as: UInt8.self)
    }
    SignFlip.copy(count, from: UnsafeRawPointer(source.start), to: target.start)
    for index in 0..<160 {
      let expected = index < count ? UInt8(truncatingIfNeeded: index &* 37) ^ 0x80 : 0
      #expect(target.start.load(fromByteOffset: index, as: UInt8.self) == expected)
    }
  }

  /// Layers with many output channels, whose rows are flipped once, and layers with windows, whose padded copy is
  /// flipped. The factor is a power of two, so that both numerics round the same sums in the same way except for ties.
  @Test(
    "give the sums of the reference",
    arguments: [(64, 10, 1), (64, 16, 1), (97, 5, 1), (8, 16, 3), (70, 3, 3), (33, 64, 1)], [1, 2])
  func giveSums(_ layer: (filters: Int, channels: Int, window: Int), threads: Int) throws {
    let (filters, channels, window) = layer
    func run(_ numerics: Numerics) throws -> [Int8] {
      var graph = TestGraph()
      let data = graph.input(.int8, [1, 7, 5, channels], scale: 0.5, zeroPoint: -7)
      let count = filters * window * window * channels
      let filter = graph.constant(
        (0..<count).map { Int8(truncatingIfNeeded: $0 &* 53 % 17 - 8) }, shape: [filters, window, window, channels])
      graph.quantize(filter, QuantizationParameters(scales: [0.25], zeroPoints: [0]))
      let bias = graph.constant((0..<filters).map { Int32($0 * 11 - 300) })
      let result = graph.output(.int8, [], scale: 4, zeroPoint: 5)
      graph.add(
        .conv2D, [data, filter, bias], [result],
        options: Conv2DOptions.with { [$0.strideWidth(1), $0.strideHeight(1)] }, version: 3)
      let codes = (0..<35 * channels).map { Int8(truncatingIfNeeded: $0 &* 91 &+ 13) }
      let options = RuntimeOptions(threads: threads, numerics: numerics)
      return try graph.session(options: options).run([try Tensor(codes, shape: [1, 7, 5, channels])])[0].values()
    }
    let fast = try run(.fast), exact = try run(.bitExact)
    #expect(Set(exact).count > 16)
    for (fast, exact) in zip(fast, exact) { #expect(abs(Int(fast) - Int(exact)) <= 1) }
    #expect(zip(fast, exact).count { $0 != $1 } * 20 <= exact.count)
  }
}
