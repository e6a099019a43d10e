import SwiftletKernels

/// Averages the columns of a row of pixels, in the order of the shares.
///
/// - Parameters:
///   - pixelBytes: The channels of a pixel, 1, 3, or 4.
///   - line: The averages, channel by channel. Targets without a share keep theirs.
@inline(__always)
func averageColumns(
  _ shares: UnsafePointer<AreaShare>, count: Int, pixelBytes: Int, row: UnsafeRawPointer,
  into line: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index < count {
    let target = shares[index].target
    var sum = SIMD4<Float>.zero
    while index < count, shares[index].target == target {
      let share = shares[index]
      sum += pixel(row + share.source &* pixelBytes, pixelBytes) * share.share
      index &+= 1
    }
    let place = line + target &* pixelBytes
    place[0] = sum.x
    if pixelBytes > 1 {
      place[1] = sum.y
      place[2] = sum.z
    }
    if pixelBytes > 3 { place[3] = sum.w }
  }
}

/// Returns the channels of a pixel. Absent ones are zero.
@inline(__always)
private func pixel(_ bytes: UnsafeRawPointer, _ count: Int) -> SIMD4<Float> {
  if count == 4 { return SIMD4<Float>(bytes.loadUnaligned(as: SIMD4<UInt8>.self)) }
  let first = Float(bytes.load(as: UInt8.self))
  guard count == 3 else { return SIMD4(first, 0, 0, 0) }
  return SIMD4(
    first, Float(bytes.load(fromByteOffset: 1, as: UInt8.self)), Float(bytes.load(fromByteOffset: 2, as: UInt8.self)),
    0)
}

/// Adds a share of a line to sums.
@inline(__always)
func addShare(
  of line: UnsafePointer<Float>, _ share: Float, count: Int, to sums: UnsafeMutablePointer<Float>
) {
  var index = 0
  while index &+ 4 <= count {
    let target = UnsafeMutableRawPointer(sums + index)
    let more = UnsafeRawPointer(line + index).loadUnaligned(as: SIMD4<Float>.self) * share
    target.storeBytes(of: target.loadUnaligned(as: SIMD4<Float>.self) + more, as: SIMD4<Float>.self)
    index &+= 4
  }
  while index < count {
    sums[index] += line[index] * share
    index &+= 1
  }
}

/// Rounds nonnegative sums to the nearest bytes, ties to even.
@inline(__always)
func roundSums(_ sums: UnsafePointer<Float>, count: Int, into bytes: UnsafeMutablePointer<UInt8>) {
  var index = 0
  while index < count {
    bytes[index] = rounded(sums[index])
    index &+= 1
  }
}

/// Rounds a nonnegative number to the nearest byte, ties to even.
@inline(__always)
private func rounded(_ value: Float) -> UInt8 {
  // At this magnitude, adjacent floats differ by 1, so the addition rounds. The standard rounding function would call a
  // library.
  let whole = (value + 0x1.8p23).bitPattern &- Float(0x1.8p23).bitPattern
  return UInt8(truncatingIfNeeded: min(whole, 255))
}

/// Averages blocks of `across` × `down` pixels, as many as `count`, to one pixel each.
///
/// Like in OpenCV, blocks of 2 × 2 pixels round half up, and all others round half to even.
@inline(__always)
func averageBlocks(
  _ source: UnsafeRawPointer, bytesPerRow: Int, pixelBytes: Int, across: Int, down: Int, count: Int,
  into bytes: UnsafeMutablePointer<UInt8>
) {
  let share = 1 / Float(across &* down)
  let isQuarter = across == 2 && down == 2
  var (block, target) = (source, bytes)
  let end = bytes + count &* pixelBytes
  while target < end {
    var channel = 0
    while channel < pixelBytes {
      var (sum, line, y) = (0, block + channel, 0)
      while y < down {
        var (place, x) = (line, 0)
        while x < across {
          sum &+= Int(place.load(as: UInt8.self))
          place += pixelBytes
          x &+= 1
        }
        line += bytesPerRow
        y &+= 1
      }
      target[channel] = isQuarter ? UInt8(truncatingIfNeeded: (sum &+ 2) >> 2) : rounded(Float(sum) * share)
      channel &+= 1
    }
    block += across &* pixelBytes
    target += pixelBytes
  }
}
