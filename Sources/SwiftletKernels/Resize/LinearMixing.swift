/// Two elements of a row that one output pixel mixes, and their shares.
package struct ColumnTap<Weight: Sendable>: Sendable {
  /// Elements from the start of the row to the first channel of the pixel.
  package var lower: Int32
  package var upper: Int32
  package var lowerWeight: Weight
  package var upperWeight: Weight

  package init(lower: Int32, upper: Int32, lowerWeight: Weight, upperWeight: Weight) {
    self.lower = lower
    self.upper = upper
    self.lowerWeight = lowerWeight
    self.upperWeight = upperWeight
  }
}

/// Bilinear interpolation in its two steps: two rows are mixed into one, then pairs of pixels of that row.
///
/// Integers count weights in units of 1/1024, so that the product of both steps counts in 1/2^20 and is exact.
package enum LinearMixing {
  // MARK: Float32

  /// `output[i] = first[i] * firstWeight + second[i] * secondWeight`.
  package static func mixRows(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ firstWeight: Float, _ secondWeight: Float, count: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    let vectors = count & ~7
    var index = 0
    while index < vectors {
      let sum = load8(first + index) * firstWeight + load8(second + index) * secondWeight
      UnsafeMutableRawPointer(output + index).storeBytes(of: sum, as: SIMD8<Float>.self)
      index &+= 8
    }
    while index < count {
      output[index] = first[index] * firstWeight + second[index] * secondWeight
      index &+= 1
    }
  }

  /// One output row: pixel after pixel, all channels.
  package static func mixColumns(
    _ row: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>, channels: Int,
    into output: UnsafeMutablePointer<Float>
  ) {
    var target = output
    for tap in taps {
      mixRows(
        row + Int(tap.lower), row + Int(tap.upper), tap.lowerWeight, tap.upperWeight, count: channels, into: target)
      target += channels
    }
  }

  @inline(__always)
  private static func load8(_ pointer: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(pointer).loadUnaligned(as: SIMD8<Float>.self)
  }

  // MARK: Integers

  /// `output[i] = first[i] * firstWeight + second[i] * secondWeight`, which fits for elements of up to 16 bits.
  package static func mixRows(
    _ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>, _ firstWeight: Int32, _ secondWeight: Int32, count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) {
    for index in 0..<count {
      output[index] = Int32(first[index]) &* firstWeight &+ Int32(second[index]) &* secondWeight
    }
  }

  /// The same for int16.
  package static func mixRows(
    _ first: UnsafePointer<Int16>, _ second: UnsafePointer<Int16>, _ firstWeight: Int32, _ secondWeight: Int32, count: Int,
    into output: UnsafeMutablePointer<Int32>
  ) {
    for index in 0..<count {
      output[index] = Int32(first[index]) &* firstWeight &+ Int32(second[index]) &* secondWeight
    }
  }

  /// One output row of int8, rounded half away from zero. The sums of 8-bit elements fit into 32 bits.
  package static func mixColumns(
    _ row: UnsafePointer<Int32>, taps: UnsafeBufferPointer<ColumnTap<Int32>>, channels: Int,
    into output: UnsafeMutablePointer<Int8>
  ) {
    var target = output
    for tap in taps {
      let lower = row + Int(tap.lower)
      let upper = row + Int(tap.upper)
      for channel in 0..<channels {
        let sum = lower[channel] &* tap.lowerWeight &+ upper[channel] &* tap.upperWeight
        let sign = sum >> 31
        let magnitude = (((sum ^ sign) &- sign) &+ (1 << 19)) >> 20
        target[channel] = Int8(truncatingIfNeeded: (magnitude ^ sign) &- sign)
      }
      target += channels
    }
  }

  /// One output row of int16, rounded half away from zero.
  package static func mixColumns(
    _ row: UnsafePointer<Int32>, taps: UnsafeBufferPointer<ColumnTap<Int32>>, channels: Int,
    into output: UnsafeMutablePointer<Int16>
  ) {
    var target = output
    for tap in taps {
      let lower = row + Int(tap.lower)
      let upper = row + Int(tap.upper)
      for channel in 0..<channels {
        let sum = Int64(lower[channel]) &* Int64(tap.lowerWeight) &+ Int64(upper[channel]) &* Int64(tap.upperWeight)
        let sign = sum >> 63
        let magnitude = (((sum ^ sign) &- sign) &+ (1 << 19)) >> 20
        target[channel] = Int16(truncatingIfNeeded: (magnitude ^ sign) &- sign)
      }
      target += channels
    }
  }

  // MARK: Uint8 through float32

  /// `output[i] = row[i] * weight`.
  package static func scaleRow(
    _ row: UnsafePointer<UInt8>, by weight: Float, count: Int, into output: UnsafeMutablePointer<Float>
  ) {
    for index in 0..<count { output[index] = Float(row[index]) * weight }
  }

  /// One output row of uint8 from two rows that are scaled already: four products added in the reference's order, then one half, then
  /// the fraction cut off.
  package static func mixColumns(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, taps: UnsafeBufferPointer<ColumnTap<Float>>, channels: Int,
    into output: UnsafeMutablePointer<UInt8>
  ) {
    var target = output
    for tap in taps {
      let (lower, upper) = (Int(tap.lower), Int(tap.upper))
      for channel in 0..<channels {
        let sum =
          first[lower &+ channel] * tap.lowerWeight + second[lower &+ channel] * tap.lowerWeight
          + first[upper &+ channel] * tap.upperWeight + second[upper &+ channel] * tap.upperWeight + 0.5
        // A mean of bytes lies from 0 to 255; the clamp only keeps rounding from leaving that.
        target[channel] = UInt8(truncatingIfNeeded: Int32(min(max(sum, 0), 255)))
      }
      target += channels
    }
  }
}
