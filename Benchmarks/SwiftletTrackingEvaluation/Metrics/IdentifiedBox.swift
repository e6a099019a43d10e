package import SwiftletTracking

/// A box with an identity, from the ground truth or from a tracker's output.
package struct IdentifiedBox: Sendable, Hashable {
  package var identity: Int
  package var box: PixelRect

  package init(identity: Int, box: PixelRect) {
    self.identity = identity
    self.box = box
  }
}
