import SwiftletImage
import Testing

@Suite("Resizing")
struct ResizeTests {
  struct Expected: Sendable {
    let width: Int
    let height: Int
    let newWidth: Int
    let newHeight: Int
    let format: PixelFormat
    let digest: UInt64
  }

  /// Recorded from `cv2.resize(…, interpolation=cv2.INTER_LINEAR)` of OpenCV 5.0.0 on `TestImages.pattern`.
  static let expected = [
    Expected(width: 61, height: 47, newWidth: 20, newHeight: 30, format: .rgb8, digest: 0x9163_4B43_F7B0_CD4D),
    Expected(width: 61, height: 47, newWidth: 130, newHeight: 101, format: .rgb8, digest: 0x94C4_FE28_3226_67C5),
    Expected(width: 7, height: 5, newWidth: 64, newHeight: 1, format: .rgba8, digest: 0x5315_F400_F205_AD42),
    Expected(width: 1, height: 1, newWidth: 5, newHeight: 4, format: .gray8, digest: 0xEE85_FAFD_354B_0935),
    Expected(width: 202, height: 150, newWidth: 64, newHeight: 64, format: .rgba8, digest: 0x3076_CB3C_0BB3_8975),
    Expected(width: 20, height: 20, newWidth: 20, newHeight: 40, format: .gray8, digest: 0x4488_F6B6_EB1B_1CDB),
  ]

  @Test("bytes equal OpenCV's", arguments: expected)
  func bytesAreOpenCVs(expected: Expected) throws {
    for padding in [0, 5] {
      let image = try TestImages.pattern(
        width: expected.width, height: expected.height, format: expected.format, rowPadding: padding)
      let resized = try image.resized(width: expected.newWidth, height: expected.newHeight)
      #expect(digest(resized.packedBytes()) == expected.digest)
      #expect(resized.pixelFormat == expected.format)
    }
  }

  @Test("resizing to the same size returns the same image")
  func sameSize() throws {
    let image = try TestImages.pattern(width: 9, height: 8, format: .bgra8)
    #expect(try image.resized(width: 9, height: 8).packedBytes() == image.packedBytes())
  }

  @Test("a new size must be possible", arguments: [(0, 4), (4, 0), (-1, 1), (Int.max, 2)])
  func newSizeMustBePossible(width: Int, height: Int) throws {
    let image = try TestImages.pattern(width: 3, height: 3)
    #expect(imageError { _ = try image.resized(width: width, height: height) }?.code == .invalidSize)
  }

  /// Recorded from `cv2.resize(…, interpolation=cv2.INTER_AREA)` of OpenCV 5.0.0 on `TestImages.pattern`.
  static let averaged = [
    Expected(width: 61, height: 47, newWidth: 20, newHeight: 30, format: .rgb8, digest: 0xCDA6_F644_1A39_10C3),
    Expected(width: 64, height: 48, newWidth: 32, newHeight: 24, format: .rgba8, digest: 0xBEB8_8E19_B86A_DFB5),
    Expected(width: 64, height: 48, newWidth: 16, newHeight: 12, format: .rgba8, digest: 0xBE7D_6DF3_FA1A_9378),
    Expected(width: 63, height: 48, newWidth: 21, newHeight: 16, format: .rgb8, digest: 0xEE92_85D6_54E5_CFC8),
    Expected(width: 202, height: 150, newWidth: 64, newHeight: 64, format: .rgba8, digest: 0x3C2E_171C_E205_0E7A),
    Expected(width: 37, height: 29, newWidth: 36, newHeight: 28, format: .gray8, digest: 0x249B_236C_2B08_EA06),
    Expected(width: 90, height: 40, newWidth: 30, newHeight: 40, format: .rgba8, digest: 0xF57B_5B01_F12B_485E),
    Expected(width: 33, height: 40, newWidth: 33, newHeight: 13, format: .rgb8, digest: 0x4FF0_DA6F_4104_DFF1),
    Expected(width: 64, height: 48, newWidth: 1, newHeight: 1, format: .rgba8, digest: 0xEFA5_1C26_63CC_A94D),
  ]

  @Test("bytes of downscaled images equal OpenCV's area means", arguments: averaged)
  func meansAreOpenCVs(expected: Expected) throws {
    for padding in [0, 5] {
      let image = try TestImages.pattern(
        width: expected.width, height: expected.height, format: expected.format, rowPadding: padding)
      let averaged = try image.averaged(width: expected.newWidth, height: expected.newHeight)
      #expect(digest(averaged.packedBytes()) == expected.digest)
    }
  }

  @Test("an area mean cannot be larger than the image")
  func averagingOnlyShrinks() throws {
    let image = try TestImages.pattern(width: 3, height: 3)
    #expect(imageError { _ = try image.averaged(width: 4, height: 3) }?.code == .invalidSize)
    #expect(imageError { _ = try image.averaged(width: 3, height: 0) }?.code == .invalidSize)
  }
}
