package import SwiftletScenes

/// The seeded generator of drawn pictures, so that a failing case can be run again.
package typealias SplitMix64 = SwiftletScenes.SplitMix64
