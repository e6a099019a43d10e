// Foundation isn't imported, because the module re-exports it as the original does.
import MLImage
import Testing

@Suite("MLImage")
struct MLImageTests {
  @Test("has the size of the stored image, is upright by default, and can be rotated")
  func memory() throws {
    let buffer = try ImageBuffer(bytes: [UInt8](repeating: 7, count: 24), width: 4, height: 2, pixelFormat: .rgb8)
    let image = MLImage(imageBuffer: buffer)
    #expect(image.width == CGFloat(4) && image.height == CGFloat(2) && image.orientation == .up)
    #expect(image.imageSourceType == .imageBuffer && image.imageBuffer?.packedBytes() == buffer.packedBytes())
    image.orientation = .left
    #expect(image.orientation == .left && image.width == 4)
    #expect(MLImage(imageBuffer: buffer, orientation: .downMirrored).orientation == .downMirrored)
  }

  @Test("has the source type numbers of the original")
  func types() {
    let types: [MLImageSourceType] = [.image, .pixelBuffer, .sampleBuffer, .imageBuffer]
    #expect(types.map(\.rawValue) == [0, 1, 2, 3] && MLImageSourceType(rawValue: 1) == .pixelBuffer)
  }

  /// A subclass, as programs define them.
  private final class Frame: MLImage { var number = 0 }

  @Test("can be subclassed")
  func derived() throws {
    let buffer = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    let frame = Frame(imageBuffer: buffer)
    frame.number += 1
    #expect(frame.number == 1 && frame.width == 1)
  }
}
