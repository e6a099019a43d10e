import SwiftletEngine

/// A 64-bit hash of a byte sequence, the same on every machine.
///
/// The bytes are read as little-endian words, and mixed by rotations and multiplications by odd constants. The method
/// depends on the length. Short sequences use the first and last words, which may overlap. Long sequences mix blocks of
/// 64 bytes into a state of seven words.
///
/// - Source: the 64-bit fingerprint of FarmHash, which descends from CityHash (Pike and Alakuijala).
struct Fingerprint {
  private let bytes: UnsafeRawBufferPointer
  private let count: UInt64

  private static let first: UInt64 = 0xc3a5_c85c_97cb_3127
  private static let second: UInt64 = 0xb492_b66f_be98_f273
  private static let third: UInt64 = 0x9ae1_6a3b_2f90_404f

  private init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
    count = UInt64(bytes.count)
  }

  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let fingerprint = Fingerprint(bytes)
    return switch bytes.count {
    case 0: third
    case 1...3: fingerprint.ofFewBytes
    case 4...7: fingerprint.ofHalfWords
    case 8...16: fingerprint.ofTwoWords
    case 17...32: fingerprint.ofFourWords
    case 33...64: fingerprint.ofEightWords
    default: fingerprint.ofBlocks
    }
  }

  // MARK: Mixing

  /// Returns the word that starts at a byte.
  private func word(_ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  /// Returns the word that starts at a distance from the end in bytes.
  private func word(fromEnd distance: Int) -> UInt64 { word(bytes.count - distance) }

  private static func rotated(_ word: UInt64, by bits: UInt64) -> UInt64 { word &>> bits | word &<< (64 &- bits) }

  private static func folded(_ word: UInt64) -> UInt64 { word ^ word &>> 47 }

  private static func joined(_ left: UInt64, _ right: UInt64, by factor: UInt64) -> UInt64 {
    let inner = folded((left ^ right) &* factor)
    return folded((right ^ inner) &* factor) &* factor
  }

  /// The factor of sequences of up to 64 bytes.
  private var factor: UInt64 { Self.third &+ 2 &* count }

  // MARK: By length

  private var ofFewBytes: UInt64 {
    let low = UInt64(bytes[0]) | UInt64(bytes[bytes.count / 2]) &<< 8
    let high = count &+ UInt64(bytes[bytes.count - 1]) &<< 2
    return Self.folded(low &* Self.third ^ high &* Self.first) &* Self.third
  }

  private var ofHalfWords: UInt64 {
    func half(_ position: Int) -> UInt64 {
      UInt64(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
    }
    return Self.joined(count &+ half(0) &<< 3, half(bytes.count - 4), by: factor)
  }

  private var ofTwoWords: UInt64 {
    let head = word(0) &+ Self.third, tail = word(fromEnd: 8)
    return Self.joined(
      Self.rotated(tail, by: 37) &* factor &+ head, (Self.rotated(head, by: 25) &+ tail) &* factor, by: factor)
  }

  private var ofFourWords: UInt64 {
    let (left, right) = outerWords(firstFactor: Self.second)
    return Self.joined(left, right, by: factor)
  }

  private var ofEightWords: UInt64 {
    let (left, right) = outerWords(firstFactor: Self.third)
    let mixed = Self.joined(left, right, by: factor)
    let head = word(16) &* factor, next = word(24)
    let tail = (left &+ word(fromEnd: 32)) &* factor, last = (mixed &+ word(fromEnd: 24)) &* factor
    return Self.joined(
      Self.rotated(head &+ next, by: 43) &+ Self.rotated(tail, by: 30) &+ last,
      head &+ Self.rotated(next &+ word(0) &* Self.third, by: 18) &+ tail, by: factor)
  }

  /// Returns the first two and the last two words, combined to two words.
  private func outerWords(firstFactor: UInt64) -> (UInt64, UInt64) {
    let head = word(0) &* firstFactor, next = word(8)
    let last = word(fromEnd: 8) &* factor, before = word(fromEnd: 16) &* Self.third
    return (
      Self.rotated(head &+ next, by: 43) &+ Self.rotated(last, by: 30) &+ before,
      head &+ Self.rotated(next &+ Self.third, by: 18) &+ last
    )
  }

  /// The state that blocks are mixed into.
  private struct State {
    var x: UInt64
    var y: UInt64
    var z: UInt64
    var lower: (UInt64, UInt64) = (0, 0)
    var upper: (UInt64, UInt64) = (0, 0)
  }

  private var ofBlocks: UInt64 {
    let seed: UInt64 = 81
    let y = seed &* Self.second &+ 113
    var state = State(
      x: seed &* Self.third &+ word(0), y: y, z: Self.folded(y &* Self.third &+ 113) &* Self.third)
    // The remaining bytes are mixed as a block at the end, which may overlap the previous one.
    let blocks = (bytes.count - 1) / 64
    for block in 0..<blocks { mix(64 * block, into: &state, by: Self.second, tailFactor: 1) }
    let factor = Self.second &+ (state.z & 0xff) &<< 1
    state.upper.0 &+= (count &- 1) & 63
    state.lower.0 &+= state.upper.0
    state.upper.0 &+= state.lower.0
    mix(bytes.count - 64, into: &state, by: factor, tailFactor: 9)
    return Self.joined(
      Self.joined(state.lower.0, state.upper.0, by: factor) &+ Self.folded(state.y) &* Self.first &+ state.z,
      Self.joined(state.lower.1, state.upper.1, by: factor) &+ state.x, by: factor)
  }

  private func mix(_ start: Int, into state: inout State, by factor: UInt64, tailFactor: UInt64) {
    let x =
      Self.rotated(state.x &+ state.y &+ state.lower.0 &+ word(start + 8), by: 37) &* factor ^ state.upper.1
      &* tailFactor
    state.y =
      Self.rotated(state.y &+ state.lower.1 &+ word(start + 48), by: 42) &* factor &+ state.lower.0 &* tailFactor
      &+ word(start + 40)
    let z = Self.rotated(state.z &+ state.upper.0, by: 33) &* factor
    state.lower = pair(start, state.lower.1 &* factor, x &+ state.upper.0)
    state.upper = pair(start + 32, z &+ state.upper.1, state.y &+ word(start + 16))
    (state.x, state.z) = (z, x)
  }

  /// Returns four words and two additional words, combined to two words.
  private func pair(_ start: Int, _ left: UInt64, _ right: UInt64) -> (UInt64, UInt64) {
    let sum = left &+ word(start), last = word(start + 24)
    let middle = sum &+ word(start + 8) &+ word(start + 16)
    return (middle &+ last, Self.rotated(right &+ sum &+ last, by: 21) &+ Self.rotated(middle, by: 44) &+ sum)
  }
}
