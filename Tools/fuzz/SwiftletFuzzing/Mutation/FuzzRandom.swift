import SwiftletTestSupport

/// Seeded choices, most of them among values that programs forget to handle.
package struct FuzzRandom {
  private var generator: SplitMix64

  package init(seed: UInt64) { generator = SplitMix64(state: seed) }

  /// Creates the choices of case `number` of a campaign. Cases are independent of each other.
  package init(seed: UInt64, case number: Int) {
    var mixer = SplitMix64(state: seed &+ UInt64(truncatingIfNeeded: number) &* 0xD134_2543_DE82_EF95)
    generator = SplitMix64(state: mixer.next())
  }

  package mutating func next() -> UInt64 { generator.next() }

  /// Returns a number below `count`, or 0 if `count` is 0.
  package mutating func below(_ count: Int) -> Int { count > 0 ? Int(generator.next() % UInt64(count)) : 0 }

  package mutating func within(_ range: ClosedRange<Int>) -> Int { range.lowerBound + below(range.count) }

  /// Returns true once in `count` times on average.
  package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  package mutating func pick<Values: RandomAccessCollection>(_ values: Values) -> Values.Element? {
    values.isEmpty ? nil : values[values.index(values.startIndex, offsetBy: below(values.count))]
  }

  /// Returns one of the given values.
  package mutating func one<Value>(_ first: Value, _ others: Value...) -> Value {
    let index = below(others.count + 1)
    return index == 0 ? first : others[index - 1]
  }

  package mutating func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
  }

  // MARK: Hostile values

  /// Returns a 32-bit boundary value, a number near `old`, or any number.
  package mutating func hostile(near old: Int32 = 0) -> Int32 {
    switch below(10) {
    case 0: return one(0, 1, -1, 2, 3, 4, 5, 7, 8, 16)
    case 1: return one(.max, .min, .max - 1, .min + 1, 1 << 30, 1 << 16, 65_535, 32_768, 127, 128, 255, 256)
    case 2: return old &+ 1
    case 3: return old &- 1
    case 4: return 0 &- old
    case 5: return old &* 2
    case 6: return Int32(within(0...8))
    case 7: return Int32(within(-4...64))
    case 8: return 1 << Int32(below(31))
    default: return Int32(truncatingIfNeeded: generator.next())
    }
  }

  package mutating func hostileLong(near old: Int64 = 0) -> Int64 {
    switch below(8) {
    case 0: return one(.max, .min, 1 << 40, 1 << 62, 1 << 32, -(1 << 40), 1 << 31, -1 << 31)
    case 1: return Int64(bitPattern: generator.next())
    case 2: return old &* 2
    default: return Int64(hostile(near: Int32(truncatingIfNeeded: old)))
    }
  }

  package mutating func hostileFloat(near old: Float = 0) -> Float {
    switch below(8) {
    case 0:
      return one(
        0, -0.0, 1, -1, 0.5, .nan, .infinity, -.infinity, .greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude, 1e-8)
    case 1: return -old
    case 2: return old * 2
    case 3: return old / 1e6
    case 4: return Float(within(-8...8))
    case 5: return Float(hostile())
    case 6: return Float(below(1 << 20)) / Float(1 << 20)
    default: return Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
    }
  }

  package mutating func hostileText() -> String {
    one(
      "", "VALIDATION:", "VALIDATION:main", "x", "a", "serving_default", "\u{1B}]0;owned\u{7}\u{1B}[2J",
      "\u{202E}txt.exe", "line\nbreak",
      "nul\0byte",
      String(repeating: "n", count: 300), "<script>alert(1)</script>", "e\u{301}", "TFLITE_METADATA", "%s%n",
      "../../etc/passwd")
  }
}
