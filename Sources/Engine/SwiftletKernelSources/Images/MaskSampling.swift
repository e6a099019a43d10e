import SwiftletKernels

// The pixels that are interpolated at once.
#if SWIFTLET_AVX2 || SWIFTLET_AVX512
  private typealias Numbers = SIMD8<Float>
  private typealias Integers = SIMD8<Int32>
#else
  private typealias Numbers = SIMD4<Float>
  private typealias Integers = SIMD4<Int32>
#endif

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
    guard last &- first >= Numbers.scalarCount else {
      while first < last {
        target[first] = values(Numbers(repeating: Float(first)))[0]
        first &+= 1
      }
      return
    }
    while first < last {
      // The last vector overlaps the previous one if necessary, and repeats some values.
      let pixel = min(first, last &- Numbers.scalarCount)
      UnsafeMutableRawPointer(target + pixel).storeBytes(of: values(Float(pixel) + Self.ramp), as: Numbers.self)
      first &+= Numbers.scalarCount
    }
  }

  /// The numbers from 0 on.
  @inline(__always)
  private static var ramp: Numbers {
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512
      Numbers(0, 1, 2, 3, 4, 5, 6, 7)
    #else
      Numbers(0, 1, 2, 3)
    #endif
  }

  /// Returns the positions of pixels, in steps of 1/32 cell.
  @inline(__always)
  private func places(_ pixels: Numbers) -> (x: Integers, y: Integers) {
    (Self.rounded(line.x + line.stepX * pixels), Self.rounded(line.y + line.stepY * pixels))
  }

  @inline(__always)
  private static func rounded(_ values: Numbers) -> Integers {
    unsafeBitCast(values + rounding, to: Integers.self) &- Int32(bitPattern: rounding.bitPattern)
  }

  /// Converts small integers to floats; the standard library converts them one by one.
  @inline(__always)
  private static func floats(_ values: Integers) -> Numbers {
    unsafeBitCast(values &+ Int32(bitPattern: rounding.bitPattern), to: Numbers.self) - rounding
  }

  /// Returns whether a pixel's cell lies in the padded mask.
  @inline(__always)
  private func isInside(_ index: Int) -> Bool {
    let (x, y) = places(Numbers(repeating: Float(index)))
    return x[0] >= -32 && y[0] >= -32 && x[0] < 32 &* line.maskWidth && y[0] < 32 &* line.maskHeight
  }

  /// Returns the values of pixels, given by index, that are inside.
  @inline(__always)
  private func values(_ pixels: Numbers) -> Numbers {
    let (x, y) = places(pixels)
    // Cell indices include the padding.
    let indices = ((y &>> 5) &+ 1) &* (line.maskWidth &+ 2) &+ (x &>> 5) &+ 1
    let (right, down) = (Self.floats(x & 31) * (1 / 32), Self.floats(y & 31) * (1 / 32))
    let (p, q, r, s) = (corners(indices, 0), corners(indices, 1), corners(indices, 2), corners(indices, 3))
    @inline(__always) func elements(_ index: Int) -> Numbers {
      #if SWIFTLET_AVX2 || SWIFTLET_AVX512
        Numbers(
          p[index], q[index], r[index], s[index], p[index &+ 4], q[index &+ 4], r[index &+ 4], s[index &+ 4])
      #else
        Numbers(p[index], q[index], r[index], s[index])
      #endif
    }
    // The upper left and lower left element, then the upper right and lower right one, of each pixel.
    let (a, c, b, d) = (elements(0), elements(1), elements(2), elements(3))
    let (above, below) = (a + (b - a) * right, c + (d - c) * right)
    return above + (below - above) * down
  }

  /// Returns a pixel's cell and the next one, which are two elements each; with eight pixels, also those of the pixel
  /// after the next three.
  @inline(__always)
  private func corners(_ indices: Integers, _ pixel: Int) -> Numbers {
    @inline(__always) func four(_ pixel: Int) -> SIMD4<Float> {
      (cells + 8 &* Int(indices[pixel])).loadUnaligned(as: SIMD4<Float>.self)
    }
    #if SWIFTLET_AVX2 || SWIFTLET_AVX512
      return Numbers(lowHalf: four(pixel), highHalf: four(pixel &+ 4))
    #else
      return four(pixel)
    #endif
  }
}
