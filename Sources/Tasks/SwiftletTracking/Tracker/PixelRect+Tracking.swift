public import SwiftletImage

extension PixelRect {
  /// A box around a centre.
  public init(centerX: Double, centerY: Double, width: Double, height: Double) {
    self.init(x: centerX - width / 2, y: centerY - height / 2, width: width, height: height)
  }

  /// The part of the box inside a picture; empty, of zero width and height, when nothing of it is inside.
  public func clipped(width: Double, height: Double) -> PixelRect {
    intersection(with: PixelRect(x: 0, y: 0, width: width, height: height))
  }

  /// The box with `fraction` of its own size added on each side.
  func grown(by fraction: Double) -> PixelRect {
    PixelRect(
      x: x - fraction * width, y: y - fraction * height, width: width * (1 + 2 * fraction),
      height: height * (1 + 2 * fraction))
  }
}

extension PixelRect {
  /// How much an object stands out in its frame: `score · √(area / frame's area) · (1 − d/2)`, where `d` is how far the
  /// box's centre is from the frame's, as a fraction of half the diagonal.
  ///
  /// - Parameters:
  ///   - score: how sure the detector is, 0…1.
  ///   - frameWidth: in pixels, as `frameHeight`. Only what lies inside the frame counts.
  ///   - frameHeight: in pixels.
  /// - Returns: 0…1; 0 for a box outside the frame.
  public func prominence(score: Double, frameWidth: Double, frameHeight: Double) -> Double {
    let visible = clipped(width: frameWidth, height: frameHeight)
    guard visible.area > 0 else { return 0 }
    let center = visible.center
    let (across, down) = (center.x - frameWidth / 2, center.y - frameHeight / 2)
    let distance = (across * across + down * down).squareRoot()
    let halfDiagonal = (frameWidth * frameWidth + frameHeight * frameHeight).squareRoot() / 2
    return score * (visible.area / (frameWidth * frameHeight)).squareRoot() * (1 - 0.5 * distance / halfDiagonal)
  }
}
