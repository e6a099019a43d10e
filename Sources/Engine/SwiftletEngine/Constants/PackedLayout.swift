/// Names one form in which constants are packed: a kind, and every number that the packed bytes depend on besides the
/// constants.
package struct PackedLayout: Hashable, Sendable {
  private let kind: String
  private var numbers: [Int]

  package init(_ kind: String, _ numbers: [Int] = []) {
    self.kind = kind
    self.numbers = numbers
  }

  /// A number that is the same for equal layouts, made of `start`.
  ///
  /// Not by `Hasher`, whose code is a tenth of what a small model's load brings into memory. Models choose some of the
  /// numbers but not the addresses that `start` comes from, and tables stay right whatever they choose.
  func mixed(into start: UInt64) -> UInt64 {
    var result = start
    for unit in kind.utf8 { result = Self.mix(result, UInt64(unit)) }
    for number in numbers { result = Self.mix(result, UInt64(bitPattern: Int64(number))) }
    return result
  }

  /// One step of a multiplicative hash: the multiplication moves every bit up, the shift brings the upper half back.
  static func mix(_ state: UInt64, _ value: UInt64) -> UInt64 {
    let product = (state ^ value) &* 0x9E37_79B9_7F4A_7C15
    return product ^ product >> 32
  }

  /// The same with further numbers; the last ones, since only their number may vary.
  package func adding(_ further: [Int]) -> PackedLayout {
    PackedLayout(kind, numbers + [numbers.count] + further)
  }
}
