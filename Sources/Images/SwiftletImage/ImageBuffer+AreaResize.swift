extension ImageBuffer {
  /// Returns the image scaled down by area averaging: every pixel is the mean of the area that it covers.
  ///
  /// The result has the same bytes as OpenCV's `resize` with `INTER_AREA`. If both sizes divide evenly, whole pixels
  /// are summed; otherwise, partly covered pixels are summed in single precision.
  ///
  /// - Returns: An image of the same pixel format, without row padding.
  /// - Throws: ``ImageError`` if the new size is out of range, or larger than the image in either direction.
  package func averaged(width newWidth: Int, height newHeight: Int) throws(ImageError) -> ImageBuffer {
    _ = try PixelLayout(width: newWidth, height: newHeight, bytesPerRow: nil, pixelFormat: pixelFormat)
    guard newWidth <= width, newHeight <= height else {
      throw ImageError(
        code: .invalidSize,
        message: """
          an image of \(width) × \(height) pixels cannot be averaged to \(newWidth) × \(newHeight), which is larger; \
          use resized(width:height:)
          """)
    }
    let divides = width % newWidth == 0 && height % newHeight == 0
    return try withUnsafeBytes { source throws(ImageError) in
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
    // Like OpenCV, blocks of four pixels round half up, and all others round half to even.
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
    let columns = AreaShare.table(from: width, to: newWidth)
    let rowCount = newWidth * pixelFormat.bytesPerPixel
    var line = [Float](repeating: 0, count: rowCount)
    var sum = line
    line.withUnsafeMutableBufferPointer { line in
      sum.withUnsafeMutableBufferPointer { sum in
        var (current, lastSource) = (0, -1)
        func finish() {
          Self.round(
            sum, UnsafeMutableRawBufferPointer(rebasing: target[current * rowCount..<(current + 1) * rowCount]))
          sum.update(repeating: 0)
        }
        for share in AreaShare.table(from: height, to: newHeight) {
          if share.target != current {
            finish()
            current = share.target
          }
          // Reuse the average if two target rows share a source row.
          if share.source != lastSource {
            average(UnsafeRawBufferPointer(rebasing: source[(share.source * bytesPerRow)...]), columns, line)
            lastSource = share.source
          }
          for index in 0..<rowCount { sum[index] += line[index] * share.share }
        }
        finish()
      }
    }
  }

  /// Averages the columns of a row.
  private func average(
    _ row: UnsafeRawBufferPointer, _ columns: [AreaShare], _ line: UnsafeMutableBufferPointer<Float>
  ) {
    let step = pixelFormat.bytesPerPixel
    guard step == 4 else {
      line.update(repeating: 0)
      for column in columns {
        for channel in 0..<step {
          line[column.target * step + channel] += Float(row[column.source * step + channel]) * column.share
        }
      }
      return
    }
    var (current, sum) = (0, SIMD4<Float>.zero)
    func finish() { for channel in 0..<4 { line[4 * current + channel] = sum[channel] } }
    for column in columns {
      if column.target != current {
        finish()
        (current, sum) = (column.target, .zero)
      }
      let pixel = row.loadUnaligned(fromByteOffset: 4 * column.source, as: SIMD4<UInt8>.self)
      sum += SIMD4<Float>(pixel) * column.share
    }
    finish()
  }

  /// Rounds nonnegative sums to the nearest bytes, ties to even.
  private static func round(_ sums: UnsafeMutableBufferPointer<Float>, _ bytes: UnsafeMutableRawBufferPointer) {
    for index in 0..<sums.count {
      // At this magnitude, adjacent floats differ by 1, so the addition rounds. The standard rounding function would
      // call a library.
      let rounded = (sums[index] + 0x1.8p23).bitPattern &- Float(0x1.8p23).bitPattern
      bytes[index] = UInt8(truncatingIfNeeded: min(rounded, 255))
    }
  }
}

/// The weight of a source pixel in a target pixel.
private struct AreaShare {
  let source: Int
  let target: Int
  let share: Float

  /// Returns the weights ordered by target, then by source. Weights below a thousandth of a pixel are omitted.
  static func table(from source: Int, to target: Int) -> [AreaShare] {
    let scale = Double(source) / Double(target)
    var table: [AreaShare] = []
    // Each source pixel once, and once more if a target border is inside it.
    table.reserveCapacity(source + 2 * target)
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
