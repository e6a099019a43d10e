extension ImageBuffer {
  /// The picture in a size that is not larger in either direction; every pixel is the mean of the area it covers.
  ///
  /// Gives the bytes of OpenCV's `resize` with `INTER_AREA`: sums of whole pixels where both sizes divide evenly, sums
  /// in single precision of partly covered pixels elsewhere.
  ///
  /// - Returns: the same pixel format, rows without padding.
  /// - Throws: ``ImageError`` when the new size is out of range or larger.
  package func averaged(width newWidth: Int, height newHeight: Int) throws -> ImageBuffer {
    _ = try PixelLayout(width: newWidth, height: newHeight, bytesPerRow: nil, pixelFormat: pixelFormat)
    guard newWidth <= width, newHeight <= height else {
      throw ImageError(
        code: .invalidSize,
        message: """
          a picture of \(width) × \(height) pixels cannot be averaged to \(newWidth) × \(newHeight), which is larger; \
          use resized(width:height:)
          """)
    }
    let divides = width % newWidth == 0 && height % newHeight == 0
    return try withUnsafeBytes { source in
      try ImageBuffer(width: newWidth, height: newHeight, pixelFormat: pixelFormat) { target in
        if divides {
          averageBlocks(source, target, newWidth, newHeight)
        } else {
          averageAreas(source, target, newWidth, newHeight)
        }
      }
    }
  }

  private func averageBlocks(
    _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer, _ newWidth: Int, _ newHeight: Int
  ) {
    let step = pixelFormat.bytesPerPixel
    let (across, down) = (width / newWidth, height / newHeight)
    let share = 1 / Float(across * down)
    // Blocks of four are rounded up at one half, all others to even.
    let isQuarter = across == 2 && down == 2
    for row in 0..<newHeight {
      for column in 0..<newWidth {
        for channel in 0..<step {
          var sum: Int32 = 0
          for y in row * down..<(row + 1) * down {
            var index = y * bytesPerRow + column * across * step + channel
            for _ in 0..<across {
              sum &+= Int32(source[index])
              index += step
            }
          }
          let mean = isQuarter ? (sum &+ 2) >> 2 : Int32((Float(sum) * share).rounded(.toNearestOrEven))
          target[(row * newWidth + column) * step + channel] = UInt8(clamping: mean)
        }
      }
    }
  }

  private func averageAreas(
    _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer, _ newWidth: Int, _ newHeight: Int
  ) {
    let step = pixelFormat.bytesPerPixel
    let columns = AreaShare.table(from: width, to: newWidth)
    let rows = AreaShare.table(from: height, to: newHeight)
    let rowCount = newWidth * step
    var line = [Float](repeating: 0, count: rowCount)
    var sum = line
    var current = 0
    func finish() {
      for index in 0..<rowCount {
        target[current * rowCount + index] = UInt8(clamping: Int32(sum[index].rounded(.toNearestOrEven)))
        sum[index] = 0
      }
    }
    for share in rows {
      if share.target != current {
        finish()
        current = share.target
      }
      for index in 0..<rowCount { line[index] = 0 }
      for column in columns {
        let from = share.source * bytesPerRow + column.source * step
        for channel in 0..<step { line[column.target * step + channel] += Float(source[from + channel]) * column.share }
      }
      for index in 0..<rowCount { sum[index] += line[index] * share.share }
    }
    finish()
  }
}

/// How much of a target pixel one source pixel makes up.
private struct AreaShare {
  let source: Int
  let target: Int
  let share: Float

  /// In the order of targets, then sources. Slivers of less than a thousandth of a pixel are left out.
  static func table(from source: Int, to target: Int) -> [AreaShare] {
    let scale = Double(source) / Double(target)
    var table: [AreaShare] = []
    for index in 0..<target {
      let start = Double(index) * scale
      let end = start + scale
      let covered = min(scale, Double(source) - start)
      let last = min(Int(end.rounded(.down)), source - 1)
      let first = min(Int(start.rounded(.up)), last)
      if Double(first) - start > 1e-3 {
        table.append(AreaShare(source: first - 1, target: index, share: Float((Double(first) - start) / covered)))
      }
      for whole in first..<last { table.append(AreaShare(source: whole, target: index, share: Float(1 / covered))) }
      if end - Double(last) > 1e-3 {
        table.append(
          AreaShare(source: last, target: index, share: Float(min(min(end - Double(last), 1), covered) / covered)))
      }
    }
    return table
  }
}
