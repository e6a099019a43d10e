package import SwiftletSchema

/// Elements of 2 or 4 bits, which a run gives a byte each.
package struct NarrowIntegers: Sendable {
  package let bits: Int
  package let isSigned: Bool

  /// `nil` for types of whole bytes.
  package init?(_ type: ElementType) {
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

  package var range: ClosedRange<Int32> {
    isSigned ? -(1 << (Int32(bits) - 1))...(1 << (Int32(bits) - 1)) - 1 : 0...(1 << Int32(bits)) - 1
  }
}
