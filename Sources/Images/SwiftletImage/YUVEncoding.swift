import SwiftletKernels

/// The encoding of luma and chroma in a YUV image.
public struct YUVEncoding: Sendable, Hashable {
  /// The range of the byte values: the values of black, white, and the most saturated colors.
  public enum Range: Sendable, Hashable {
    /// Video range, with luma 16…235 and chroma 16…240: television and most cameras (`420v`).
    case video
    /// Full range, 0…255 (`420f`, JPEG).
    case full
  }

  /// The weights of red, green, and blue in luma.
  public enum Matrix: Sendable, Hashable {
    /// Standard definition, and most still images.
    case bt601
    /// High definition.
    case bt709
    /// Ultra-high definition, with non-constant luminance.
    case bt2020

    /// The weights of red and blue in luma. Green has the rest.
    ///
    /// - Source: the recommendations ITU-R BT.601-7 (2.5.1), BT.709-6 (3.2), and BT.2020-2 (table 4, non-constant
    ///   luminance).
    var shares: (red: Double, blue: Double) {
      switch self {
      case .bt601: (0.299, 0.114)
      case .bt709: (0.2126, 0.0722)
      case .bt2020: (0.2627, 0.0593)
      }
    }
  }

  /// The order of the chroma components in the chroma plane.
  public enum ChromaOrder: Sendable, Hashable {
    /// Blue first: NV12, `420v`, `420f`.
    case blueFirst
    /// Red first: NV21, the cameras of Android.
    case redFirst
  }

  /// The range of luma and chroma.
  public var range: Range
  /// The weights of red, green, and blue.
  public var matrix: Matrix
  /// The order of the chroma components.
  public var chromaOrder: ChromaOrder

  /// Creates an encoding.
  public init(range: Range, matrix: Matrix = .bt601, chromaOrder: ChromaOrder = .blueFirst) {
    self.range = range
    self.matrix = matrix
    self.chromaOrder = chromaOrder
  }

  /// The factors in 16-bit fixed point.
  var conversion: ChromaConversion {
    let (red, blue) = matrix.shares
    let green = 1 - red - blue
    let (lumaScale, chromaScale): (Double, Double) = range == .video ? (255.0 / 219, 255.0 / 224) : (1, 1)
    func fixed(_ value: Double) -> Int32 { Int32((value * 65536).rounded()) }
    return ChromaConversion(
      black: range == .video ? 16 : 0, luma: fixed(lumaScale), redFromV: fixed(chromaScale * 2 * (1 - red)),
      greenFromU: fixed(chromaScale * -2 * (1 - blue) * blue / green),
      greenFromV: fixed(chromaScale * -2 * (1 - red) * red / green), blueFromU: fixed(chromaScale * 2 * (1 - blue)),
      isRedFirst: chromaOrder == .redFirst)
  }
}

extension ImageBuffer {
  /// Returns the image in another pixel format, or the image itself if it already has this format.
  ///
  /// Color is converted to gray with the BT.601 weights (0.299, 0.587, 0.114). Gray becomes three equal channels. A new
  /// alpha channel is filled with 255, and a removed alpha channel is dropped without blending.
  ///
  /// - Throws: ``ImageError`` if the result is too large to address.
  public func converted(to format: PixelFormat) throws(ImageError) -> ImageBuffer {
    guard format != pixelFormat else { return self }
    let (red, green, blue) = pixelFormat.colorOffsets
    var conversion = PixelConversion(
      sourceBytes: pixelFormat.bytesPerPixel, targetBytes: format.bytesPerPixel, red: red, green: green, blue: blue,
      targetRed: format.colorOffsets.red, targetBlue: format.colorOffsets.blue)
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: width, height: height, pixelFormat: format) { target in
        guard let first = source.baseAddress?.assumingMemoryBound(to: UInt8.self),
          let bytes = target.baseAddress?.assumingMemoryBound(to: UInt8.self)
        else { return }
        for row in 0..<height {
          KernelTable.current.images.convertPixels(
            &conversion, count: width, first + row * bytesPerRow, into: bytes + row * width * format.bytesPerPixel)
        }
      }
    }
  }
}
