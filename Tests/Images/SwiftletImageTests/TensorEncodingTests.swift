import SwiftletImage
import Testing

@Suite("Tensor encodings and channels")
struct TensorEncodingTests {
  private static let ramp = try? ImageBuffer(
    bytes: (0..<256).map { UInt8($0) }, width: 256, height: 1, pixelFormat: .gray8)

  private func bytes(_ encoding: TensorPixelEncoding) throws -> [UInt8] {
    var converter = try ImageToTensor(width: 256, height: 1, channels: .gray, encoding: encoding)
    return try converter.tensor(of: #require(Self.ramp))
  }

  @Test("floats are scaled, then shifted, with separate rounding")
  func floatsAreScaled() throws {
    var converter = try ImageToTensor(
      width: 256, height: 1, channels: .gray,
      encoding: .float32(PixelNormalization(mean: [127.5], standardDeviation: [127.5])))
    let values = try converter.floats(of: #require(Self.ramp))
    let scale: Float = 2 / 255
    #expect(values == (0..<256).map { Float($0) * scale + -1 })
    #expect(values.first == -1)
    #expect(values[128] == 0.003921628)
    var unit = try ImageToTensor(width: 256, height: 1, channels: .gray, encoding: .float32(.zeroToOne))
    #expect(try unit.floats(of: #require(Self.ramp)).last == 1)
  }

  @Test("each channel has its own mean and deviation")
  func perChannelNormalization() throws {
    let image = try ImageBuffer(bytes: [10, 20, 30], width: 1, height: 1, pixelFormat: .rgb8)
    let normalization = try PixelNormalization(mean: [0, 10, 40], standardDeviation: [1, 2, 10])
    var converter = try ImageToTensor(width: 1, height: 2, encoding: .float32(normalization))
    #expect(try converter.floats(of: image) == [10, 5, -1, 10, 5, -1])
  }

  @Test("signed bytes are bytes minus 128")
  func signedBytes() throws {
    #expect(try bytes(.int8).map { Int8(bitPattern: $0) } == (-128...127).map { Int8($0) })
  }

  @Test("quantized values are rounded half away from zero and clamped")
  func quantizedValues() throws {
    let signed = try bytes(.quantizedInt8(.unchanged, scale: 2, zeroPoint: -100)).map { Int8(bitPattern: $0) }
    #expect(signed[0] == -100)
    #expect(signed[1] == -99)
    #expect(signed[255] == 28)
    let negative = try PixelNormalization(scale: [1], offset: [-255])
    let below = try bytes(.quantizedInt8(negative, scale: 2, zeroPoint: 0)).map { Int8(bitPattern: $0) }
    #expect(below[254] == -1)
    #expect(below[0] == -128)
    #expect(try bytes(.quantizedInt8(.unchanged, scale: 0.5, zeroPoint: -128))[200] == 127)
    let halves = try bytes(.quantizedUInt8(.unchanged, scale: 2, zeroPoint: 3))
    #expect(halves[0] == 3)
    #expect(halves[1] == 4)
    #expect(halves[3] == 5)
    #expect(halves[255] == 131)
    let clamped = try bytes(.quantizedUInt8(.unchanged, scale: 0.5, zeroPoint: 0))
    #expect(clamped[100] == 200)
    #expect(clamped[200] == 255)
  }

  @Test("gray fills every channel, and alpha is opaque unless the image has alpha")
  func channelsAreFilled() throws {
    let gray = try ImageBuffer(bytes: [7, 9], width: 2, height: 1, pixelFormat: .gray8)
    var rgb = try ImageToTensor(width: 2, height: 1, encoding: .uint8)
    #expect(try rgb.tensor(of: gray) == [7, 7, 7, 9, 9, 9])
    var rgba = try ImageToTensor(width: 2, height: 1, channels: .rgba, encoding: .uint8)
    #expect(try rgba.tensor(of: gray) == [7, 7, 7, 255, 9, 9, 9, 255])
    let color = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6], width: 2, height: 1, pixelFormat: .rgb8)
    #expect(try rgba.tensor(of: color) == [1, 2, 3, 255, 4, 5, 6, 255])
    let transparent = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6, 7, 8], width: 2, height: 1, pixelFormat: .bgra8)
    #expect(try rgba.tensor(of: transparent) == [3, 2, 1, 4, 7, 6, 5, 8])
  }

  @Test("floats of gray images fill three channels")
  func grayFloats() throws {
    let gray = try TestImages.pattern(width: 6, height: 5, format: .gray8)
    var converter = try ImageToTensor(width: 6, height: 5, encoding: .float32(.unchanged))
    #expect(try converter.floats(of: gray) == gray.converted(to: .rgb8).packedBytes().map(Float.init))
    var four = try ImageToTensor(width: 6, height: 5, channels: .rgba, encoding: .float32(.unchanged))
    #expect(try four.floats(of: gray) == gray.converted(to: .rgba8).packedBytes().map(Float.init))
  }

  @Test("color becomes gray by its luma")
  func colorToGray() throws {
    let image = try TestImages.pattern(width: 6, height: 5, format: .bgra8)
    var converter = try ImageToTensor(width: 6, height: 5, channels: .gray, encoding: .uint8)
    #expect(try converter.tensor(of: image) == image.converted(to: .gray8).packedBytes())
  }
}
