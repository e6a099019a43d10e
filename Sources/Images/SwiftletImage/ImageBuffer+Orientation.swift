extension ImageBuffer {
  /// The picture turned upright, given how its pixels are stored.
  ///
  /// Moves whole pixels, so nothing is lost: applying `orientation.inverse` gives the original back. To feed a model,
  /// pass the orientation to ``ImageToTensor`` instead, which turns while it resamples.
  ///
  /// - Returns: the same pixel format; width and height are exchanged for the four orientations that lie on a side.
  /// - Throws: nothing for `up`, which returns the picture itself; ``ImageError`` if the copy is too large to address.
  public func oriented(_ orientation: ImageOrientation) throws(ImageError) -> ImageBuffer {
    guard orientation != .up else { return self }
    let step = pixelFormat.bytesPerPixel
    // Where the upright picture's first pixel is stored, and how far a step right or down moves in the stored bytes.
    let right = step
    let down = bytesPerRow
    let lastColumn = (width - 1) * right
    let lastRow = (height - 1) * down
    let (start, perColumn, perRow) =
      switch orientation {
      case .up: (0, right, down)
      case .upMirrored: (lastColumn, -right, down)
      case .down: (lastColumn + lastRow, -right, -down)
      case .downMirrored: (lastRow, right, -down)
      case .leftMirrored: (0, down, right)
      case .right: (lastRow, -down, right)
      case .rightMirrored: (lastColumn + lastRow, -down, -right)
      case .left: (lastColumn, down, -right)
      }
    let (newWidth, newHeight) = orientation.swapsWidthAndHeight ? (height, width) : (width, height)
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: newWidth, height: newHeight, pixelFormat: pixelFormat) { target in
        var to = 0
        for row in 0..<newHeight {
          var from = start + row * perRow
          for _ in 0..<newWidth {
            for channel in 0..<step { target[to + channel] = source[from + channel] }
            to += step
            from += perColumn
          }
        }
      }
    }
  }
}
