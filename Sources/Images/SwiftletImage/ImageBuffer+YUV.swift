extension ImageBuffer {
  /// Makes an `rgb8` picture from the two planes of a 4:2:0 picture, as cameras deliver it (NV12, NV21, `420v`,
  /// `420f`).
  ///
  /// Every 2 × 2 pixels share one pair of colour differences; the pair is not interpolated.
  ///
  /// - Parameters:
  ///   - lumaPlane: brightness, one byte per pixel.
  ///   - lumaBytesPerRow: distance in bytes between rows of brightness.
  ///   - chromaPlane: two bytes of colour difference per 2 × 2 pixels; the last column and row of an odd size count
  ///     whole.
  ///   - chromaBytesPerRow: distance in bytes between rows of colour difference.
  ///   - width: in pixels of the picture.
  ///   - height: in pixels of the picture.
  ///   - encoding: how the values are to be understood.
  /// - Throws: ``ImageError`` when a size is out of range, or a plane has too short rows or too few bytes.
  public init(
    lumaPlane: UnsafeRawBufferPointer, lumaBytesPerRow: Int, chromaPlane: UnsafeRawBufferPointer,
    chromaBytesPerRow: Int, width: Int, height: Int, encoding: YUVEncoding
  ) throws(ImageError) {
    let luma = try PixelLayout(width: width, height: height, bytesPerRow: lumaBytesPerRow, pixelFormat: .gray8)
    try luma.requireBytes(lumaPlane.count)
    let chroma = try PixelLayout(
      width: (width + 1) / 2 * 2, height: (height + 1) / 2, bytesPerRow: chromaBytesPerRow, pixelFormat: .gray8)
    try chroma.requireBytes(chromaPlane.count)
    let factors = encoding.coefficients
    let (u, v) = encoding.chromaOrder == .blueFirst ? (0, 1) : (1, 0)
    self = try ImageBuffer(width: width, height: height, pixelFormat: .rgb8) { target in
      var to = 0
      for row in 0..<height {
        let lumaRow = row * lumaBytesPerRow
        let chromaRow = row / 2 * chromaBytesPerRow
        for column in 0..<width {
          let pair = chromaRow + column / 2 * 2
          let brightness = (Int32(lumaPlane[lumaRow + column]) - factors.black) * factors.luma
          let blueDifference = Int32(chromaPlane[pair + u]) - 128
          let redDifference = Int32(chromaPlane[pair + v]) - 128
          target[to] = Self.byte(brightness + redDifference * factors.redFromV)
          target[to + 1] = Self.byte(
            brightness + blueDifference * factors.greenFromU + redDifference * factors.greenFromV)
          target[to + 2] = Self.byte(brightness + blueDifference * factors.blueFromU)
          to += 3
        }
      }
    }
  }

  /// Rounds 16-bit fixed point to a byte.
  private static func byte(_ value: Int32) -> UInt8 {
    UInt8(truncatingIfNeeded: min(max((value + 32768) >> 16, 0), 255))
  }
}
