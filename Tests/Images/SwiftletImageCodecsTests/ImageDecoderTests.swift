import SwiftletImage
import SwiftletImageCodecs
import SwiftletTestSupport
import Testing

@Suite("Image decoder")
struct ImageDecoderTests {
  @Test("reads every kind of PNG and JPEG like Pillow", arguments: CodecSamples.all)
  func readsEveryKind(sample: CodecSample) throws {
    let decoded = try ImageDecoder.decode(bytes: sample.bytes)
    #expect(decoded.image.width == sample.width)
    #expect(decoded.image.height == sample.height)
    #expect(decoded.image.pixelFormat == sample.format)
    #expect(decoded.orientation == .up)
    #expect(decoded.format == (sample.name.hasPrefix("JPEG") ? .jpeg : .png))
    #expect(digest(decoded.image.packedBytes()) == sample.digest)
  }

  /// The name, size, format, and orientation, and the sum of every byte times its position from 1, as read by Pillow.
  static let images: [(String, Int, Int, PixelFormat, ImageOrientation, UInt64)] = [
    ("burger.jpg", 480, 325, .rgb8, .up, 11_649_814_814_155),
    ("burger_palette.png", 240, 162, .rgb8, .up, 724_257_814_878),
    ("burger_rgb16.png", 240, 162, .rgb8, .up, 723_424_237_821),
    ("cats_and_dogs.jpg", 1200, 600, .rgb8, .up, 411_923_425_889_549),
    ("coupleanddog.jpeg", 370, 334, .rgb8, .up, 10_585_011_257_997),
    ("exif_Landscape_6.jpg", 1200, 1800, .rgb8, .right, 2_702_476_874_715_523),
    ("googlelogo.png", 544, 184, .rgba8, .up, 18_345_395_139_848),
    ("grace_hopper_exif8.jpg", 606, 517, .rgb8, .left, 39_554_203_775_938),
    ("grace_hopper_gray.jpg", 517, 606, .gray8, .up, 3_155_850_337_960),
    ("grace_hopper_gray16.png", 160, 188, .gray8, .up, 29_104_856_923),
    ("multi_objects.jpg", 902, 358, .rgb8, .up, 48_209_419_853_236),
    ("owl_cmyk.jpg", 512, 384, .rgb8, .up, 16_704_240_296_093),
    ("owl_progressive_444.jpg", 320, 240, .rgb8, .up, 2_548_978_806_542),
    ("segmentation_golden_rotation0.png", 257, 257, .gray8, .up, 247_227_152_540),
    ("sparrow.png", 1280, 851, .rgba8, .up, 97_378_915_519_380),
    ("table_420_odd.jpg", 333, 251, .rgb8, .up, 5_052_386_305_173),
  ]

  @Test(
    "reads real photos like Pillow", .enabled(if: TestData.has("images"), "\(TestData.skipReason)"),
    arguments: images)
  func readsPhotographs(
    name: String, width: Int, height: Int, format: PixelFormat, orientation: ImageOrientation, sum: UInt64
  ) throws {
    let decoded = try ImageDecoder.decode(path: TestData.path("images/\(name)"))
    #expect((decoded.image.width, decoded.image.height) == (width, height))
    #expect(decoded.image.pixelFormat == format)
    #expect(decoded.orientation == orientation)
    let weighted = decoded.image.withUnsafeBytes { bytes in
      var sum: UInt64 = 0
      var position: UInt64 = 1
      for byte in bytes {
        sum &+= UInt64(byte) &* position
        position &+= 1
      }
      return sum
    }
    #expect(weighted == sum)
  }

  @Test(
    "rotating upright swaps width and height if required",
    .enabled(if: TestData.has("images"), "\(TestData.skipReason)"))
  func turnsUpright() throws {
    let decoded = try ImageDecoder.decode(path: TestData.path("images/exif_Landscape_6.jpg"))
    let upright = try decoded.uprightImage()
    #expect((upright.width, upright.height) == (1800, 1200))
  }

  @Test("reports the file and the reason if it cannot be read")
  func namesUnreadableFiles() {
    let missing = codecError { _ = try ImageDecoder.decode(path: "/nowhere/to/be/found.png") }
    #expect(missing?.code == .unreadableFile)
    #expect(missing?.path == "/nowhere/to/be/found.png")
    #expect(missing?.message.contains("No such file") == true)
    let folder = codecError { _ = try ImageDecoder.decode(path: TestData.packagePath) }
    #expect(folder?.message.contains("is a directory") == true)
    let text = codecError { _ = try ImageDecoder.decode(path: TestData.packagePath + "/Package.swift") }
    #expect(text?.code == .unsupportedFormat)
    #expect(text?.path?.hasSuffix("Package.swift") == true)
    #expect(text?.message.contains("text (it begins with \"// swift-tools-version") == true)
  }

  @Test("rejects a file that is larger than allowed before reading it")
  func refusesLargeFiles() {
    var limits = ImageDecoderLimits.default
    limits.maximumFileByteCount = 10
    let error = codecError {
      _ = try ImageDecoder.decode(path: TestData.packagePath + "/Package.swift", limits: limits)
    }
    #expect(error?.code == .limitExceeded)
  }
}
