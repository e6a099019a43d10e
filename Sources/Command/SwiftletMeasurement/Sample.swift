import SwiftletBase

/// Measured values of one kind and what they come to.
package struct Sample: Sendable, Hashable {
  /// Ascending.
  package let values: [Double]

  /// - Parameter values: at least one.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a sample has at least one value")
    self.values = values.sorted()
  }

  package var count: Int { values.count }
  package var smallest: Double { values[0] }

  /// The middle value, or the mean of the two in the middle.
  package var median: Double {
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }

  /// The smallest value that at least `share` (0…1) of the values do not exceed.
  package func quantile(_ share: Double) -> Double {
    let rank = Int((Double(values.count) * share).rounded(.up))
    return values[min(max(rank - 1, 0), values.count - 1)]
  }
}

/// A figure of a long run that must not grow: its last tenth is compared with its first.
package struct SteadyStateMetric: Sendable, Hashable {
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

  /// Creates the medians of the first and the last tenth of values in the order of time, at least one of each.
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

/// The mean that fits ratios: twice as fast and half as fast come to 1. `nil` for no values.
package func geometricMean(_ ratios: [Double]) -> Double? {
  guard !ratios.isEmpty else { return nil }
  return exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
}

/// How long many pieces of work took, in memory that does not grow with their number.
///
/// A time is counted in a class that is a sixteenth of a doubling wide, so that quantiles are right to 4.5 %.
package struct LatencyHistogram: Sendable, Hashable {
  private static let classesPerDoubling = 16.0
  /// The smallest time that has a class of its own, in milliseconds.
  private static let smallest = 0.001
  /// From a microsecond to eighteen minutes; what is shorter or longer counts as these.
  private static let classCount = 16 * 30

  private var counts = [UInt32](repeating: 0, count: classCount)
  /// How many times were added.
  package private(set) var count = 0

  package init() {}

  package mutating func add(milliseconds: Double) {
    // In this order a time that is not a number counts as the smallest.
    let doublings = log2(max(Self.smallest, milliseconds) / Self.smallest)
    counts[Int(min(doublings * Self.classesPerDoubling, Double(Self.classCount - 1)))] &+= 1
    count += 1
  }

  /// The time in milliseconds that at least `share` (0…1) of all times do not exceed: the upper end of its class. `nil`
  /// when there are none.
  package func quantile(_ share: Double) -> Double? {
    guard count > 0 else { return nil }
    let rank = max(1, Int((Double(count) * share).rounded(.up)))
    var seen = 0
    for (index, count) in counts.enumerated() {
      seen += Int(count)
      if seen >= rank { return Self.smallest * exp2(Double(index + 1) / Self.classesPerDoubling) }
    }
    return nil
  }
}
