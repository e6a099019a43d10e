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
  // Four channels are the usual case, because three are converted to four.
  if pixelBytes == 4 {
    averageColumns(shares, count: count, { floats((row + 4 &* $0).loadUnaligned(as: SIMD4<UInt8>.self)) }) {
      UnsafeMutableRawPointer(line + 4 &* $0).storeBytes(of: $1, as: SIMD4<Float>.self)
    }
    return
  }
  var channel = 0
  while channel < pixelBytes {
    averageColumns(
      shares, count: count, { Float(row.load(fromByteOffset: pixelBytes &* $0 &+ channel, as: UInt8.self)) }
    ) {
      line[pixelBytes &* $0 &+ channel] = $1
    }
    channel &+= 1
  }
}

/// Calls `store` with each target and the sum of its pixels' values.
@inline(__always)
private func averageColumns<Value: AveragedValue>(
  _ shares: UnsafePointer<AreaShare>, count: Int, _ load: (Int) -> Value, _ store: (Int, Value) -> Void
) {
  guard count > 0 else { return }
  var (target, sum, index) = (shares[0].target, Value.zero, 0)
  while index < count {
    let share = shares[index]
    if share.target != target {
      store(target, sum)
      (target, sum) = (share.target, .zero)
    }
    sum = sum + load(share.source) * share.share
    index &+= 1
  }
  store(target, sum)
}

/// A channel, or all channels of a pixel.
private protocol AveragedValue {
  static var zero: Self { get }
  static func + (_: Self, _: Self) -> Self
  static func * (_: Self, _: Float) -> Self
}
extension Float: AveragedValue {}
extension SIMD4<Float>: AveragedValue {}

/// Converts bytes exactly: the bits of 2²³ plus an integer end with the integer.
@inline(__always)
private func floats(_ bytes: SIMD4<UInt8>) -> SIMD4<Float> {
  let bits = SIMD4<UInt32>(truncatingIfNeeded: bytes) | SIMD4(repeating: Float(0x1p23).bitPattern)
  return unsafeBitCast(bits, to: SIMD4<Float>.self) - 0x1p23
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
  while index &+ 4 <= count {
    let four = UnsafeRawPointer(sums + index).loadUnaligned(as: SIMD4<Float>.self)
    let limited = four.replacing(with: 255, where: four .> 255)
    let whole = unsafeBitCast(limited + 0x1p23, to: SIMD4<UInt32>.self)
    UnsafeMutableRawPointer(bytes + index)
      .storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: whole), as: SIMD4<UInt8>.self)
    index &+= 4
  }
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
