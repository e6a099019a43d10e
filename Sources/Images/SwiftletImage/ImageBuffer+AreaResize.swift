import SwiftletKernels

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
    guard let first = source.baseAddress, let bytes = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return
    }
    let (step, down) = (pixelFormat.bytesPerPixel, height / newHeight)
    for row in 0..<newHeight {
      KernelTable.current.images.averageBlocks(
        first + row * down * bytesPerRow, bytesPerRow: bytesPerRow, pixelBytes: step, across: width / newWidth,
        down: down, count: newWidth, into: bytes + row * newWidth * step)
    }
  }

  private func averageAreas(
    _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer, _ newWidth: Int, _ newHeight: Int
  ) {
    guard let first = source.baseAddress, let bytes = target.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
      return
    }
    let kernels = KernelTable.current.images
    let columns = AreaShare.table(from: width, to: newWidth)
    let rowCount = newWidth * pixelFormat.bytesPerPixel
    // The averages of a source row, and their sums.
    withUnsafeTemporaryAllocation(of: Float.self, capacity: 2 * rowCount) { memory in
      guard let line = memory.baseAddress else { return }
      memory.initialize(repeating: 0)
      let sum = line + rowCount
      var (current, lastSource) = (0, -1)
      func finish() {
        kernels.roundSums(sum, count: rowCount, into: bytes + current * rowCount)
        sum.update(repeating: 0, count: rowCount)
      }
      for share in AreaShare.table(from: height, to: newHeight) {
        if share.target != current {
          finish()
          current = share.target
        }
        // Reuse the average if two target rows share a source row.
        if share.source != lastSource {
          columns.withUnsafeBufferPointer {
            kernels.averageColumns(
              $0, pixelBytes: pixelFormat.bytesPerPixel, row: first + share.source * bytesPerRow, into: line)
          }
          lastSource = share.source
        }
        kernels.addShare(of: line, share.share, count: rowCount, to: sum)
      }
      finish()
    }
  }
}

extension AreaShare {
  /// Returns the weights ordered by target, then by source. Weights below a thousandth of a pixel are omitted.
  fileprivate static func table(from source: Int, to target: Int) -> [AreaShare] {
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
