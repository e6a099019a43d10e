import SwiftletEngine

/// A counter-based random bit generator with a key, which generates four words per count.
///
/// - Source: Salmon and others, "Parallel random numbers: as easy as 1, 2, 3", 2011; Philox-4×32 of ten rounds.
struct Philox: BitwiseCopyable, Sendable {
  private(set) var counter: SIMD4<UInt32>
  private let key: SIMD2<UInt32>

  init(counter: SIMD4<UInt32>, key: SIMD2<UInt32>) {
    self.counter = counter
    self.key = key
  }

  /// Creates the generator for two seeds. The first seed is the key, and the second is the upper half of the counter.
  init(seed: UInt64, secondSeed: UInt64) {
    counter = [0, 0, UInt32(truncatingIfNeeded: secondSeed), UInt32(truncatingIfNeeded: secondSeed >> 32)]
    key = [UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32)]
  }

  /// Returns the words of the current count.
  func words() -> SIMD4<UInt32> {
    var state = counter
    var key = key
    for _ in 0..<10 {
      let first = UInt64(state[0]) &* 0xD251_1F53
      let second = UInt64(state[2]) &* 0xCD9E_8D57
      state = [
        UInt32(truncatingIfNeeded: second >> 32) ^ state[1] ^ key[0], UInt32(truncatingIfNeeded: second),
        UInt32(truncatingIfNeeded: first >> 32) ^ state[3] ^ key[1], UInt32(truncatingIfNeeded: first),
      ]
      key &+= [0x9E37_79B9, 0xBB67_AE85]
    }
    return state
  }

  /// Returns the words of the current count and advances the count.
  mutating func next() -> SIMD4<UInt32> {
    defer { skip(1) }
    return words()
  }

  /// Advances the 128-bit count by `count`.
  mutating func skip(_ count: UInt64) {
    let low = UInt64(counter[1]) << 32 | UInt64(counter[0])
    let high = UInt64(counter[3]) << 32 | UInt64(counter[2])
    let (sum, carries) = low.addingReportingOverflow(count)
    let upper = high &+ (carries ? 1 : 0)
    counter = [
      UInt32(truncatingIfNeeded: sum), UInt32(truncatingIfNeeded: sum >> 32), UInt32(truncatingIfNeeded: upper),
      UInt32(truncatingIfNeeded: upper >> 32),
    ]
  }
}

/// A counter-based random bit generator with a key, which generates two words per count.
///
/// - Source: the same as `Philox`; ThreeFry-2×32 with twenty rounds.
enum ThreeFry {
  static func words(counter: SIMD2<UInt32>, key: SIMD2<UInt32>) -> SIMD2<UInt32> {
    let keys = [key[0], key[1], key[0] ^ key[1] ^ 0x1BD1_1BDA]
    let rotations: [[UInt32]] = [[13, 15, 26, 6], [17, 29, 16, 24]]
    var state = counter &+ key
    for group in 0..<5 {
      for rotation in rotations[group % 2] {
        state[0] &+= state[1]
        state[1] = (state[1] &<< rotation | state[1] &>> (32 &- rotation)) ^ state[0]
      }
      state[0] &+= keys[(group + 1) % 3]
      state[1] &+= keys[(group + 2) % 3] &+ UInt32(group + 1)
    }
    return state
  }
}

/// A conversion of random bits to real numbers from 0 to below 1.
///
/// - Source: the bits are used as the fraction of a number from 1 to below 2.
enum RandomFloat {
  @inline(__always)
  static func float(_ word: UInt32) -> Float { Float(bitPattern: 0x3F80_0000 | word & 0x7F_FFFF) - 1 }

  @inline(__always)
  static func double(_ high: UInt32, _ low: UInt32) -> Double {
    Double(bitPattern: 0x3FF0_0000_0000_0000 | UInt64(high & 0xF_FFFF) << 32 | UInt64(low)) - 1
  }
}
