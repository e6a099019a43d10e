import SwiftletImage
import Testing

/// Checks tensors against MediaPipe's own.
///
/// They were recorded from MediaPipe 1.2.3 for Python (x86-64 Linux) with models that pass their input through, by
/// `Tools/golden/image/mediapipe_tensors.py`, for the images of `TestImages.pattern`. Only their digests are stored.
@Suite("Image to tensor, compared with MediaPipe", .tags(.golden))
struct ImageToTensorGoldenTests {
  struct Expected: Sendable, CustomTestStringConvertible {
    let imageWidth: Int
    let imageHeight: Int
    let width: Int
    let height: Int
    let region: NormalizedRect
    let orientation: ImageOrientation
    let digest: UInt64

    init(
      _ imageWidth: Int, _ imageHeight: Int, _ width: Int, _ height: Int, _ region: NormalizedRect,
      _ orientation: ImageOrientation, _ digest: UInt64
    ) {
      self.imageWidth = imageWidth
      self.imageHeight = imageHeight
      self.width = width
      self.height = height
      self.region = region
      self.orientation = orientation
      self.digest = digest
    }

    var testDescription: String {
      "\(imageWidth)×\(imageHeight) to \(width)×\(height), \(orientation), \(region.width)×\(region.height)"
    }
  }

  private static let part = NormalizedRect(left: 0.1, top: 0.2, right: 0.7, bottom: 0.9)

  /// ImageEmbedder: stretched, replicated border, with and without region of interest.
  static let stretched: [Expected] = [
    Expected(61, 47, 8, 8, .fullImage, .up, 0xC6EE_CBFB_A202_AB4B),
    Expected(61, 47, 8, 8, .fullImage, .right, 0x689B_F4E2_D51A_B519),
    Expected(61, 47, 8, 8, .fullImage, .down, 0x5E5B_073C_02FC_0541),
    Expected(61, 47, 8, 8, .fullImage, .left, 0x3818_5FC3_C04F_1EC2),
    Expected(61, 47, 8, 8, part, .up, 0x2708_A1FA_1D12_DF2B),
    Expected(61, 47, 8, 8, part, .right, 0x6672_2F7F_3CF2_6C8A),
    Expected(61, 47, 8, 8, part, .down, 0xA5F6_A039_BA66_DBF6),
    Expected(61, 47, 8, 8, part, .left, 0x900F_B8E2_6E38_CC6D),
    Expected(61, 47, 32, 24, .fullImage, .up, 0x3B7F_3CE5_E965_08FE),
    Expected(61, 47, 32, 24, .fullImage, .right, 0xF530_C5A9_A750_C953),
    Expected(61, 47, 32, 24, .fullImage, .down, 0xB6F3_54A7_67E0_5645),
    Expected(61, 47, 32, 24, .fullImage, .left, 0x0DD0_51E0_4C59_F434),
    Expected(61, 47, 32, 24, part, .up, 0x0B36_23FE_C1A5_9876),
    Expected(61, 47, 32, 24, part, .right, 0x3D2B_DB72_4CCD_FC41),
    Expected(61, 47, 32, 24, part, .down, 0x3D9D_CB9C_7587_F562),
    Expected(61, 47, 32, 24, part, .left, 0xAD51_8439_AD40_0292),
    Expected(61, 47, 128, 128, .fullImage, .up, 0x9A3C_2FDE_E2AC_18EC),
    Expected(61, 47, 128, 128, .fullImage, .right, 0x005F_2893_9946_DA24),
    Expected(61, 47, 128, 128, .fullImage, .down, 0xF150_1D82_880E_C6B0),
    Expected(61, 47, 128, 128, .fullImage, .left, 0x3718_A098_0F6F_51DE),
    Expected(61, 47, 128, 128, part, .up, 0x7A25_89A2_2576_DF2E),
    Expected(61, 47, 128, 128, part, .right, 0x9862_B6AE_0AB5_B079),
    Expected(61, 47, 128, 128, part, .down, 0x91D8_F53D_D426_9468),
    Expected(61, 47, 128, 128, part, .left, 0xB39B_4FF4_8C6F_229D),
    Expected(202, 150, 8, 8, .fullImage, .up, 0xCEF2_C493_4F60_29BE),
    Expected(202, 150, 8, 8, .fullImage, .right, 0xB2C9_6F3B_FE12_2F24),
    Expected(202, 150, 8, 8, .fullImage, .down, 0x3E8B_BBBF_DBFF_59E0),
    Expected(202, 150, 8, 8, .fullImage, .left, 0x8B97_AE88_A185_E519),
    Expected(202, 150, 8, 8, part, .up, 0x7B7D_9811_C40F_7798),
    Expected(202, 150, 8, 8, part, .right, 0x8738_7A49_934E_2485),
    Expected(202, 150, 8, 8, part, .down, 0xFB18_C39D_9162_B768),
    Expected(202, 150, 8, 8, part, .left, 0xED38_72F2_B08F_76A8),
    Expected(202, 150, 32, 24, .fullImage, .up, 0x742A_8086_2834_4AB0),
    Expected(202, 150, 32, 24, .fullImage, .right, 0x467D_AF36_30E2_C0A7),
    Expected(202, 150, 32, 24, .fullImage, .down, 0xE530_FEDD_89A6_C087),
    Expected(202, 150, 32, 24, .fullImage, .left, 0x7988_78EE_AAE3_142D),
    Expected(202, 150, 32, 24, part, .up, 0xEF38_B972_3050_7A8C),
    Expected(202, 150, 32, 24, part, .right, 0x2140_12E9_D264_7B87),
    Expected(202, 150, 32, 24, part, .down, 0x36D7_A102_3CC2_F91B),
    Expected(202, 150, 32, 24, part, .left, 0x4787_4B03_EC8B_3DFD),
    Expected(202, 150, 128, 128, .fullImage, .up, 0x0028_237D_5C0C_EEAE),
    Expected(202, 150, 128, 128, .fullImage, .right, 0x037D_EC7E_80CF_5A89),
    Expected(202, 150, 128, 128, .fullImage, .down, 0xBD56_052A_B2A8_2241),
    Expected(202, 150, 128, 128, .fullImage, .left, 0xEC77_8379_96BB_B1CA),
    Expected(202, 150, 128, 128, part, .up, 0x67BE_AF2F_3477_3C97),
    Expected(202, 150, 128, 128, part, .right, 0x292A_834D_0C76_AD6E),
    Expected(202, 150, 128, 128, part, .down, 0x4726_B623_E92E_5C2D),
    Expected(202, 150, 128, 128, part, .left, 0xB995_45A6_68AF_56CF),
  ]

  /// FaceDetector: letterboxed, black border.
  static let letterboxed: [Expected] = [
    Expected(61, 47, 128, 128, .fullImage, .up, 0x7306_0663_30E0_4416),
    Expected(61, 47, 128, 128, .fullImage, .right, 0x7B23_B968_ACBA_FB57),
    Expected(61, 47, 128, 128, .fullImage, .down, 0x1716_2E62_7E86_CB19),
    Expected(61, 47, 128, 128, .fullImage, .left, 0xFDC7_94B5_50D5_BC0C),
    Expected(202, 150, 128, 128, .fullImage, .up, 0xBCBE_DA52_2CC0_5BE0),
    Expected(202, 150, 128, 128, .fullImage, .right, 0x6537_7777_4B2E_E21B),
    Expected(202, 150, 128, 128, .fullImage, .down, 0xDB67_C720_9271_652F),
    Expected(202, 150, 128, 128, .fullImage, .left, 0xC758_0227_46EF_86CD),
  ]

  @Test("stretches exactly like MediaPipe", arguments: stretched)
  func stretchesExactly(expected: Expected) throws {
    let image = try TestImages.pattern(width: expected.imageWidth, height: expected.imageHeight)
    var converter = try ImageToTensor(width: expected.width, height: expected.height, encoding: .uint8)
    let tensor = try converter.tensor(
      of: image, orientation: expected.orientation, regionOfInterest: expected.region)
    #expect(digest(tensor) == expected.digest)
  }

  @Test("letterboxes exactly like MediaPipe", arguments: letterboxed)
  func letterboxesExactly(expected: Expected) throws {
    let image = try TestImages.pattern(width: expected.imageWidth, height: expected.imageHeight)
    var converter = try ImageToTensor(
      width: expected.width, height: expected.height, encoding: .uint8, keepsAspectRatio: true, border: .zero)
    #expect(digest(try converter.tensor(of: image, orientation: expected.orientation)) == expected.digest)
  }

  @Test("samples a small image to the same bytes as MediaPipe")
  func samplesSmallImage() throws {
    let image = try TestImages.pattern(width: 5, height: 4)
    var converter = try ImageToTensor(width: 3, height: 4, encoding: .uint8)
    #expect(
      try converter.tensor(of: image) == [
        0, 50, 100, 12, 62, 112, 23, 73, 123,
        13, 63, 113, 25, 75, 125, 36, 86, 136,
        26, 76, 126, 38, 88, 138, 50, 100, 150,
        39, 89, 139, 51, 101, 151, 63, 113, 163,
      ])
  }
}

extension Tag {
  @Tag static var golden: Self
}
