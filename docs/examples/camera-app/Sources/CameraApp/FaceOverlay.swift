import UIKit

/// An overlay that draws boxes over the camera's image.
final class FaceOverlay: UIView {
  private var boxes: [CGRect] = []
  private var frameSize = CGSize.zero

  /// - Parameter size: The size of the frame, in the same pixels as the boxes.
  func show(_ boxes: [CGRect], in size: CGSize) {
    (self.boxes, frameSize) = (boxes, size)
    setNeedsDisplay()
  }

  override func draw(_ rect: CGRect) {
    guard frameSize.width > 0, frameSize.height > 0 else { return }
    UIColor.green.setStroke()
    for box in boxes {
      let scaled = CGRect(
        x: box.minX / frameSize.width * bounds.width, y: box.minY / frameSize.height * bounds.height,
        width: box.width / frameSize.width * bounds.width, height: box.height / frameSize.height * bounds.height)
      let path = UIBezierPath(rect: scaled)
      path.lineWidth = 3
      path.stroke()
    }
  }
}
