/// What a detector found in a frame, without a class: a box and how sure the detector is.
public struct BoxDetection: Sendable, Hashable {
  /// In pixels of the upright frame. Boxes that are not made of finite numbers, are empty or lie outside the frame are
  /// ignored.
  public var box: PixelRect
  /// How sure the detector is, 0…1. More counts as 1; a detection whose score is NaN is ignored.
  public var score: Double
  /// The colours inside the box; `nil` when they are not known, so that the box alone decides.
  public var appearance: Appearance?

  /// A box that was found in a frame.
  public init(box: PixelRect, score: Double, appearance: Appearance? = nil) {
    self.box = box
    self.score = score
    self.appearance = appearance
  }
}
