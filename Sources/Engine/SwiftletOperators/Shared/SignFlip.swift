/// Turns int8 values into uint8 ones that are 128 higher.
enum SignFlip {
  /// What to combine a byte with.
  static let mask: UInt8 = 0x80

  /// Copies bytes with their highest bit turned round, between memory that does not overlap.
  static func copy(_ count: Int, from source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) {
    typealias Vector = SIMD8<UInt64>
    let masks = Vector(repeating: 0x8080_8080_8080_8080)
    var offset = 0
    while offset &+ 64 <= count {
      let bytes = source.loadUnaligned(fromByteOffset: offset, as: Vector.self)
      target.storeBytes(of: bytes ^ masks, toByteOffset: offset, as: Vector.self)
      offset &+= 64
    }
    while offset &+ 8 <= count {
      let bytes = source.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      target.storeBytes(of: bytes ^ masks[0], toByteOffset: offset, as: UInt64.self)
      offset &+= 8
    }
    while offset < count {
      let byte = source.load(fromByteOffset: offset, as: UInt8.self)
      target.storeBytes(of: byte ^ mask, toByteOffset: offset, as: UInt8.self)
      offset &+= 1
    }
  }
}
