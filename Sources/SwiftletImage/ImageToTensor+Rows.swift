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
      sampleRow(row, origin, bytes, stride: 1) { tap, pixel in
        pixel.storeBytes(of: tap.byte(0), as: UInt8.self)
      }
    case .color:
      sampleRow(row, origin, bytes, stride: 3) { tap, pixel in
        pixel.storeBytes(of: tap.byte(red), as: UInt8.self)
        pixel.storeBytes(of: tap.byte(green), toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(blue), toByteOffset: 2, as: UInt8.self)
      }
    case .colorAndAlpha:
      sampleRow(row, origin, bytes, stride: 4) { tap, pixel in
        pixel.storeBytes(of: tap.byte(red), as: UInt8.self)
        pixel.storeBytes(of: tap.byte(green), toByteOffset: 1, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(blue), toByteOffset: 2, as: UInt8.self)
        pixel.storeBytes(of: tap.byte(3), toByteOffset: 3, as: UInt8.self)
      }
    case .luma:
      sampleRow(row, origin, bytes, stride: 1) { tap, pixel in
        let value = luma(red: tap.byte(red), green: tap.byte(green), blue: tap.byte(blue))
        pixel.storeBytes(of: value, as: UInt8.self)
      }
    }
    expand(bytes, perPixel: samples.byteCount, to: target)
  }

  /// Calls `store` with the four neighbours of every pixel of a row.
  @inline(__always)
  private func sampleRow(
    _ row: Int, _ origin: UnsafeRawPointer, _ bytes: UnsafeMutableRawPointer, stride: Int,
    _ store: (FourTaps, UnsafeMutableRawPointer) -> Void
  ) {
    var pixel = bytes
    if sampling.isSeparable {
      let vertical = sampling.rows[row]
      sampling.columns.withUnsafeBufferPointer { columns in
        for column in 0..<width {
          store(FourTaps(origin, columns[column], vertical), pixel)
          pixel += stride
        }
      }
      return
    }
    let path = WarpPath(sampling.matrix, tensorWidth: width, tensorHeight: height)
    let source = sampling.source
    var column = 0
    while column < width {
      let block = path.block(row: row, column: column)
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

/// Four neighbouring pixels and their weights, which sum to 1024 unless some lie outside of a picture with black border.
struct FourTaps {
  private let p00: UnsafeRawPointer
  private let p01: UnsafeRawPointer
  private let p10: UnsafeRawPointer
  private let p11: UnsafeRawPointer
  private let w00: Int32
  private let w01: Int32
  private let w10: Int32
  private let w11: Int32

  /// The pixels where two taps along different axes of the picture cross.
  @inline(__always)
  init(_ origin: UnsafeRawPointer, _ a: SamplingPlan.Tap, _ b: SamplingPlan.Tap) {
    p00 = origin + (a.offset0 &+ b.offset0)
    p01 = origin + (a.offset1 &+ b.offset0)
    p10 = origin + (a.offset0 &+ b.offset1)
    p11 = origin + (a.offset1 &+ b.offset1)
    w00 = a.weight0 &* b.weight0
    w01 = a.weight1 &* b.weight0
    w10 = a.weight0 &* b.weight1
    w11 = a.weight1 &* b.weight1
  }

  /// Four pixels that are known to lie inside of the picture.
  @inline(__always)
  private init(_ first: UnsafeRawPointer, _ source: SourceGeometry, fractionX: Int32, fractionY: Int32) {
    p00 = first
    p01 = first + source.columnStride
    p10 = first + source.rowStride
    p11 = p10 + source.columnStride
    w00 = (32 &- fractionX) &* (32 &- fractionY)
    w01 = fractionX &* (32 &- fractionY)
    w10 = (32 &- fractionX) &* fractionY
    w11 = fractionX &* fractionY
  }

  /// The pixels around a position in 1/32 pixel.
  @inline(__always)
  init(_ origin: UnsafeRawPointer, _ source: SourceGeometry, _ x: Int32, _ y: Int32) {
    let column = Int(x >> 5)
    let row = Int(y >> 5)
    // One comparison each: a negative number is a huge unsigned one.
    if UInt(bitPattern: column) < UInt(bitPattern: source.width &- 1),
      UInt(bitPattern: row) < UInt(bitPattern: source.height &- 1)
    {
      let first = origin + (column &* source.columnStride &+ row &* source.rowStride)
      self.init(first, source, fractionX: x & 31, fractionY: y & 31)
    } else {
      self.init(origin, source.horizontalTap(x), source.verticalTap(y))
    }
  }

  /// One channel of the blend, rounded to a byte.
  @inline(__always)
  func byte(_ channel: Int) -> UInt8 {
    let top = value(p00, channel) &* w00 &+ value(p01, channel) &* w01
    let bottom = value(p10, channel) &* w10 &+ value(p11, channel) &* w11
    return UInt8(truncatingIfNeeded: (top &+ bottom &+ 512) >> 10)
  }

  @inline(__always)
  private func value(_ pixel: UnsafeRawPointer, _ channel: Int) -> Int32 {
    Int32(pixel.load(fromByteOffset: channel, as: UInt8.self))
  }
}
