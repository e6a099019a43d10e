/// A point in a picture, in pixels of it as it is stored.
///
/// Detectors of landmarks give such points in ML Kit. Those of this package give none; the class is there for code that
/// names it.
open class VisionPoint: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; this one and those below have constants only.

  /// From the left edge.
  public let x: CGFloat
  /// From the top edge.
  public let y: CGFloat

  /// A point at this place: an addition to ML Kit's interface.
  public init(x: CGFloat, y: CGFloat) {
    self.x = x
    self.y = y
  }
}

/// A point in a picture that has a depth too.
open class Vision3DPoint: VisionPoint, @unchecked Sendable {
  /// The depth, in the scale of `x` and `y`.
  public let z: CGFloat

  /// A point at this place: an addition to ML Kit's interface.
  public init(x: CGFloat, y: CGFloat, z: CGFloat) {
    self.z = z
    super.init(x: x, y: y)
  }
}
