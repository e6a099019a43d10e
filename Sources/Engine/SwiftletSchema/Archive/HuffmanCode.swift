/// A prefix code of the deflate format, decoded by table for short codes and by canonical order for long ones.
///
/// Building it costs a fixed small amount, whatever the code lengths say, so that many tiny blocks stay cheap.
struct HuffmanCode {
  static let longestCode = 15
  private static let tableBits = 9

  /// `symbol << 4 | length` by the next `tableBits` bits; 0 where the code is longer or does not exist.
  private var table: [UInt16]
  /// How many codes there are of each length.
  private var counts = [Int](repeating: 0, count: longestCode + 1)
  /// Symbols by code, short codes first.
  private var symbols: [UInt16]

  /// The code that gives symbol `i` a code of `lengths[i]` bits (0 for none, at most 15), or `nil` when the lengths
  /// describe no code: too many short ones, or bit patterns without a symbol.
  ///
  /// A code of no symbol, or of a single one of one bit, is accepted though it is incomplete; writers use it for
  /// blocks with at most one distance.
  init?(lengths: [UInt8]) {
    for length in lengths where length > 0 {
      guard length <= Self.longestCode else { return nil }
      counts[Int(length)] += 1
    }
    var unused = 1
    for length in 1...Self.longestCode {
      unused = unused * 2 - counts[length]
      guard unused >= 0 else { return nil }
    }
    let used = counts.reduce(0, +)
    guard unused == 0 || used == 0 || (used == 1 && counts[1] == 1) else { return nil }

    var nextIndex = [Int](repeating: 0, count: Self.longestCode + 2)
    var nextCode = [Int](repeating: 0, count: Self.longestCode + 2)
    for length in 1...Self.longestCode {
      nextIndex[length + 1] = nextIndex[length] + counts[length]
      nextCode[length + 1] = (nextCode[length] + counts[length]) << 1
    }
    symbols = [UInt16](repeating: 0, count: used)
    table = [UInt16](repeating: 0, count: 1 << Self.tableBits)
    for (symbol, length) in lengths.enumerated() where length > 0 {
      let length = Int(length)
      symbols[nextIndex[length]] = UInt16(symbol)
      nextIndex[length] += 1
      let code = nextCode[length]
      nextCode[length] += 1
      guard length <= Self.tableBits else { continue }
      // The stream holds a code's first bit in the lowest place.
      var index = Self.reversed(code, bits: length)
      while index < table.count {
        table[index] = UInt16(symbol) << 4 | UInt16(length)
        index += 1 << length
      }
    }
  }

  private static func reversed(_ code: Int, bits: Int) -> Int {
    (0..<bits).reduce(0) { result, bit in result << 1 | (code >> bit & 1) }
  }

  /// The symbol whose code starts `bits` (first bit lowest), and the code's length; `nil` when there is none.
  func symbol(startingWith bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = table[Int(bits & UInt64((1 << Self.tableBits) - 1))]
    if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
    var code = 0
    var first = 0
    var index = 0
    for length in 1...Self.longestCode {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = counts[length]
      if code - first < count { return (Int(symbols[index + code - first]), length) }
      index += count
      first = (first + count) << 1
      code <<= 1
    }
    return nil
  }
}
