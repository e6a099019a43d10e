import SwiftletKernels

/// Four adjacent pixels and their weights. The weights sum to 1024, or less if some pixels are outside an image with a
/// black border.
struct FourTaps {
  private let p00: UnsafeRawPointer
  private let p01: UnsafeRawPointer
  private let p10: UnsafeRawPointer
  private let p11: UnsafeRawPointer
  private let w00: Int32
  private let w01: Int32
  private let w10: Int32
  private let w11: Int32

  /// Creates the pixels at the intersection of two taps on different axes of the image.
  @inline(__always)
  init(_ origin: UnsafeRawPointer, _ a: PixelTap, _ b: PixelTap) {
    p00 = origin + (a.offset0 &+ b.offset0)
    p01 = origin + (a.offset1 &+ b.offset0)
    p10 = origin + (a.offset0 &+ b.offset1)
    p11 = origin + (a.offset1 &+ b.offset1)
    let (a0, a1, b0, b1) = (a.weight0, a.weight1, b.weight0, b.weight1)
    w00 = a0 &* b0
    w01 = a1 &* b0
    w10 = a0 &* b1
    w11 = a1 &* b1
  }

  /// Creates the taps of four pixels that are known to be inside the image.
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

  /// Creates the pixels around a position in units of 1/32 pixel.
  @inline(__always)
  init(_ origin: UnsafeRawPointer, _ source: SourceGeometry, _ x: Int32, _ y: Int32) {
    let column = Int(x >> 5)
    let row = Int(y >> 5)
    // One comparison each: a negative number is a huge unsigned number.
    if UInt(bitPattern: column) < UInt(bitPattern: source.width &- 1),
      UInt(bitPattern: row) < UInt(bitPattern: source.height &- 1)
    {
      let first = origin + (column &* source.columnStride &+ row &* source.rowStride)
      self.init(first, source, fractionX: x & 31, fractionY: y & 31)
    } else {
      self.init(origin, source.horizontalTap(x), source.verticalTap(y))
    }
  }

  /// Returns one channel of the blend, rounded to a byte.
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
