import SwiftletImage
import Testing

@Suite("Image to tensor, misuse")
struct ImageToTensorErrorTests {
  private func code(_ body: () throws -> Void) -> ImageError.Code? { imageError(body)?.code }

  @Test(
    "rejects regions that are empty, NaN, or too far away",
    arguments: [
      NormalizedRect(left: 0.5, top: 0, right: 0.5, bottom: 1),
      NormalizedRect(left: 0, top: 0.7, right: 1, bottom: 0.2),
      NormalizedRect(left: .nan, top: 0, right: 1, bottom: 1),
      NormalizedRect(left: 0, top: 0, right: .infinity, bottom: 1),
      NormalizedRect(center: NormalizedPoint(x: 1e9, y: 0), width: 1, height: 1),
      NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: 1, rotation: .nan),
      NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: 1, rotation: 1e30),
      NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1e-30, height: 1e-30),
    ])
  func refusesRegions(region: NormalizedRect) throws {
    let image = try TestImages.pattern(width: 10, height: 10)
    for keepsAspectRatio in [true, false] {
      var converter = try ImageToTensor(width: 8, height: 8, encoding: .uint8, keepsAspectRatio: keepsAspectRatio)
      #expect(code { _ = try converter.tensor(of: image, region: region) } == .invalidRegion)
    }
  }

  @Test("rejects a tensor buffer that is too small, and nonexistent rows")
  func refusesSmallBuffers() throws {
    let image = try TestImages.pattern(width: 10, height: 10)
    var converter = try ImageToTensor(width: 8, height: 8, encoding: .float32(.zeroToOne))
    var small = [UInt8](repeating: 0, count: converter.byteCount - 1)
    let error = imageError { _ = try small.withUnsafeMutableBytes { try converter.convert(image, into: $0) } }
    #expect(error?.code == .tooFewBytes)
    #expect(error?.message.contains("takes 768 bytes, but the buffer has 767") == true)
    var bytes = [UInt8](repeating: 0, count: converter.byteCount)
    for rows in [0..<9, -1..<3, 8..<20] {
      #expect(code { try bytes.withUnsafeMutableBytes { try converter.convertRows(rows, of: image, into: $0) } } != nil)
    }
  }

  @Test("rejects rows of an image it was not prepared for")
  func refusesUnprepared() throws {
    let image = try TestImages.pattern(width: 10, height: 10)
    var converter = try ImageToTensor(width: 8, height: 8, encoding: .uint8)
    var bytes = [UInt8](repeating: 0, count: converter.byteCount)
    func convert(_ image: ImageBuffer) -> ImageError? {
      imageError { try bytes.withUnsafeMutableBytes { try converter.convertRows(0..<8, of: image, into: $0) } }
    }
    #expect(convert(image)?.message.contains("nothing was prepared") == true)
    try converter.prepare(for: image)
    #expect(convert(image) == nil)
    let padded = try TestImages.pattern(width: 10, height: 10, rowPadding: 1)
    #expect(convert(padded)?.code == .invalidParameter)
    let empty = NormalizedRect(left: 0, top: 0, right: 0, bottom: 0)
    #expect(imageError { try converter.prepare(for: image, region: empty) }?.code == .invalidRegion)
    #expect(convert(image)?.message.contains("nothing was prepared") == true)
  }

  @Test("rejects empty and excessive tensors", arguments: [(0, 1), (1, 0), (-3, 3), (1, 1 << 20)])
  func refusesTensorSizes(width: Int, height: Int) {
    #expect(code { _ = try ImageToTensor(width: width, height: height, encoding: .uint8) } == .invalidSize)
  }

  @Test("rejects inconsistent normalizations")
  func refusesNormalizations() throws {
    #expect(code { _ = try PixelNormalization(mean: [1], standardDeviation: [0]) } == .invalidParameter)
    #expect(code { _ = try PixelNormalization(mean: [1, 2], standardDeviation: [1]) } == .invalidParameter)
    #expect(code { _ = try PixelNormalization(mean: [], standardDeviation: []) } == .invalidParameter)
    #expect(code { _ = try PixelNormalization(mean: [.nan], standardDeviation: [1]) } == .invalidParameter)
    let two = try PixelNormalization(scale: [1, 1], offset: [0, 0])
    #expect(code { _ = try ImageToTensor(width: 1, height: 1, encoding: .float32(two)) } == .invalidParameter)
    for (scale, zeroPoint) in [(Float(0), 0), (-1, 0), (.nan, 0), (1, 300), (1, -1)] {
      let encoding = TensorPixelEncoding.quantizedUInt8(.zeroToOne, scale: scale, zeroPoint: zeroPoint)
      #expect(code { _ = try ImageToTensor(width: 1, height: 1, encoding: encoding) } == .invalidParameter)
    }
  }
}
