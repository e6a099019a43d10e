/// Names one form in which constants are packed: a kind, and every number that the packed bytes depend on besides the
/// constants.
package struct PackedLayout: Hashable, Sendable {
  private let kind: String
  private var numbers: [Int]

  package init(_ kind: String, _ numbers: [Int] = []) {
    self.kind = kind
    self.numbers = numbers
  }

  /// The same with further numbers; the last ones, since only their number may vary.
  package func adding(_ further: [Int]) -> PackedLayout {
    PackedLayout(kind, numbers + [numbers.count] + further)
  }
}
