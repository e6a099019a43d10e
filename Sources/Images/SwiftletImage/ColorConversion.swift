/// Brightness of a colour by the weights of ITU-R BT.601, in 16-bit fixed point.
///
/// The weights sum to 65536, so white stays 255.
@inline(__always)
package func luma(red: UInt8, green: UInt8, blue: UInt8) -> UInt8 {
  UInt8(truncatingIfNeeded: (UInt32(red) &* 19595 &+ UInt32(green) &* 38470 &+ UInt32(blue) &* 7471 &+ 32768) &>> 16)
}

extension ImageBuffer {
  /// The same picture in another pixel format; itself when the format is the same already.
  ///
  /// Colour becomes grey by the BT.601 weights (0.299, 0.587, 0.114), grey becomes three equal channels, an alpha
  /// channel that the source lacks is filled with 255, and one that the target lacks is dropped without blending.
  ///
  /// - Throws: ``ImageError`` when the result would be too large to address.
  public func converted(to format: PixelFormat) throws(ImageError) -> ImageBuffer {
    guard format != pixelFormat else { return self }
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: width, height: height, pixelFormat: format) { target in
        for row in 0..<height {
          let from = UnsafeRawBufferPointer(rebasing: source[(row * bytesPerRow)...])
          let to = UnsafeMutableRawBufferPointer(rebasing: target[(row * width * format.bytesPerPixel)...])
          convertRow(from, to, format)
        }
      }
    }
  }

  private func convertRow(
    _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer, _ format: PixelFormat
  ) {
    let (red, green, blue) = pixelFormat.colorOffsets
    let (targetRed, targetGreen, targetBlue) = format.colorOffsets
    let step = pixelFormat.bytesPerPixel
    let targetStep = format.bytesPerPixel
    // Decided once, not for every pixel.
    let (isGray, keepsAlpha, addsAlpha) = (
      format == .gray8, format.hasAlpha && pixelFormat.hasAlpha, format.hasAlpha && !pixelFormat.hasAlpha
    )
    var from = 0
    var to = 0
    for _ in 0..<width {
      let color = (red: source[from + red], green: source[from + green], blue: source[from + blue])
      if isGray {
        target[to] = luma(red: color.red, green: color.green, blue: color.blue)
      } else {
        target[to + targetRed] = color.red
        target[to + targetGreen] = color.green
        target[to + targetBlue] = color.blue
        if keepsAlpha { target[to + 3] = source[from + 3] } else if addsAlpha { target[to + 3] = 255 }
      }
      from += step
      to += targetStep
    }
  }
}
