import Foundation
import MLKit
import SwiftletSyntheticData

/// A synthetic image of one thing, as the package's own models know them.
struct DrawnImage {
  let buffer: ImageBuffer
  /// Around the thing, in pixels.
  let box: CGRect
  /// What it is.
  let name: String

  var image: VisionImage { VisionImage(imageBuffer: buffer) }

  /// Creates an image of one thing of this number among those of the tests.
  init(_ number: Int) throws {
    let scene = Scene(.classification, seed: 21, number: number, width: 240, height: 180).withoutCameraFaults()
    let drawn = try scene.drawn()
    let box = drawn.objects[0].box
    buffer = drawn.picture
    name = drawn.objects[0].category.name
    self.box = CGRect(
      x: CGFloat(box.left) * 240, y: CGFloat(box.top) * 180, width: CGFloat(box.right - box.left) * 240,
      height: CGFloat(box.bottom - box.top) * 180)
  }
}
