import SwiftletBase

/// Measured values of one kind, with their statistics.
package struct Sample: Sendable, Hashable {
  /// The values in ascending order.
  package let values: [Double]

  /// - Parameter values: The values, at least one.
  package init(_ values: [Double]) {
    precondition(!values.isEmpty, "a sample has at least one value")
    self.values = values.sorted()
  }

  package var count: Int { values.count }
  package var smallest: Double { values[0] }

  /// The middle value, or the mean of the two middle values.
  package var median: Double {
    let middle = values.count / 2
    return values.count % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2
  }

  /// Returns the smallest value that at least `share` (0…1) of the values do not exceed.
  package func quantile(_ share: Double) -> Double {
    let rank = Int((Double(values.count) * share).rounded(.up))
    return values[min(max(rank - 1, 0), values.count - 1)]
  }
}

/// A metric of a long run that must not grow: the last tenth of its values is compared with the first.
package struct SteadyStateMetric: Sendable, Hashable {
  /// The tolerated growth of the last tenth: the larger of the two properties.
  package struct Tolerance: Sendable, Hashable {
    /// The growth relative to the first tenth.
    package var share: Double
    /// The growth in the metric's own unit.
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

  /// Creates the medians of the first and the last tenth of values in chronological order, with at least one value
  /// each.
  ///
  /// - Returns: `nil` if there are no values.
  package init?(_ name: String, _ values: [Double], tolerance: Tolerance) {
    guard !values.isEmpty else { return nil }
    let count = max(1, values.count / 10)
    self.init(
      name, first: Sample(Array(values.prefix(count))).median, last: Sample(Array(values.suffix(count))).median,
      tolerance: tolerance)
  }

  /// The maximum value of the last tenth.
  package var limit: Double { first + max(first * tolerance.share, tolerance.amount) }

  /// Whether the last tenth stays within the limit. It can be lower than the first tenth.
  package var isFlat: Bool { last <= limit }
}

/// Returns the geometric mean, the appropriate mean of ratios: a ratio of 2 and a ratio of 0.5 average to 1. `nil` for
/// no values.
package func geometricMean(_ ratios: [Double]) -> Double? {
  guard !ratios.isEmpty else { return nil }
  return exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
}

/// The distribution of the times of many pieces of work, in memory that doesn't grow with their number.
///
/// A bucket is a sixteenth of a doubling wide, so quantiles are accurate to 4.5 %.
package struct LatencyHistogram: Sendable, Hashable {
  private static let classesPerDoubling = 16.0
  /// The shortest time with a bucket of its own, in milliseconds.
  private static let smallest = 0.001
  /// The number of buckets, from one microsecond to eighteen minutes. Shorter and longer times are clamped.
  private static let classCount = 16 * 30

  private var counts = [UInt32](repeating: 0, count: classCount)
  /// The number of recorded times.
  package private(set) var count = 0

  package init() {}

  package mutating func add(milliseconds: Double) {
    // With this argument order, NaN counts as the shortest time.
    let doublings = log2(max(Self.smallest, milliseconds) / Self.smallest)
    counts[Int(min(doublings * Self.classesPerDoubling, Double(Self.classCount - 1)))] &+= 1
    count += 1
  }

  /// Returns the time in milliseconds that at least `share` (0…1) of all times do not exceed, as the upper bound of its
  /// bucket; `nil` if there are none.
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
