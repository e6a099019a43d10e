import SwiftletSchema

/// Elements of 2 or 4 bits, several to a byte, the lowest bits first.
struct PackedIntegers: Sendable {
  let bits: Int
  let isSigned: Bool

  /// `nil` for types of whole bytes.
  init?(_ type: ElementType) {
    switch type {
    case .int2: self.init(bits: 2, isSigned: true)
    case .int4: self.init(bits: 4, isSigned: true)
    case .uint4: self.init(bits: 4, isSigned: false)
    default: return nil
    }
  }

  private init(bits: Int, isSigned: Bool) {
    self.bits = bits
    self.isSigned = isSigned
  }

  var perByte: Int { 8 / bits }

  var range: ClosedRange<Int32> {
    isSigned ? -(1 << (Int32(bits) - 1))...(1 << (Int32(bits) - 1)) - 1 : 0...(1 << Int32(bits)) - 1
  }

  @inline(__always)
  func element(_ index: Int, of bytes: UnsafePointer<UInt8>) -> Int32 {
    let position = index &* bits
    let raw = Int32(bytes[position &>> 3] &>> UInt8(position & 7)) & ((1 &<< Int32(bits)) &- 1)
    let top = Int32(32 &- bits)
    return isSigned ? (raw &<< top) &>> top : raw
  }
}
