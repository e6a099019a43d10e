import SwiftletKernels

/// Converts pixels to another format. Color becomes luma, and a new alpha channel is opaque.
@inline(__always)
func convertPixels(
  _ conversion: PixelConversion, count: Int, _ source: UnsafePointer<UInt8>, into target: UnsafeMutablePointer<UInt8>
) {
  var (from, to, index) = (source, target, 0)
  while index < count {
    let (red, green, blue) = (from[conversion.red], from[conversion.green], from[conversion.blue])
    if conversion.targetBytes == 1 {
      to[0] = luma(red: red, green: green, blue: blue)
    } else {
      let alpha = conversion.sourceBytes == 4 ? from[3] : 255
      to[conversion.targetRed] = red
      to[1] = green
      to[conversion.targetBlue] = blue
      if conversion.targetBytes == 4 { to[3] = alpha }
    }
    from += conversion.sourceBytes
    to += conversion.targetBytes
    index &+= 1
  }
}

/// Converts a row of luma, and the chroma that two columns share, to red, green, and blue.
@inline(__always)
func convertChroma(
  _ factors: ChromaConversion, count: Int, luma: UnsafePointer<UInt8>, chroma: UnsafePointer<UInt8>,
  into target: UnsafeMutablePointer<UInt8>
) {
  var (to, column) = (target, 0)
  while column < count {
    let pair = chroma + (column &>> 1) &* 2
    let (first, second) = (Int32(pair[0]) &- 128, Int32(pair[1]) &- 128)
    let (u, v) = factors.isRedFirst != 0 ? (second, first) : (first, second)
    // Factors are below 2¹⁸ and differences below 2⁸, so sums of three products fit 32 bits.
    let brightness = (Int32(luma[column]) &- factors.black) &* factors.luma
    to[0] = byte(brightness &+ v &* factors.redFromV)
    to[1] = byte(brightness &+ u &* factors.greenFromU &+ v &* factors.greenFromV)
    to[2] = byte(brightness &+ u &* factors.blueFromU)
    to += 3
    column &+= 1
  }
}

/// Rounds a 16-bit fixed-point number to a byte.
@inline(__always)
private func byte(_ value: Int32) -> UInt8 {
  UInt8(truncatingIfNeeded: min(max((value &+ 32768) >> 16, 0), 255))
}

/// Copies pixels that are `stride` bytes apart.
@inline(__always)
func movePixels(
  _ source: UnsafePointer<UInt8>, stride: Int, count: Int, pixelBytes: Int, into target: UnsafeMutablePointer<UInt8>
) {
  var (from, to, index) = (source, target, 0)
  while index < count {
    to[0] = from[0]
    if pixelBytes > 1 {
      to[1] = from[1]
      to[2] = from[2]
    }
    if pixelBytes > 3 { to[3] = from[3] }
    to += pixelBytes
    // The first pixel is in the image, and so is the next one if there is one.
    index &+= 1
    if index < count { from += stride }
  }
}

/// Interpolates between pixels of a line, channel by channel.
@inline(__always)
func mixPixels(
  _ line: UnsafePointer<UInt8>, _ taps: UnsafePointer<FixedPointTap>, count: Int, pixelBytes: Int,
  into sums: UnsafeMutablePointer<Int32>
) {
  var (to, index) = (sums, 0)
  while index < count {
    let tap = taps[index]
    var channel = 0
    while channel < pixelBytes {
      to[channel] =
        Int32(line[tap.index0 &+ channel]) &* tap.weight0 &+ Int32(line[tap.index1 &+ channel]) &* tap.weight1
      channel &+= 1
    }
    to += pixelBytes
    index &+= 1
  }
}

/// Interpolates between two lines of sums, truncated where OpenCV truncates them.
@inline(__always)
func mixLines(
  _ upper: UnsafePointer<Int32>, _ lower: UnsafePointer<Int32>, _ weight0: Int32, _ weight1: Int32, count: Int,
  into target: UnsafeMutablePointer<UInt8>
) {
  var index = 0
  while index < count {
    let first = (weight0 &* (upper[index] >> 4)) >> 16
    let second = (weight1 &* (lower[index] >> 4)) >> 16
    target[index] = UInt8(truncatingIfNeeded: (first &+ second &+ 2) >> 2)
    index &+= 1
  }
}
