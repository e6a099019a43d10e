import SwiftletImage
import Testing

@Suite("Color conversion")
struct ColorConversionTests {
  @Test("reorders channels, and adds and drops opaque alpha")
  func reordersChannels() throws {
    let rgb = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6], width: 2, height: 1, pixelFormat: .rgb8)
    #expect(try rgb.converted(to: .rgba8).packedBytes() == [1, 2, 3, 255, 4, 5, 6, 255])
    #expect(try rgb.converted(to: .bgra8).packedBytes() == [3, 2, 1, 255, 6, 5, 4, 255])
    let rgba = try ImageBuffer(bytes: [1, 2, 3, 7], width: 1, height: 1, pixelFormat: .rgba8)
    #expect(try rgba.converted(to: .bgra8).packedBytes() == [3, 2, 1, 7])
    #expect(try rgba.converted(to: .bgra8).converted(to: .rgb8).packedBytes() == [1, 2, 3])
  }

  @Test("converts to gray with the BT.601 weights, like Pillow")
  func makesGray() throws {
    // Expected: Pillow's convert("L") of the same colors.
    let colors: [UInt8] = [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 10, 200, 77, 128, 127, 1]
    let rgb = try ImageBuffer(bytes: colors, width: 6, height: 1, pixelFormat: .rgb8)
    #expect(try rgb.converted(to: .gray8).packedBytes() == [76, 150, 29, 255, 129, 113])
    #expect(try rgb.converted(to: .bgra8).converted(to: .gray8).packedBytes() == [76, 150, 29, 255, 129, 113])
  }

  @Test("repeats gray in every color channel")
  func repeatsGray() throws {
    let gray = try ImageBuffer(bytes: [7, 9], width: 1, height: 2, pixelFormat: .gray8)
    #expect(try gray.converted(to: .rgb8).packedBytes() == [7, 7, 7, 9, 9, 9])
    #expect(try gray.converted(to: .rgba8).packedBytes() == [7, 7, 7, 255, 9, 9, 9, 255])
  }

  @Test("returns the same image if nothing changes")
  func keepsSameFormat() throws {
    let padded = try TestImages.pattern(width: 3, height: 2, rowPadding: 2)
    #expect(try padded.converted(to: .rgb8).bytesPerRow == 11)
  }
}
