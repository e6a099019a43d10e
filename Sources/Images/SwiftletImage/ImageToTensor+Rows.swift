/// One row of the tensor at a time: resample bytes, then look up their values.
///
/// The bytes are written to the end of the row's own memory first and expanded from there, front to back, so no
/// scratch memory is needed and every row can be written by another thread.
extension ImageToTensor {
  /// What is sampled for one pixel.
  private enum Samples {
    /// One byte, whatever the picture holds there.
    case gray
    /// Red, green and blue.
    case color
    /// Red, green, blue and alpha.
    case colorAndAlpha
    /// Red, green and blue, reduced to brightness.
    case luma

    var byteCount: Int {
      switch self {
      case .gray, .luma: 1
      case .color: 3
      case .colorAndAlpha: 4
      }
    }
  }

  private func samples(of format: PixelFormat) -> Samples {
    switch (format, channels) {
    case (.gray8, _): .gray
    case (_, .gray): .luma
    case (.rgba8, .rgba), (.bgra8, .rgba): .colorAndAlpha
    case (_, .rgb), (_, .rgba): .color
    }
  }

  func writeRow(
    _ row: Int, of source: UnsafeRawBufferPointer, format: PixelFormat, to target: UnsafeMutableRawPointer
  ) {
    guard let base = source.baseAddress else { return }
    let samples = samples(of: format)
    let bytes = target + (rowByteCount - width * samples.byteCount)
    let origin = base + sampling.source.origin
    let (red, green, blue) = format.colorOffsets
    switch samples {
    case .gray:
      sampleRow(row, from: 0, origin, bytes, stride: 1) { tap, pixel in
        pixel.storeBytes(of: tap.byte(0), as: UInt8.self)
      }
    case .color:
      let done = samplePairs(row, source, format, bytes, stride: 3)
      sampleRow(row, from: done, origin, bytes, stride: 3) { tap, pixel in
        pixel.storeBytes(of: tap.byte(red), as: UInt8.self)
        pixel.storeBytes(of: tap.byte(green), toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(blue), toByteOffset: 2, as: UInt8.self)
      }
    case .colorAndAlpha:
      let done = samplePairs(row, source, format, bytes, stride: 4)
      sampleRow(row, from: done, origin, bytes, stride: 4) { tap, pixel in
        pixel.storeBytes(of: tap.byte(red), as: UInt8.self)
        pixel.storeBytes(of: tap.byte(green), toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(blue), toByteOffset: 2, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(3), toByteOffset: 3, as: UInt8.self)
      }
    case .luma:
      sampleRow(row, from: 0, origin, bytes, stride: 1) { tap, pixel in
        let value = luma(red: tap.byte(red), green: tap.byte(green), blue: tap.byte(blue))
        pixel.storeBytes(of: value, as: UInt8.self)
      }
    }
    expand(bytes, perPixel: samples.byteCount, to: target)
  }

  /// Calls `store` with the four neighbours of the pixels of a row, beginning at a column.
  @inline(__always)
  private func sampleRow(
    _ row: Int, from first: Int, _ origin: UnsafeRawPointer, _ bytes: UnsafeMutableRawPointer, stride: Int,
    _ store: (FourTaps, UnsafeMutableRawPointer) -> Void
  ) {
    guard first < width else { return }
    var pixel = bytes + first &* stride
    if sampling.isSeparable {
      let vertical = sampling.rows[row]
      sampling.columns.withUnsafeBufferPointer { columns in
        for column in first..<width {
          store(FourTaps(origin, columns[column], vertical), pixel)
          pixel += stride
        }
      }
      return
    }
    let path = WarpPath(sampling.matrix, tensorWidth: width, tensorHeight: height)
    let source = sampling.source
    var column = first
    while column < width {
      let block = path.block(row: row, containing: column)
      while column < block.end {
        let (x, y) = block.position(column)
        store(FourTaps(origin, source, WarpPath.rounded(x), WarpPath.rounded(y)), pixel)
        pixel += stride
        column &+= 1
      }
    }
  }

  /// Turns the sampled bytes into the numbers of the tensor, repeating grey and adding opaque alpha where needed.
  private func expand(_ bytes: UnsafeMutableRawPointer, perPixel: Int, to target: UnsafeMutableRawPointer) {
    let channelCount = channels.rawValue
    switch table {
    case .identity where perPixel == channelCount:
      return
    case .identity:
      expand(bytes, perPixel, channelCount) { byte, index, _ in
        target.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
      }
    case .bytes(let table):
      table.withUnsafeBufferPointer { table in
        expand(bytes, perPixel, channelCount) { byte, index, channel in
          target.storeBytes(of: table[channel &* 256 &+ Int(byte)], toByteOffset: index, as: UInt8.self)
        }
      }
    case .floats(let table):
      table.withUnsafeBufferPointer { table in
        expand(bytes, perPixel, channelCount) { byte, index, channel in
          target.storeBytes(of: table[channel &* 256 &+ Int(byte)], toByteOffset: index &* 4, as: Float.self)
        }
      }
    }
  }

  @inline(__always)
  private func expand(
    _ bytes: UnsafeMutableRawPointer, _ perPixel: Int, _ channelCount: Int, _ store: (UInt8, Int, Int) -> Void
  ) {
    var index = 0
    for pixel in 0..<width {
      let from = bytes + pixel &* perPixel
      if perPixel == 3 && channelCount == 3 {
        store(from.load(as: UInt8.self), index, 0)
        store(from.load(fromByteOffset: 1, as: UInt8.self), index &+ 1, 1)
        store(from.load(fromByteOffset: 2, as: UInt8.self), index &+ 2, 2)
      } else {
        // All bytes of the pixel are read before the first number is written: the last one may cover them.
        let first = from.load(as: UInt8.self)
        let second = perPixel == 1 ? first : from.load(fromByteOffset: 1, as: UInt8.self)
        let third = perPixel == 1 ? first : from.load(fromByteOffset: 2, as: UInt8.self)
        let fourth = perPixel == 4 ? from.load(fromByteOffset: 3, as: UInt8.self) : 255
        store(first, index, 0)
        if channelCount >= 3 {
          store(second, index &+ 1, 1)
          store(third, index &+ 2, 2)
        }
        if channelCount == 4 { store(fourth, index &+ 3, 3) }
      }
      index &+= channelCount
    }
  }
}
