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
