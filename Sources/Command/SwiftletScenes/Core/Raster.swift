import SwiftletImage

/// A picture that is being painted: red, green and blue shares of every pixel, row after row.
struct Raster: Sendable {
  let width: Int
  let height: Int
  var samples: [Float]

  init(width: Int, height: Int) {
    self.width = width
    self.height = height
    samples = [Float](repeating: 0, count: width * height * 3)
  }

  /// The length that sizes are shares of: the shorter side.
  var side: Float { Float(Swift.min(width, height)) }

  /// Lays a colour over a pixel.
  ///
  /// - Parameter share: how much of the colour, 0…1; the rest is what was there.
  @inline(__always) mutating func blend(_ column: Int, _ row: Int, _ tint: Tint, _ share: Float) {
    let offset = (row * width + column) * 3
    samples.withUnsafeMutableBufferPointer { samples in
      samples[offset] += (tint.red - samples[offset]) * share
      samples[offset + 1] += (tint.green - samples[offset + 1]) * share
      samples[offset + 2] += (tint.blue - samples[offset + 2]) * share
    }
  }

  /// Calls `body` with the pixels of a rectangle around a point that lie in the picture, by their centres relative to
  /// the point, y upwards.
  ///
  /// - Parameter body: column, row, distance to the right of and above the point, in pixels.
  @inline(__always) static func forEachPixel(
    around centerX: Float, _ centerY: Float, reach: Float, width: Int, height: Int,
    _ body: (Int, Int, Float, Float) -> Void
  ) {
    let columns = range(centerX, reach, width)
    var row = range(centerY, reach, height).lowerBound
    let end = range(centerY, reach, height).upperBound
    while row < end {
      var column = columns.lowerBound
      while column < columns.upperBound {
        body(column, row, Float(column) + 0.5 - centerX, centerY - Float(row) - 0.5)
        column += 1
      }
      row += 1
    }
  }

  /// The pixels of a line that are within reach of a place on it.
  static func range(_ center: Float, _ reach: Float, _ count: Int) -> Range<Int> {
    let first = Int(Swift.min(Swift.max(center - reach, 0), Float(count)))
    let end = Int(Swift.min(Swift.max(center + reach + 1, 0), Float(count)))
    return first..<Swift.max(first, end)
  }

  /// The bytes of the picture, rounded.
  var bytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: samples.count) { bytes, count in
      samples.withUnsafeBufferPointer { samples in
        var index = 0
        while index < samples.count {
          bytes[index] = UInt8(unit(samples[index]) * 255 + 0.5)
          index += 1
        }
      }
      count = samples.count
    }
  }

  /// - Throws: `ImageError` when a picture cannot be that large.
  func image() throws -> ImageBuffer { try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .rgb8) }
}
