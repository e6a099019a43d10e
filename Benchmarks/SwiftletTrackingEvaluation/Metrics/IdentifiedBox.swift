package import SwiftletTracking

/// A box that says whose it is: one of the truth, or one of a tracker's output.
package struct IdentifiedBox: Sendable, Hashable {
  package var identity: Int
  package var box: PixelRect

  package init(identity: Int, box: PixelRect) {
    self.identity = identity
    self.box = box
  }
}
