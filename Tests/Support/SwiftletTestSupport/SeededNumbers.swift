package import SwiftletSyntheticData

/// The seeded generator of synthetic images, so that a failing case can be reproduced.
package typealias SplitMix64 = SwiftletSyntheticData.SplitMix64
