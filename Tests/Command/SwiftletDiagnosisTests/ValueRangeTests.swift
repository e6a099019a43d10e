import SwiftletEngine
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletDiagnosis

@Suite("Ranges of values")
struct ValueRangeTests {
  private static func range(_ type: ElementType, _ values: [Int16], channels: Int) throws -> ValueRange {
    let quantization = QuantizationDescription(scales: [0.5], zeroPoints: [-3], axis: 0)
    let tensor = TensorDescription(
      name: "values", type: type, shape: [values.count], quantization: type == .float32 ? nil : quantization)
    let format = try #require(NumberFormat(tensor))
    var range = ValueRange(format, channels: channels)
    let reals = values.map { type == .float32 ? Float($0) : 0.5 * Float($0 + 3) }
    reals.withUnsafeBufferPointer { reals in
      switch type {
      case .int8: values.map { Int8($0) }.withUnsafeBytes { range.add(reals, stored: $0) }
      case .int16: values.withUnsafeBytes { range.add(reals, stored: $0) }
      default: range.add(reals, stored: UnsafeRawBufferPointer(reals))
      }
    }
    return range
  }

  @Test("of several workers merge to the range of all values", arguments: [ElementType.float32, .int8, .int16])
  func merged(_ type: ElementType) throws {
    var numbers = SplitMix64(state: 3)
    for _ in 0..<40 {
      let parts = (0..<3).map { _ in
        (0..<(4 * Int.random(in: 1...3, using: &numbers))).map { _ in Int16.random(in: -128...127, using: &numbers) }
      }
      let all = try Self.range(type, parts.flatMap(\.self), channels: 4)
      let ranges = try parts.map { [7: try Self.range(type, $0, channels: 4)] }
      let found = try #require(ValueRange.merged(ranges)[7])
      #expect(found.minimum == all.minimum && found.maximum == all.maximum)
      #expect(found.channelMinimum == all.channelMinimum && found.channelMaximum == all.channelMaximum)
      #expect(found.elementCount == all.elementCount && found.codeCounts == all.codeCounts)
      #expect(found.lowestCount == all.lowestCount && found.highestCount == all.highestCount)
      #expect(
        found.histogram(from: -130, to: 130, steps: 20) == all.histogram(from: -130, to: 130, steps: 20))
    }
  }

  @Test("a channel is constant only if it is constant over all inputs")
  func constantChannels() throws {
    let first = try Self.range(.float32, [1, 2, 3, 4], channels: 4)
    #expect(first.constantChannelCount == 4)
    for (values, count) in [([1, 2, 3, 4], 4), ([1, 2, 3, 0], 3), ([0, 3, 3, 4], 2), ([0, 0, 9, 9], 0)]
      as [([Int16], Int)]
    {
      let second = try Self.range(.float32, values, channels: 4)
      for pair in [[first, second], [second, first]] {
        #expect(ValueRange.merged(pair.map { [0: $0] })[0]?.constantChannelCount == count)
      }
    }
  }
}
