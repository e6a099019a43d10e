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
