import SwiftletKernels

/// The resampling of the bytes of one tensor row.
///
/// Loops don't iterate over ranges, because their checks would add unwind tables to the assembly.
struct RowSampling {
  let row: SampledRow
  /// The pixel at the origin of the image.
  let origin: UnsafeRawPointer
  let bytes: UnsafeMutableRawPointer

  @inline(__always)
  init(_ row: SampledRow, image: UnsafeRawPointer, bytes: UnsafeMutableRawPointer) {
    (self.row, self.bytes) = (row, bytes)
    origin = image + row.source.origin
  }

  @inline(__always)
  private var swapsRedAndBlue: Bool { row.red == 2 }

  @inline(__always)
  func run() {
    if let columns = row.columns { separable(columns) } else { general() }
  }

  /// Samples columns that each have one position on one axis of the image, in a row with one position on the other axis.
  @inline(__always)
  private func separable(_ columns: UnsafePointer<PixelTap>) {
    let (vertical, stride) = (row.vertical, row.sampledBytes)
    let (upper, lower) = (origin + vertical.offset0, origin + vertical.offset1)
    let fraction = PixelPair.lanes(vertical.lanes1, vertical.lanes1)
    var pixel = bytes
    var column = 0
    while column &+ 1 < row.pairedColumns {
      let (a, b) = (columns[column], columns[column &+ 1])
      let weights0 = PixelPair.lanes(a.lanes0, b.lanes0)
      let weights1 = PixelPair.lanes(a.lanes1, b.lanes1)
      let above =
        PixelPair.load(upper + a.offset0, upper + b.offset0) &* weights0
        &+ PixelPair.load(upper + a.offset1, upper + b.offset1) &* weights1
      let below =
        PixelPair.load(lower + a.offset0, lower + b.offset0) &* weights0
        &+ PixelPair.load(lower + a.offset1, lower + b.offset1) &* weights1
      PixelPair.store(
        PixelPair.blend(above, below, fraction), pixel, stride: stride, swapsRedAndBlue: swapsRedAndBlue)
      pixel += 2 &* stride
      column &+= 2
    }
    while column < row.path.tensorWidth {
      store(FourTaps(origin, columns[column], vertical), pixel)
      pixel += stride
      column &+= 1
    }
  }

  /// Samples columns whose positions have to be computed.
  @inline(__always)
  private func general() {
    let (source, stride) = (row.source, row.sampledBytes)
    let (right, down) = (source.columnStride, source.rowStride)
    let columnLimit = UInt(bitPattern: source.width &- 1)
    let rowLimit = UInt(bitPattern: row.pairedRows)
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512
      let (takesQuads, quads) = (QuadSampling.isApplicable(to: row), QuadSampling(row, origin))
    #endif
    var pixel = bytes
    var column = 0
    while column < row.path.tensorWidth {
      let block = row.path.block(row: row.row, from: column)
      let last = min(block.end, row.pairedColumns)
      while column < block.end {
        #if SWIFTLET_AVX2 || SWIFTLET_AVX512
          if takesQuads, column &+ 4 <= block.end, quads.write(block, column, pixel) {
            pixel += 4 &* stride
            column &+= 4
            continue
          }
        #endif
        let pair = PositionedPair(block, column)
        if column &+ 1 < last && pair.isInside(columnLimit, rowLimit) {
          let a = origin + (pair.columns.0 &* right &+ pair.rows.0 &* down)
          let b = origin + (pair.columns.1 &* right &+ pair.rows.1 &* down)
          let (weights1, fraction) = pair.fractions
          let weights0 = PixelPair.Lanes(repeating: 32) &- weights1
          let above = PixelPair.load(a, b) &* weights0 &+ PixelPair.load(a + right, b + right) &* weights1
          let (c, d) = (a + down, b + down)
          let below = PixelPair.load(c, d) &* weights0 &+ PixelPair.load(c + right, d + right) &* weights1
          PixelPair.store(
            PixelPair.blend(above, below, fraction), pixel, stride: stride, swapsRedAndBlue: swapsRedAndBlue)
          pixel += 2 &* stride
          column &+= 2
        } else {
          store(FourTaps(origin, source, pair.x.0, pair.y.0), pixel)
          pixel += stride
          column &+= 1
        }
      }
    }
  }

  /// Writes the bytes of one pixel.
  @inline(__always)
  private func store(_ taps: FourTaps, _ pixel: UnsafeMutableRawPointer) {
    let red = taps.byte(row.red)
    if row.sampledBytes == 1 && !row.isLuma { return pixel.storeBytes(of: red, as: UInt8.self) }
    let (green, blue) = (taps.byte(row.green), taps.byte(row.blue))
    if row.isLuma { return pixel.storeBytes(of: luma(red: red, green: green, blue: blue), as: UInt8.self) }
    pixel.storeBytes(of: red, as: UInt8.self)
    pixel.storeBytes(of: green, toByteOffset: 1, as: UInt8.self)
    pixel.storeBytes(of: blue, toByteOffset: 2, as: UInt8.self)
    if row.sampledBytes == 4 { pixel.storeBytes(of: taps.byte(3), toByteOffset: 3, as: UInt8.self) }
  }
}
