import Foundation
import MLKit
import SwiftletSyntheticData

/// A synthetic image of one object that the bundled models recognize.
struct DrawnImage {
  let buffer: ImageBuffer
  /// The box around the object, in pixels.
  let box: CGRect
  /// The class of the object.
  let name: String

  var image: VisionImage { VisionImage(imageBuffer: buffer) }

  /// Creates an image of one object, given its number among the objects of the tests.
  init(_ number: Int) throws {
    let scene = Scene(.classification, seed: 21, number: number, width: 240, height: 180).withoutCameraFaults()
    let drawn = try scene.drawn()
    let box = drawn.objects[0].box
    buffer = drawn.image
    name = drawn.objects[0].category.name
    self.box = CGRect(
      x: CGFloat(box.left) * 240, y: CGFloat(box.top) * 180, width: CGFloat(box.right - box.left) * 240,
      height: CGFloat(box.bottom - box.top) * 180)
  }
}
