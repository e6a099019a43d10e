/// What an object is. The raw value is the category's number in labels and models.
package enum ObjectCategory: Int, Sendable, CaseIterable {
  case ball, cube, cone, cylinder, ring, star, heart, mug

  /// The English name.
  package var name: String { "\(self)" }
}
