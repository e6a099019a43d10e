/// An incremental SHA-256 hash (FIPS 180-4, section 6.2).
package struct SHA256: Sendable {
  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// The message schedule, reused for each block.
  private var schedule = [UInt32](repeating: 0, count: 64)
  /// The bytes of an incomplete block.
  private var pending: [UInt8] = []
  private var byteCount: UInt64 = 0

  package init() {}

  /// Returns the digest of `bytes`, as 64 lowercase hexadecimal digits.
  package static func hex(of bytes: some Sequence<UInt8>) -> String {
    var hash = SHA256()
    hash.update(Array(bytes))
    return hash.hexDigest()
  }

  /// Appends the next part of the message.
  package mutating func update(_ bytes: [UInt8]) {
    byteCount &+= UInt64(bytes.count)
    guard pending.count + bytes.count >= 64 else {
      pending += bytes
      return
    }
    var start = 0
    if !pending.isEmpty {
      start = 64 - pending.count
      pending += bytes[..<start]
      compress(pending, from: 0, blocks: 1)
    }
    let blocks = (bytes.count - start) / 64
    compress(bytes, from: start, blocks: blocks)
    pending = Array(bytes[(start + blocks * 64)...])
  }

  /// Ends the message, and returns the digest as 64 lowercase hexadecimal digits.
  package consuming func hexDigest() -> String {
    // The padding: a single bit, zeros up to 8 bytes before the end of a block, and the length in bits.
    let length = byteCount &* 8
    let zeros = (55 &- Int(truncatingIfNeeded: byteCount)) & 63
    update(
      [0x80] + [UInt8](repeating: 0, count: zeros) + (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * $0)) })
    return state.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private mutating func compress(_ bytes: [UInt8], from start: Int, blocks: Int) {
    precondition(start >= 0 && blocks >= 0 && start + blocks * 64 <= bytes.count)
    // Read without bounds checks, because the precondition covers all indices: this loop is the whole cost of
    // verification.
    bytes.withUnsafeBufferPointer { bytes in
      schedule.withUnsafeMutableBufferPointer { words in
        state.withUnsafeMutableBufferPointer { state in
          Self.constants.withUnsafeBufferPointer { constants in
            for block in 0..<blocks {
              Self.compress(bytes, at: start + block * 64, words, state, constants)
            }
          }
        }
      }
    }
  }

  private static func compress(
    _ bytes: UnsafeBufferPointer<UInt8>, at offset: Int, _ words: UnsafeMutableBufferPointer<UInt32>,
    _ state: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>
  ) {
    var index = 0
    while index < 16 {
      let at = offset &+ index &* 4
      words[index] =
        UInt32(bytes[at]) << 24 | UInt32(bytes[at &+ 1]) << 16 | UInt32(bytes[at &+ 2]) << 8 | UInt32(bytes[at &+ 3])
      index &+= 1
    }
    while index < 64 {
      let early = words[index &- 15], late = words[index &- 2]
      let first = (early >> 7 | early << 25) ^ (early >> 18 | early << 14) ^ (early >> 3)
      let second = (late >> 17 | late << 15) ^ (late >> 19 | late << 13) ^ (late >> 10)
      words[index] = words[index &- 16] &+ first &+ words[index &- 7] &+ second
      index &+= 1
    }
    var a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7]
    index = 0
    while index < 64 {
      let sumE = (e >> 6 | e << 26) ^ (e >> 11 | e << 21) ^ (e >> 25 | e << 7)
      let first = h &+ sumE &+ ((e & f) ^ (~e & g)) &+ constants[index] &+ words[index]
      let sumA = (a >> 2 | a << 30) ^ (a >> 13 | a << 19) ^ (a >> 22 | a << 10)
      let second = sumA &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
      index &+= 1
    }
    state[0] &+= a; state[1] &+= b; state[2] &+= c; state[3] &+= d
    state[4] &+= e; state[5] &+= f; state[6] &+= g; state[7] &+= h
  }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
  ]
}
