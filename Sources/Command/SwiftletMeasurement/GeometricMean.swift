import SwiftletBase

/// The mean that fits ratios: twice as fast and half as fast come to 1. `nil` for no values.
package func geometricMean(_ ratios: [Double]) -> Double? {
  guard !ratios.isEmpty else { return nil }
  return exp(ratios.reduce(0) { $0 + log($1) } / Double(ratios.count))
}
