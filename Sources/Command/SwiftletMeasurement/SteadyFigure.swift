/// A figure of a long run that must not grow: its last tenth is compared with its first.
package struct SteadyFigure: Sendable, Hashable {
  /// How much more the last tenth may have: the larger of the two.
  package struct Tolerance: Sendable, Hashable {
    /// As a share of the first tenth.
    package var share: Double
    /// In the figure's own unit.
    package var amount: Double

    package init(share: Double, amount: Double) {
      self.share = share
      self.amount = amount
    }
  }

  package var name: String
  package var first: Double
  package var last: Double
  package var tolerance: Tolerance

  package init(_ name: String, first: Double, last: Double, tolerance: Tolerance) {
    self.name = name
    self.first = first
    self.last = last
    self.tolerance = tolerance
  }

  /// The medians of the first and the last tenth of values in the order of time, at least one of each.
  ///
  /// - Returns: `nil` when there are no values.
  package init?(_ name: String, _ values: [Double], tolerance: Tolerance) {
    guard !values.isEmpty else { return nil }
    let count = max(1, values.count / 10)
    self.init(
      name, first: Sample(Array(values.prefix(count))).median, last: Sample(Array(values.suffix(count))).median,
      tolerance: tolerance)
  }

  /// The most that the last tenth may have.
  package var limit: Double { first + max(first * tolerance.share, tolerance.amount) }

  /// Whether the last tenth has no more than it may. It may have less.
  package var isFlat: Bool { last <= limit }
}
