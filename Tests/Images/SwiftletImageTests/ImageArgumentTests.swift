import SwiftletBase
import Testing

@testable import SwiftletImage

/// Checks that any argument produces a result, an error, or the documented behavior, and never ends the process.
@Suite("Image arguments")
struct ImageArgumentTests {
  static let integers: [Int] = [.min, .min + 1, -(1 << 40), -1, 0, 1, 2, 1 << 20, 1 << 31, 1 << 40, .max - 1, .max]
  static let floats: [Float] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e30,
    -1e30, 1e-30, 16_777_216, -1, 0, 0.5, 1,
  ]

  private static func makeImage() throws -> ImageBuffer {
    try ImageBuffer(bytes: [UInt8](repeating: 9, count: 48), width: 4, height: 4, pixelFormat: .rgb8)
  }

  @Test("image sizes and strides", arguments: integers)
  func sizes(number: Int) throws {
    let bytes = [UInt8](repeating: 1, count: 12)
    for (width, height, stride) in [
      (number, 1, nil), (1, number, nil), (number, number, nil), (1, 1, number), (1, 2, number), (number, 2, number),
    ] as [(Int, Int, Int?)] {
      for format in [PixelFormat.gray8, .rgb8, .rgba8, .bgra8] {
        _ = try? ImageBuffer(bytes: bytes, width: width, height: height, bytesPerRow: stride, pixelFormat: format)
        bytes.withUnsafeBytes {
          _ = try? ImageBuffer(copying: $0, width: width, height: height, bytesPerRow: stride, pixelFormat: format)
        }
      }
      bytes.withUnsafeBytes { plane in
        _ = try? ImageBuffer(
          lumaPlane: plane, lumaBytesPerRow: stride ?? width, chromaPlane: plane, chromaBytesPerRow: stride ?? width,
          width: width, height: height,
          encoding: YUVEncoding(range: .full))
      }
    }
  }

  @Test("sizes of copies, where an impossible size is an error", arguments: integers)
  func copies(number: Int) throws {
    let image = try Self.makeImage()
    for (width, height) in [(number, 1), (1, number), (number, number)] where width != 1 << 20 || height <= 1 {
      _ = try? image.resized(width: width, height: height)
    }
    #expect(
      !AvailableMemory.has(.max) && !AvailableMemory.has(1 << 60) && !AvailableMemory.has(-1)
        && AvailableMemory.has(1 << 20))
    let error = #expect(throws: ImageError.self) { try image.resized(width: 1 << 20, height: 1 << 20) }
    #expect(error?.code == .invalidSize)
    _ = try? image.averaged(width: number, height: number)
    _ = try? ImageToTensor(width: number, height: 1, encoding: .uint8)
    _ = try? ImageToTensor(width: 1, height: number, encoding: .uint8)
  }

  @Test("regions, points, and projections", arguments: floats)
  func regions(number: Float) throws {
    let image = try Self.makeImage()
    var converter = try ImageToTensor(
      width: 8, height: 2, encoding: .float32(.zeroToOne), keepsAspectRatio: true, border: .zero)
    var stretched = try ImageToTensor(width: 2, height: 8, encoding: .uint8)
    var tensor = [UInt8](repeating: 0, count: converter.byteCount)
    for rect in [
      NormalizedRect(center: NormalizedPoint(x: number, y: 0.5), width: 1, height: 1),
      NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: number, height: 1),
      NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: number),
      NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: 1, rotation: number),
      NormalizedRect(center: NormalizedPoint(x: number, y: number), width: number, height: number, rotation: number),
      NormalizedRect(left: number, top: -number, right: -number, bottom: number),
    ] {
      for orientation in [ImageOrientation.up, .right, .leftMirrored] {
        tensor.withUnsafeMutableBytes { memory in
          _ = try? converter.convert(image, orientation: orientation, regionOfInterest: rect, into: memory)
          _ = try? stretched.convert(image, orientation: orientation, regionOfInterest: rect, into: memory)
        }
        _ = rect.turnedUpright(orientation, imageWidth: 0, imageHeight: .max)
      }
    }
    let projection = ImageProjection(xx: number, xy: number, x0: number, yx: number, yy: number, y0: number)
    _ = projection.boundingBox(left: number, top: 0, right: 1, bottom: number)
    _ = projection.inverse
    _ = projection.followed(by: projection).matrix
    for size in Self.integers {
      _ = NormalizedPoint(x: number, y: number).inPixels(width: size, height: size).normalized(
        width: size, height: size)
    }
  }

  @Test("encodings", arguments: floats)
  func encodings(number: Float) throws {
    for normalization in [
      try? PixelNormalization(scale: [number], offset: [0]), try? PixelNormalization(scale: [1], offset: [number]),
      try? PixelNormalization(mean: [number], standardDeviation: [number]),
      try? PixelNormalization(mean: [], standardDeviation: []),
      try? PixelNormalization(mean: [1, 2, 3, 4, 5], standardDeviation: [1, 2, 3, 4, 5]), PixelNormalization.zeroToOne,
    ] {
      guard let normalization else { continue }
      for zeroPoint in [Int.min, -128, 0, 255, .max] {
        _ = try? ImageToTensor(
          width: 2, height: 2, encoding: .quantizedInt8(normalization, scale: number, zeroPoint: zeroPoint))
        _ = try? ImageToTensor(
          width: 2, height: 2, encoding: .quantizedUInt8(normalization, scale: number, zeroPoint: zeroPoint))
      }
    }
  }
}
