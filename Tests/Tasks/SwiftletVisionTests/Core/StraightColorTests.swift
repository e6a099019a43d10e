@testable import SwiftletVision
import Testing

@Suite("Straight colors")
struct StraightColorTests {
  @Test("are the premultiplied ones divided by alpha, rounded")
  func translucent() throws {
    let multiplied: [UInt8] = [10, 20, 30, 255, 10, 20, 30, 60, 1, 2, 3, 0, 200, 1, 0, 100]
    let image = try ImageBuffer(bytes: multiplied, width: 2, height: 2, pixelFormat: .bgra8)
    let straight = try image.withStraightColors()
    #expect(straight.pixelFormat == .bgra8)
    #expect(straight.packedBytes() == [10, 20, 30, 255, 43, 85, 128, 60, 1, 2, 3, 0, 255, 3, 0, 100])
  }

  @Test("are unchanged if the image is opaque or has no alpha")
  func opaque() throws {
    let opaque = try ImageBuffer(bytes: [1, 2, 3, 255], width: 1, height: 1, pixelFormat: .rgba8)
    #expect(try opaque.withStraightColors().packedBytes() == [1, 2, 3, 255])
    let plain = try ImageBuffer(bytes: [1, 2, 3], width: 1, height: 1, pixelFormat: .rgb8)
    #expect(try plain.withStraightColors().packedBytes() == [1, 2, 3])
  }
}
