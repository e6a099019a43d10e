/// The fast path for a row of color pixels, which processes two pixels at a time.
extension ImageToTensor {
  /// Samples the leading pixels of a row, as many as can be processed in pairs.
  ///
  /// - Returns: The number of sampled columns. ``FourTaps`` must process the rest, which is at least one column for
  ///   three bytes per pixel.
  func samplePairs(
    _ row: Int, _ source: UnsafeRawBufferPointer, _ format: PixelFormat, _ bytes: UnsafeMutableRawPointer, stride: Int
  ) -> Int {
    // Four bytes are written per pixel. With three bytes per pixel, the last pixel must be written separately.
    let end = stride == 4 ? width : width - 1
    let swaps = format.colorOffsets.red == 2
    return sampling.isSeparable
      ? sampleSeparablePairs(row, source, bytes, stride, end: end, swapsRedAndBlue: swaps)
      : sampleGeneralPairs(row, source, format, bytes, stride, end: end, swapsRedAndBlue: swaps)
  }

  // Not inlined, because the loop needs all registers.
  @inline(never)
  private func sampleSeparablePairs(
    _ row: Int, _ source: UnsafeRawBufferPointer, _ bytes: UnsafeMutableRawPointer, _ stride: Int, end: Int,
    swapsRedAndBlue: Bool
  ) -> Int {
    let tap = sampling.rows[row]
    let farthest = sampling.source.origin + sampling.farthestColumnOffset + max(tap.offset0, tap.offset1)
    // Four bytes are read per pixel, so the last byte may be after the last pixel of the image. The second blend
    // requires weights that sum to 32.
    guard let base = source.baseAddress, farthest + 4 <= source.count, tap.weight0 + tap.weight1 == 32 else { return 0 }
    let upper = base + (sampling.source.origin + tap.offset0)
    let lower = base + (sampling.source.origin + tap.offset1)
    let fraction = PixelPair.lanes(tap.lanes1, tap.lanes1)
    return sampling.columns.withUnsafeBufferPointer { columns in
      var pixel = bytes
      var column = 0
      while column &+ 1 < end {
        let (a, b) = (columns[column], columns[column &+ 1])
        let weights0 = PixelPair.lanes(a.lanes0, b.lanes0)
        let weights1 = PixelPair.lanes(a.lanes1, b.lanes1)
        let above =
          PixelPair.load(upper + a.offset0, upper + b.offset0) &* weights0
          &+ PixelPair.load(upper + a.offset1, upper + b.offset1) &* weights1
        let below =
          PixelPair.load(lower + a.offset0, lower + b.offset0) &* weights0
          &+ PixelPair.load(lower + a.offset1, lower + b.offset1) &* weights1
        let result = PixelPair.blend(above, below, fraction)
        store(result, pixel, stride, swapsRedAndBlue)
        pixel += 2 &* stride
        column &+= 2
      }
      return column
    }
  }

  @inline(never)
  private func sampleGeneralPairs(
    _ row: Int, _ source: UnsafeRawBufferPointer, _ format: PixelFormat, _ bytes: UnsafeMutableRawPointer,
    _ stride: Int, end: Int, swapsRedAndBlue: Bool
  ) -> Int {
    guard let base = source.baseAddress else { return 0 }
    let geometry = sampling.source
    let origin = base + geometry.origin
    let path = WarpPath(sampling.matrix, tensorWidth: width, tensorHeight: height)
    let columnLimit = UInt(bitPattern: geometry.width &- 1)
    // With three bytes per pixel, the last row of the image uses the scalar path, because reading four bytes of its
    // last pixel would read one byte too many.
    let rowLimit = UInt(bitPattern: max(geometry.height &- (format.bytesPerPixel == 4 ? 1 : 2), 0))
    let (right, down) = (geometry.columnStride, geometry.rowStride)
    var pixel = bytes
    var column = 0
    while column < end {
      let block = path.block(row: row, containing: column)
      let last = min(block.end, end)
      while column &+ 1 < last {
        let pair = PositionedPair(block, column)
        if pair.isInside(columnLimit, rowLimit) {
          let a = origin + (pair.columns.0 &* right &+ pair.rows.0 &* down)
          let b = origin + (pair.columns.1 &* right &+ pair.rows.1 &* down)
          let weights1 = pair.lanesOfFractionX
          let weights0 = PixelPair.Lanes(repeating: 32) &- weights1
          let above = PixelPair.load(a, b) &* weights0 &+ PixelPair.load(a + right, b + right) &* weights1
          let (c, d) = (a + down, b + down)
          let below = PixelPair.load(c, d) &* weights0 &+ PixelPair.load(c + right, d + right) &* weights1
          store(PixelPair.blend(above, below, pair.lanesOfFractionY), pixel, stride, swapsRedAndBlue)
        } else {
          store(FourTaps(origin, geometry, pair.x.0, pair.y.0), pixel, stride, format)
          store(FourTaps(origin, geometry, pair.x.1, pair.y.1), pixel + stride, stride, format)
        }
        pixel += 2 &* stride
        column &+= 2
      }
      if column < last {
        let (x, y) = block.position(column)
        store(FourTaps(origin, geometry, WarpPath.rounded(x), WarpPath.rounded(y)), pixel, stride, format)
        pixel += stride
        column &+= 1
      }
    }
    return column
  }

  @inline(__always)
  private func store(_ taps: FourTaps, _ pixel: UnsafeMutableRawPointer, _ stride: Int, _ format: PixelFormat) {
    let offsets = format.colorOffsets
    pixel.storeBytes(of: taps.byte(offsets.red), as: UInt8.self)
    pixel.storeBytes(of: taps.byte(offsets.green), toByteOffset: 1, as: UInt8.self)
    pixel.storeBytes(of: taps.byte(offsets.blue), toByteOffset: 2, as: UInt8.self)
    if stride == 4 { pixel.storeBytes(of: taps.byte(3), toByteOffset: 3, as: UInt8.self) }
  }

  @inline(__always)
  private func store(
    _ lanes: SIMD2<UInt64>, _ pixel: UnsafeMutableRawPointer, _ stride: Int, _ swapsRedAndBlue: Bool
  ) {
    let (first, second) = (lanes[0], lanes[1])
    let left = PixelPair.packed(first, swapsRedAndBlue: swapsRedAndBlue)
    let right = PixelPair.packed(second, swapsRedAndBlue: swapsRedAndBlue)
    pixel.storeBytes(of: left, as: UInt32.self)
    pixel.storeBytes(of: right, toByteOffset: stride, as: UInt32.self)
  }
}

/// Two adjacent pixels of the tensor with their positions in the image.
private struct PositionedPair {
  /// The positions in units of 1/32 pixel.
  let x: (Int32, Int32)
  let y: (Int32, Int32)
  private let bitsX: SIMD2<UInt64>
  private let bitsY: SIMD2<UInt64>

  @inline(__always)
  init(_ block: WarpPath.Block, _ column: Int) {
    (bitsX, bitsY) = block.roundedPositions(column)
    x = (Int32(truncatingIfNeeded: bitsX[0]), Int32(truncatingIfNeeded: bitsX[1]))
    y = (Int32(truncatingIfNeeded: bitsY[0]), Int32(truncatingIfNeeded: bitsY[1]))
  }

  var columns: (Int, Int) {
    @inline(__always) get { (Int(x.0 >> 5), Int(x.1 >> 5)) }
  }
  var rows: (Int, Int) {
    @inline(__always) get { (Int(y.0 >> 5), Int(y.1 >> 5)) }
  }

  /// Returns whether all pixels are inside. One comparison per coordinate: a negative number is a huge unsigned number.
  @inline(__always)
  func isInside(_ columnLimit: UInt, _ rowLimit: UInt) -> Bool {
    UInt(bitPattern: columns.0) < columnLimit && UInt(bitPattern: rows.0) < rowLimit
      && UInt(bitPattern: columns.1) < columnLimit && UInt(bitPattern: rows.1) < rowLimit
  }

  var lanesOfFractionX: PixelPair.Lanes {
    @inline(__always) get { Self.lanes(ofFraction: bitsX) }
  }
  var lanesOfFractionY: PixelPair.Lanes {
    @inline(__always) get { Self.lanes(ofFraction: bitsY) }
  }

  /// Returns the low five bits in each of the four lanes of a pixel.
  @inline(__always)
  private static func lanes(ofFraction bits: SIMD2<UInt64>) -> PixelPair.Lanes {
    let fraction = bits & SIMD2(repeating: 31)
    let twice = fraction | (fraction &<< SIMD2(repeating: 16))
    return unsafeBitCast(twice | (twice &<< SIMD2(repeating: 32)), to: PixelPair.Lanes.self)
  }
}

/// A blend of two pixels of three or four channels at once, in eight 16-bit lanes.
///
/// The result has the same bytes as ``FourTaps``. The first blend is at most 255 · 32 and fits its lane. The second
/// blend, `h₀(32 − f) + h₁f`, doesn't fit, but only its upper bits are needed: with `d = h₁ − h₀`, split into `32c +
/// r`, the rounded result is exactly `(h₀ + c·f + (r·f >> 5) + 16) >> 5`.
///
/// The code uses only operations that compile to single instructions on a baseline x86-64 CPU. It keeps all four lanes
/// of a pixel until the end, because the compiler splits vectors with unused lanes.
enum PixelPair {
  typealias Lanes = SIMD8<UInt16>

  /// Returns a weight of at most 32 in the four lanes of one pixel.
  @inline(__always)
  static func lanes(_ weight: Int32) -> UInt64 {
    UInt64(truncatingIfNeeded: weight) &* 0x0001_0001_0001_0001
  }

  @inline(__always)
  static func lanes(_ first: UInt64, _ second: UInt64) -> Lanes {
    unsafeBitCast(SIMD2(first, second), to: Lanes.self)
  }

  /// Reads four bytes of each of two pixels. The fourth byte may belong to the next pixel.
  @inline(__always)
  static func load(_ first: UnsafeRawPointer, _ second: UnsafeRawPointer) -> Lanes {
    SIMD8(
      lowHalf: SIMD4(truncatingIfNeeded: first.loadUnaligned(as: SIMD4<UInt8>.self)),
      highHalf: SIMD4(truncatingIfNeeded: second.loadUnaligned(as: SIMD4<UInt8>.self)))
  }

  /// Returns the second blend.
  ///
  /// - Parameters:
  ///   - upper: The first blend in units of 1/32.
  ///   - lower: The first blend of the adjacent position on the second axis.
  ///   - fraction: The weight of `lower`, 0…31.
  /// - Returns: One byte in each lane.
  @inline(__always)
  static func blend(_ upper: Lanes, _ lower: Lanes, _ fraction: Lanes) -> SIMD2<UInt64> {
    let difference = lower &- upper
    let signed = unsafeBitCast(difference, to: SIMD8<Int16>.self) &>> SIMD8<Int16>(repeating: 5)
    let coarse = unsafeBitCast(signed, to: Lanes.self) &* fraction
    let fine = ((difference & Lanes(repeating: 31)) &* fraction) &>> Lanes(repeating: 5)
    let sum = upper &+ coarse &+ fine &+ Lanes(repeating: 16)
    return unsafeBitCast(sum &>> Lanes(repeating: 5), to: SIMD2<UInt64>.self)
  }

  /// Returns the four bytes of one pixel from its lanes.
  @inline(__always)
  static func packed(_ lanes: UInt64, swapsRedAndBlue: Bool) -> UInt32 {
    let pairs = lanes | (lanes &>> 8)
    let pixel = UInt32(truncatingIfNeeded: (pairs & 0xFFFF) | ((pairs &>> 16) & 0xFFFF_0000))
    guard swapsRedAndBlue else { return pixel.littleEndian }
    return ((pixel & 0xFF00_FF00) | ((pixel & 0xFF) &<< 16) | ((pixel &>> 16) & 0xFF)).littleEndian
  }
}
