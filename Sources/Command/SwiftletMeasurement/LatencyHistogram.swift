import SwiftletBase

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
