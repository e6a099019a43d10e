import SwiftletKernels

/// The interpolation of a mask along a ``MaskLine``. Positions are rounded to 1/32 of a cell.
struct MaskSampling {
  /// A constant whose sum with a small number has the nearest integer in its lowest bits.
  private static var rounding: Float {
    @inline(__always) get { 12_582_912 }
  }

  let line: MaskLine
  let cells: UnsafeRawPointer

  /// Writes the values of `count` pixels, and 0 for pixels at either end that are outside the padded mask.
  @inline(__always)
  func run(_ count: Int, into target: UnsafeMutablePointer<Float>) {
    // Rounding is monotonic. If both ends of a span are inside, so are all pixels between them.
    var (first, last) = (0, count)
    while first < last, !isInside(first) {
      target[first] = 0
      first &+= 1
    }
    while first < last, !isInside(last &- 1) {
      last &-= 1
      target[last] = 0
    }
    while first &+ 4 <= last {
      let four = values(Float(first) + SIMD4(0, 1, 2, 3))
      UnsafeMutableRawPointer(target + first).storeBytes(of: four, as: SIMD4<Float>.self)
      first &+= 4
    }
    while first < last {
      target[first] = values(SIMD4(repeating: Float(first)))[0]
      first &+= 1
    }
  }

  /// Returns the positions of four pixels, in steps of 1/32 cell.
  @inline(__always)
  private func places(_ pixels: SIMD4<Float>) -> (x: SIMD4<Int32>, y: SIMD4<Int32>) {
    (Self.rounded(line.x + line.stepX * pixels), Self.rounded(line.y + line.stepY * pixels))
  }

  @inline(__always)
  private static func rounded(_ values: SIMD4<Float>) -> SIMD4<Int32> {
    unsafeBitCast(values + rounding, to: SIMD4<Int32>.self) &- Int32(bitPattern: rounding.bitPattern)
  }

  /// Converts small integers to floats; the standard library converts them one by one.
  @inline(__always)
  private static func floats(_ values: SIMD4<Int32>) -> SIMD4<Float> {
    unsafeBitCast(values &+ Int32(bitPattern: rounding.bitPattern), to: SIMD4<Float>.self) - rounding
  }

  /// Returns whether a pixel's cell lies in the padded mask.
  @inline(__always)
  private func isInside(_ index: Int) -> Bool {
    let (x, y) = places(SIMD4(repeating: Float(index)))
    return x[0] >= -32 && y[0] >= -32 && x[0] < 32 &* line.maskWidth && y[0] < 32 &* line.maskHeight
  }

  /// Returns the values of four pixels, given by index, that are inside.
  @inline(__always)
  private func values(_ pixels: SIMD4<Float>) -> SIMD4<Float> {
    let (x, y) = places(pixels)
    // Cell indices include the padding.
    let indices = ((y &>> 5) &+ 1) &* (line.maskWidth &+ 2) &+ (x &>> 5) &+ 1
    let (right, down) = (Self.floats(x & 31) * (1 / 32), Self.floats(y & 31) * (1 / 32))
    let (p, q, r, s) = (corners(indices[0]), corners(indices[1]), corners(indices[2]), corners(indices[3]))
    // The upper left and lower left element, then the upper right and lower right one, of each pixel.
    let (a, c) = (SIMD4(p.x, q.x, r.x, s.x), SIMD4(p.y, q.y, r.y, s.y))
    let (b, d) = (SIMD4(p.z, q.z, r.z, s.z), SIMD4(p.w, q.w, r.w, s.w))
    let (above, below) = (a + (b - a) * right, c + (d - c) * right)
    return above + (below - above) * down
  }

  /// Returns a cell and the next one, which are two elements each.
  @inline(__always)
  private func corners(_ index: Int32) -> SIMD4<Float> {
    (cells + 8 &* Int(index)).loadUnaligned(as: SIMD4<Float>.self)
  }
}
