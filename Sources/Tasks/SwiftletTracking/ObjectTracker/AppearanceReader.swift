import SwiftletImage
import SwiftletVision

/// Reads the colours inside detected boxes, frame after frame.
///
/// One caller at a time.
struct AppearanceReader: Sendable {
  /// A box is looked at in as many points across as down.
  private static let side = 16
  /// The most boxes whose colours are read, as that takes time: the best ones.
  private static let boxLimit = 12
  /// When the whole picture changes its colours by so much from one frame to the next, the light has changed, or the
  /// scene.
  private static let changeOfLight = 0.25

  private var converter: ImageToTensor
  private var pixels: [UInt8]
  /// The whole of the last frame.
  private var scene: Appearance?

  /// Creates a reader; `nil` if the converter does not support the size, so never.
  init?() {
    guard let converter = try? ImageToTensor(width: Self.side, height: Self.side, encoding: .uint8) else { return nil }
    self.converter = converter
    pixels = [UInt8](repeating: 0, count: converter.byteCount)
  }

  /// Reads the colours of the best objects found in a frame. Objects that the edge of the picture cuts off are left
  /// out: their colours change with the cut.
  ///
  /// - Parameter detections: in pixels of the upright picture, best first.
  /// - Throws: `ImageError` when the picture cannot be read, `TaskError` for a box without an area.
  mutating func look(at detections: inout [BoxDetection], in image: InputImage) throws {
    let geometry = PictureGeometry(image)
    let whole = PixelRect(x: 0, y: 0, width: geometry.uprightWidth, height: geometry.uprightHeight)
    var now = try appearance(of: whole, in: image, geometry, light: scene?.light ?? 0)
    if let scene, let change = now.difference(from: scene), change > Self.changeOfLight { now.light += 1 }
    scene = now
    for index in detections.indices.prefix(Self.boxLimit) where !isCut(detections[index].box, by: whole) {
      detections[index].appearance = try appearance(of: detections[index].box, in: image, geometry, light: now.light)
    }
  }

  private func isCut(_ box: PixelRect, by frame: PixelRect) -> Bool {
    let (across, down) = (0.02 * box.width, 0.02 * box.height)
    return box.x <= across || box.y <= down || box.x + box.width >= frame.width - across
      || box.y + box.height >= frame.height - down
  }

  private mutating func appearance(
    of box: PixelRect, in image: InputImage, _ geometry: PictureGeometry, light: Int
  ) throws -> Appearance {
    let region = geometry.regionOfInterest(geometry.stored(box))
    _ = try pixels.withUnsafeMutableBytes { try converter.convert(image.buffer, region: region, into: $0) }
    return Appearance(pixels: pixels, light: light)
  }
}
