import Testing

@testable import SwiftletKernels

@Suite("Resize kernels")
struct ResizeKernelsTests {
  private static let counts = [0, 1, 7, 8, 15, 16, 17, 33, 64]

  @Test("mix two rows of floats with XNNPACK's roundings", arguments: variants(counts))
  func mixesFloatRows(table: KernelTable, count: Int) {
    var random = SplitMix(seed: UInt64(count))
    let (first, second) = (GuardedBuffer(random.floats(count)), GuardedBuffer(random.floats(count)))
    let output = GuardedBuffer<Float>(count: count, repeating: .nan)
    table.resize.mixRows(first.pointer, second.pointer, 0.7, count: count, into: output.pointer)
    let expected = zip(first.values, second.values).map { mixed($0, $1, 0.7, by: table) }
    #expect(output.values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  /// Returns the result of XNNPACK's arithmetic, bit for bit: fused on arm64 only.
  private func mixed(_ first: Float, _ second: Float, _ share: Float, by table: KernelTable) -> Float {
    #if arch(arm64)
      if table.name != "portable" { return first.addingProduct(second - first, share) }
    #endif
    return first + (second - first) * share
  }

  @Test("mix two rows of bytes exactly, including the bytes past their pixels", arguments: variants(counts))
  func mixesByteRows(table: KernelTable, count: Int) {
    var random = SplitMix(seed: UInt64(count))
    let first = GuardedBuffer<Int8>(random.integers(count, in: -128...127))
    let second = GuardedBuffer<Int8>(random.integers(count, in: -128...127))
    for weight in [Int32(0), 1, 1000, 1024, -512, 1536] {
      let output = GuardedBuffer<Int32>(count: count, repeating: 1)
      table.resize.mixRows(first.pointer, second.pointer, 1024 - weight, weight, count: count, into: output.pointer)
      let expected: [Int32] = zip(first.values, second.values).map { (first: Int8, second: Int8) in
        Int32(first) * (1024 - weight) + Int32(second) * weight
      }
      #expect(output.values == expected)
    }
  }

  @Test("scale a row of bytes", arguments: variants(counts))
  func scalesRows(table: KernelTable, count: Int) {
    var random = SplitMix(seed: UInt64(count))
    let row = GuardedBuffer<UInt8>(random.integers(count, in: 0...255))
    let output = GuardedBuffer<Float>(count: count, repeating: .nan)
    table.resize.scaleRow(row.pointer, by: 0.37, count: count, into: output.pointer)
    #expect(output.values == row.values.map { Float($0) * 0.37 })
  }

  /// Returns the pixels of a row of eleven, with repetitions and in any order.
  private func taps<Weight>(_ channels: Int, weights: [Weight], one: (Weight) -> Weight) -> [ColumnTap<Weight>] {
    [0, 10, 3, 3, 7, 1].enumerated().map { index, pixel in
      let weight = weights[index % weights.count]
      return ColumnTap(
        lower: Int32(pixel * channels), upper: Int32(min(pixel + 1, 10) * channels), lowerWeight: one(weight),
        upperWeight: weight)
    }
  }

  private static let channelCounts = [1, 2, 3, 4, 8, 15, 16, 17, 40]
  /// The number of elements in the bytes that may be read after a row.
  private static let slack = ResizeKernels.slackBytes / 4

  @Test("mix pixels of floats with XNNPACK's roundings", arguments: variants(channelCounts))
  func mixesFloatColumns(table: KernelTable, channels: Int) {
    var random = SplitMix(seed: UInt64(channels))
    let row = GuardedBuffer(random.floats(11 * channels + Self.slack))
    let taps = taps(channels, weights: [Float(0), 0.25, 0.9]) { 1 - $0 }
    let output = GuardedBuffer<Float>(count: taps.count * channels, repeating: .nan)
    taps.withUnsafeBufferPointer {
      table.resize.mixColumns(row.pointer, taps: $0, channels: channels, into: output.pointer)
    }
    let expected = taps.flatMap { tap in
      (0..<channels).map {
        mixed(row.pointer[Int(tap.lower) + $0], row.pointer[Int(tap.upper) + $0], tap.upperWeight, by: table)
      }
    }
    #expect(output.values.map(\.bitPattern) == expected.map(\.bitPattern))
  }

  @Test(
    "mix pixels of bytes and round half away from zero like the reference, or half up like XNNPACK",
    arguments: variants(channelCounts))
  func mixesByteColumns(table: KernelTable, channels: Int) {
    for mixing in [ByteMixing.reference, .fast] {
      var random = SplitMix(seed: UInt64(channels))
      let one = mixing.one
      // Halves on either side of zero are among them.
      let sums = random.integers(11 * channels + Self.slack, in: Int32(-255)...254).map { $0 * one / 2 }
      let row = GuardedBuffer(sums)
      let taps = taps(channels, weights: [Int32(0), one / 2, one, -200, 700]) { one - $0 }
      let output = GuardedBuffer<Int8>(count: taps.count * channels, repeating: 99)
      taps.withUnsafeBufferPointer {
        table.resize.mixColumns(row.pointer, taps: $0, channels: channels, mixing, into: output.pointer)
      }
      let expected = taps.flatMap { tap in
        (0..<channels).map { channel -> Int8 in
          let sum = sums[Int(tap.lower) + channel] * tap.lowerWeight + sums[Int(tap.upper) + channel] * tap.upperWeight
          let exact = Double(sum) / Double(one * one)
          return Int8(
            truncatingIfNeeded: Int(
              mixing == .fast ? (exact + 0.5).rounded(.down) : exact.rounded(.toNearestOrAwayFromZero)))
        }
      }
      #expect(output.values == expected)
    }
  }

  @Test("mix pixels of unsigned bytes in the reference's order of additions", arguments: variants(channelCounts))
  func mixesUnsignedColumns(table: KernelTable, channels: Int) {
    var random = SplitMix(seed: UInt64(channels))
    let first = GuardedBuffer(random.integers(11 * channels + Self.slack, in: Int32(0)...255).map { Float($0) * 0.3 })
    let second = GuardedBuffer(random.integers(11 * channels + Self.slack, in: Int32(0)...255).map { Float($0) * 0.7 })
    let taps = taps(channels, weights: [0, 0.5, 1, 0.0625, Float(1) / 3]) { 1 - $0 }
    let output = GuardedBuffer<UInt8>(count: taps.count * channels, repeating: 99)
    taps.withUnsafeBufferPointer {
      table.resize.mixColumns(first.pointer, second.pointer, taps: $0, channels: channels, into: output.pointer)
    }
    let expected = taps.flatMap { tap in
      (0..<channels).map { channel -> UInt8 in
        let (lower, upper) = (Int(tap.lower) + channel, Int(tap.upper) + channel)
        var sum = first.pointer[lower] * tap.lowerWeight
        sum += second.pointer[lower] * tap.lowerWeight
        sum += first.pointer[upper] * tap.upperWeight
        sum += second.pointer[upper] * tap.upperWeight
        return UInt8(min(max(sum + 0.5, 0), 255))
      }
    }
    #expect(output.values == expected)
  }
}
