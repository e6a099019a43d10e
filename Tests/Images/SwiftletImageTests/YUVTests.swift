import SwiftletImage
import Testing

@Suite("YUV images")
struct YUVTests {
  private func makeImage(
    luma: [UInt8], lumaBytesPerRow: Int, chroma: [UInt8], chromaBytesPerRow: Int, width: Int, height: Int,
    encoding: YUVEncoding
  ) throws -> ImageBuffer {
    try luma.withUnsafeBytes { luma in
      try chroma.withUnsafeBytes { chroma in
        try ImageBuffer(
          lumaPlane: luma, lumaBytesPerRow: lumaBytesPerRow, chromaPlane: chroma,
          chromaBytesPerRow: chromaBytesPerRow, width: width, height: height, encoding: encoding)
      }
    }
  }

  private func pixel(_ y: UInt8, _ u: UInt8, _ v: UInt8, _ encoding: YUVEncoding) throws -> [UInt8] {
    try makeImage(
      luma: [y], lumaBytesPerRow: 1, chroma: [u, v], chromaBytesPerRow: 2, width: 1, height: 1, encoding: encoding
    ).packedBytes()
  }

  @Test("black, white, and the primaries of video range are exact")
  func videoRange() throws {
    let standard = YUVEncoding(range: .video)
    #expect(try pixel(16, 128, 128, standard) == [0, 0, 0])
    #expect(try pixel(235, 128, 128, standard) == [255, 255, 255])
    #expect(try pixel(81, 90, 240, standard) == [254, 0, 0])
    #expect(try pixel(145, 54, 34, standard) == [0, 255, 1])
    #expect(try pixel(41, 240, 110, standard) == [0, 0, 255])
    let high = YUVEncoding(range: .video, matrix: .bt709)
    #expect(try pixel(63, 102, 240, high) == [255, 1, 0])
  }

  @Test(
    "BT.2020 colors are decoded correctly",
    arguments: [YUVEncoding.Range.video, .full])
  func ultraHighDefinition(range: YUVEncoding.Range) throws {
    // Rec. ITU-R BT.2020-2, table 4: the luma weights of red and blue.
    let (redShare, blueShare) = (0.2627, 0.0593)
    let (luma, chroma, black) = range == .video ? (219.0, 224.0, 16.0) : (255.0, 255.0, 0.0)
    for rgb in [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [180, 90, 20], [12, 200, 150]] as [[UInt8]] {
      let (red, green, blue) = (Double(rgb[0]) / 255, Double(rgb[1]) / 255, Double(rgb[2]) / 255)
      let brightness = redShare * red + (1 - redShare - blueShare) * green + blueShare * blue
      let (u, v) = ((blue - brightness) / 1.8814, (red - brightness) / 1.4746)
      func byte(_ value: Double) -> UInt8 { UInt8(min(value.rounded(), 255)) }
      let found = try pixel(
        byte(luma * brightness + black), byte(chroma * u + 128), byte(chroma * v + 128),
        YUVEncoding(range: range, matrix: .bt2020))
      #expect(zip(found, rgb).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(rgb): \(found)")
    }
    let red = YUVEncoding(range: .full, matrix: .bt2020)
    #expect(try pixel(100, 128, 228, red) != pixel(100, 128, 228, YUVEncoding(range: .full, matrix: .bt709)))
  }

  @Test("full range matches Pillow's colors within one step")
  func fullRange() throws {
    // Expected: Image.frombytes("YCbCr", …).convert("RGB") of Pillow.
    let expected: [([UInt8], [UInt8])] = [
      ([128, 128, 128], [128, 128, 128]), ([76, 85, 255], [254, 0, 0]), ([200, 60, 90], [146, 250, 79]),
      ([0, 0, 0], [0, 135, 0]), ([255, 255, 255], [255, 120, 255]), ([30, 200, 140], [46, 0, 157]),
    ]
    for (yuv, rgb) in expected {
      let pixel = try pixel(yuv[0], yuv[1], yuv[2], YUVEncoding(range: .full))
      #expect(zip(pixel, rgb).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(yuv): \(pixel)")
    }
  }

  @Test("four pixels share a chroma value, also with odd sizes and padded rows")
  func sharesColors() throws {
    let luma: [UInt8] = [100, 110, 120, 0, 130, 140, 150, 0, 160, 170, 180]
    let chroma: [UInt8] = [90, 200, 128, 128, 1, 128, 128, 200, 90]
    let image = try makeImage(
      luma: luma, lumaBytesPerRow: 4, chroma: chroma, chromaBytesPerRow: 5, width: 3, height: 3,
      encoding: YUVEncoding(range: .full))
    let bytes = image.packedBytes()
    func expected(_ y: UInt8, _ u: UInt8, _ v: UInt8) throws -> [UInt8] {
      try pixel(y, u, v, YUVEncoding(range: .full))
    }
    #expect(Array(bytes[0..<3]) == (try expected(100, 90, 200)))
    #expect(Array(bytes[12..<15]) == (try expected(140, 90, 200)))
    #expect(Array(bytes[6..<9]) == (try expected(120, 128, 128)))
    #expect(Array(bytes[18..<21]) == (try expected(160, 128, 128)))
    #expect(Array(bytes[24..<27]) == (try expected(180, 200, 90)))
  }

  @Test("Cr may come first in the chroma plane")
  func redFirst() throws {
    let nv21 = YUVEncoding(range: .full, chromaOrder: .redFirst)
    #expect(try pixel(120, 200, 90, nv21) == pixel(120, 90, 200, YUVEncoding(range: .full)))
  }

  @Test("planes that are too small are rejected")
  func refusesSmallPlanes() {
    func code(_ luma: Int, _ lumaRow: Int, _ chroma: Int, _ chromaRow: Int) -> ImageError.Code? {
      imageError {
        _ = try makeImage(
          luma: [UInt8](repeating: 0, count: luma), lumaBytesPerRow: lumaRow,
          chroma: [UInt8](repeating: 0, count: chroma), chromaBytesPerRow: chromaRow, width: 5, height: 5,
          encoding: YUVEncoding(range: .full))
      }?.code
    }
    #expect(code(25, 5, 18, 6) == nil)
    #expect(code(24, 5, 18, 6) == .tooFewBytes)
    #expect(code(25, 5, 17, 6) == .tooFewBytes)
    #expect(code(25, 4, 18, 6) == .invalidStride)
    #expect(code(25, 5, 18, 5) == .invalidStride)
  }
}
