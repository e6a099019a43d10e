package import SwiftletSyntheticData

/// The seeded generator of synthetic images, so that a failing case can be reproduced.
package typealias SplitMix64 = SwiftletSyntheticData.SplitMix64

extension SplitMix64 {
  package mutating func floats(_ count: Int, in range: ClosedRange<Float> = -1...1) -> [Float] {
    (0..<count).map { _ in Float.random(in: range, using: &self) }
  }

  package mutating func integers(_ count: Int, in range: ClosedRange<Int>) -> [Int] {
    (0..<count).map { _ in Int.random(in: range, using: &self) }
  }
}
