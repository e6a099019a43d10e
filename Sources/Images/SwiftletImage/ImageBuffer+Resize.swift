extension ImageBuffer {
  /// The picture in another size, by bilinear interpolation with half-pixel centres.
  ///
  /// Gives the bytes of OpenCV's `resize` with `INTER_LINEAR`: weights of 11 bits, products truncated in the same
  /// places. There is no smoothing when shrinking. To make a model's input use ``ImageToTensor`` instead.
  ///
  /// - Returns: the same pixel format, rows without padding.
  /// - Throws: ``ImageError`` when the new size is out of range.
  public func resized(width newWidth: Int, height newHeight: Int) throws(ImageError) -> ImageBuffer {
    // Checks the size before anything is computed from it.
    _ = try PixelLayout(fresh: newWidth, newHeight, pixelFormat)
    let step = pixelFormat.bytesPerPixel
    let columns = FixedPointTap.columns(from: width, to: newWidth, pixelStride: step)
    let rows = FixedPointTap.rows(from: height, to: newHeight)
    var blend = RowBlend(count: newWidth * step)
    return try withUnsafeBytes { source throws(ImageError) in
      try ImageBuffer(width: newWidth, height: newHeight, pixelFormat: pixelFormat) { target in
        for row in 0..<newHeight {
          let tap = rows[row]
          blend.load(tap.index0, tap.index1) { index, result in
            let line = UnsafeRawBufferPointer(rebasing: source[(index * bytesPerRow)...])
            interpolate(line, columns, step, into: &result)
          }
          let line = UnsafeMutableRawBufferPointer(rebasing: target[(row * newWidth * step)...])
          blend.write(tap.weight0, tap.weight1, to: line)
        }
      }
    }
  }

  private func interpolate(
    _ line: UnsafeRawBufferPointer, _ columns: [FixedPointTap], _ step: Int, into result: inout [Int32]
  ) {
    result.withUnsafeMutableBufferPointer { result in
      var index = 0
      for tap in columns {
        for channel in 0..<step {
          let left = Int32(line[tap.index0 + channel])
          let right = Int32(line[tap.index1 + channel])
          result[index] = left &* tap.weight0 &+ right &* tap.weight1
          index += 1
        }
      }
    }
  }
}

/// Two neighbouring pixels and their weights out of 2048.
private struct FixedPointTap {
  let index0: Int
  let index1: Int
  let weight0: Int32
  let weight1: Int32

  /// At the left and right edge all weight goes to the pixel of the edge.
  static func columns(from source: Int, to target: Int, pixelStride: Int) -> [FixedPointTap] {
    (0..<target).map { index in
      var (first, fraction) = position(index, source, target)
      if first < 0 { (first, fraction) = (0, 0) }
      if first >= source - 1 { (first, fraction) = (source - 1, 0) }
      return FixedPointTap(
        index0: first * pixelStride, index1: min(first + 1, source - 1) * pixelStride,
        weight0: weight(1 - fraction), weight1: weight(fraction))
    }
  }

  /// At the top and bottom the weights stay and both pixels are that of the edge; the truncated products differ by it.
  static func rows(from source: Int, to target: Int) -> [FixedPointTap] {
    (0..<target).map { index in
      let (first, fraction) = position(index, source, target)
      return FixedPointTap(
        index0: min(max(first, 0), source - 1), index1: min(max(first + 1, 0), source - 1),
        weight0: weight(1 - fraction), weight1: weight(fraction))
    }
  }

  /// Whole and fractional part of a position that is rounded to single precision first.
  private static func position(_ index: Int, _ source: Int, _ target: Int) -> (Int, Float) {
    let position = Float((Double(index) + 0.5) * (Double(source) / Double(target)) - 0.5)
    let floor = position.rounded(.down)
    return (Int(floor), position - floor)
  }

  private static func weight(_ fraction: Float) -> Int32 {
    Int32((fraction * 2048).rounded(.toNearestOrEven))
  }
}

/// Two rows of the source, resized horizontally and waiting to be blended.
private struct RowBlend {
  private var upper: [Int32]
  private var lower: [Int32]
  private var upperRow = -1
  private var lowerRow = -1

  init(count: Int) {
    upper = [Int32](repeating: 0, count: count)
    lower = upper
  }

  /// Brings two rows in, reusing what is there already.
  mutating func load(_ first: Int, _ second: Int, _ compute: (Int, inout [Int32]) -> Void) {
    if first == lowerRow {
      swap(&upper, &lower)
      swap(&upperRow, &lowerRow)
    }
    if first != upperRow {
      compute(first, &upper)
      upperRow = first
    }
    if second != lowerRow {
      compute(second, &lower)
      lowerRow = second
    }
  }

  func write(_ weight0: Int32, _ weight1: Int32, to target: UnsafeMutableRawBufferPointer) {
    for index in upper.indices {
      let first = (weight0 &* (upper[index] >> 4)) >> 16
      let second = (weight1 &* (lower[index] >> 4)) >> 16
      target[index] = UInt8(truncatingIfNeeded: (first &+ second &+ 2) >> 2)
    }
  }
}
