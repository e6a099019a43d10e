/// The weight of a source pixel in a target pixel. Kernels receive arrays of it.
package struct AreaShare: Sendable {
  package let source: Int
  package let target: Int
  package let share: Float

  package init(source: Int, target: Int, share: Float) {
    (self.source, self.target, self.share) = (source, target, share)
  }
}
