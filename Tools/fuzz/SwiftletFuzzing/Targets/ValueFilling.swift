import SwiftletSchema

/// Fills inputs: mostly with small numbers, so that indices and shapes are near their limits, and sometimes with any
/// numbers.
enum ValueFilling {
  static func fill(_ memory: UnsafeMutableRawBufferPointer, as type: ElementType, _ random: inout FuzzRandom) {
    // A few values are repeated, because choosing each would take longer than most runs.
    var palette = (0..<8).map { _ in value(type, &random) }
    // Inputs in which all indices are valid get further than inputs with an invalid one.
    if random.oneIn(2) { palette = palette.map { _ in palette[0] } }
    let width = max(1, type.byteWidth ?? 1)
    var number = random.next()
    for start in stride(from: 0, to: memory.count - width + 1, by: width) {
      number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let bits = palette[Int(number >> 61)]
      for place in 0..<width {
        memory[start + place] = place < 8 ? UInt8(truncatingIfNeeded: bits >> UInt64(8 * place)) : 0
      }
    }
  }

  private static func value(_ type: ElementType, _ random: inout FuzzRandom) -> UInt64 {
    let isOdd = random.oneIn(16)
    switch type {
    case .float32: return UInt64((isOdd ? random.hostileFloat() : Float(random.within(-8...8)) / 4).bitPattern)
    case .float64: return (isOdd ? Double(random.hostileFloat()) : Double(random.within(-8...8)) / 4).bitPattern
    case .complex64: return random.next()
    case .bool: return UInt64(random.below(2))
    case .int32, .int64, .int16, .uint32, .uint64, .uint16:
      return UInt64(
        bitPattern: isOdd ? random.hostileLong() : Int64(random.oneIn(4) ? random.within(-2...7) : random.within(0...2))
      )
    default: return random.next()
    }
  }
}
