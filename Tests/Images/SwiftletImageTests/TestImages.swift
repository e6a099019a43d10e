import SwiftletImage
import SwiftletTestSupport

/// Images defined by a formula, so that other programs can generate identical ones.
enum TestImages {
  /// Returns an image with `((7x + 13y + 50c) ^ (x·y / 8)) & 255` for column x, row y, channel c.
  static func pattern(width: Int, height: Int, format: PixelFormat = .rgb8, rowPadding: Int = 0) throws -> ImageBuffer {
    let offsets = format.colorOffsets
    var bytes: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        var pixel = [UInt8](repeating: 9, count: format.bytesPerPixel)
        for (channel, offset) in [(2, offsets.blue), (1, offsets.green), (0, offsets.red)] {
          pixel[offset] = UInt8(truncatingIfNeeded: (7 * x + 13 * y + 50 * channel) ^ (x * y / 8))
        }
        bytes += pixel
      }
      bytes += [UInt8](repeating: 201, count: rowPadding)
    }
    return try ImageBuffer(
      bytes: bytes, width: width, height: height, bytesPerRow: width * format.bytesPerPixel + rowPadding,
      pixelFormat: format)
  }
}

/// Returns the 64-bit FNV-1a hash, which is short enough to store expected tensors in a test.
func digest(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

extension ImageToTensor {
  /// Converts into a new array, filled with a value that reveals elements that were not written.
  mutating func tensor(
    of image: ImageBuffer, region: NormalizedRect = .fullImage, flipsHorizontally: Bool = false
  ) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0xA5, count: byteCount)
    _ = try bytes.withUnsafeMutableBytes {
      try convert(image, region: region, flipsHorizontally: flipsHorizontally, into: $0)
    }
    return bytes
  }

  mutating func tensor(
    of image: ImageBuffer, orientation: ImageOrientation, regionOfInterest: NormalizedRect = .fullImage
  ) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0xA5, count: byteCount)
    _ = try bytes.withUnsafeMutableBytes {
      try convert(image, orientation: orientation, regionOfInterest: regionOfInterest, into: $0)
    }
    return bytes
  }

  mutating func floats(of image: ImageBuffer) throws -> [Float] {
    try tensor(of: image).withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
  }
}

/// Returns the error of a call, so that its message can be checked.
func imageError(_ body: () throws -> Void) -> ImageError? { thrownError(body) }
