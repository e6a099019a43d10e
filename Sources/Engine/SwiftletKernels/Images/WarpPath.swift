/// The positions in an image of the pixels of a tensor in units of 1/32 pixel, computed step by step as in OpenCV.
///
/// OpenCV processes the tensor in blocks, usually 64 pixels wide, and computes positions relative to the start of the
/// block. This type reproduces the resulting rounding errors.
package struct WarpPath: Sendable {
  /// A matrix that maps tensor pixels to positions in the image, row by row.
  package typealias Matrix = (Row, Row, Row)
  package typealias Row = (Double, Double, Double)

  package let matrix: Matrix
  package let blockWidth: Int
  package let tensorWidth: Int

  package init(_ matrix: Matrix, tensorWidth: Int, tensorHeight: Int) {
    self.matrix = matrix
    blockWidth = min(1024 / min(16, tensorHeight), tensorWidth)
    self.tensorWidth = tensorWidth
  }

  /// A part of a row with one starting position.
  package struct Block {
    /// The first column of the block.
    package let start: Int
    package let end: Int
    fileprivate let x: Double
    fileprivate let y: Double
    fileprivate let w: Double
    fileprivate let dx: Double
    fileprivate let dy: Double
    fileprivate let dw: Double

    /// Returns the horizontal and vertical position of a column of this block in units of 1/32 pixel, not rounded.
    @inline(__always)
    package func position(_ column: Int) -> (Double, Double) {
      let step = Double(column &- start)
      let scale = 32 / (w + dw * step)
      return ((x + dx * step) * scale, (y + dy * step) * scale)
    }

    /// Returns the positions of columns, given by their distances from ``start``, in units of 1/32 pixel, not rounded.
    @inline(__always)
    package func positions<Distances: SIMD<Double>>(_ steps: Distances) -> (x: Distances, y: Distances) {
      let scale = 32 / (Distances(repeating: w) + Distances(repeating: dw) * steps)
      return (
        (Distances(repeating: x) + Distances(repeating: dx) * steps) * scale,
        (Distances(repeating: y) + Distances(repeating: dy) * steps) * scale
      )
    }

    /// Returns the rounded positions of a column and the next one, as the low bits of ``WarpPath/rounded(_:)``.
    @inline(__always)
    package func roundedPositions(_ column: Int) -> (SIMD2<UInt64>, SIMD2<UInt64>) {
      let first = Double(column &- start)
      let (x, y) = positions(SIMD2(first, first + 1))
      return (
        unsafeBitCast(x + WarpPath.roundingBias, to: SIMD2<UInt64>.self),
        unsafeBitCast(y + WarpPath.roundingBias, to: SIMD2<UInt64>.self)
      )
    }
  }

  /// Returns the block of `row` that begins at `start`, a multiple of ``blockWidth`` less than ``tensorWidth``.
  @inline(__always)
  package func block(row: Int, from start: Int) -> Block {
    let (left, top) = (Double(start), Double(row))
    @inline(__always) func position(_ row: Row) -> Double { row.0 * left + row.1 * top + row.2 }
    return Block(
      start: start, end: min(start &+ blockWidth, tensorWidth), x: position(matrix.0), y: position(matrix.1),
      w: position(matrix.2), dx: matrix.0.0, dy: matrix.1.0, dw: matrix.2.0)
  }

  /// Rounds to the nearest integer, ties to even.
  ///
  /// Adding 1.5 · 2⁵² moves the integer to the low bits of the sum. The bounds of image regions guarantee that
  /// positions are far below 2³¹. Without this trick, rounding is a function call on a baseline x86-64 CPU.
  @inline(__always)
  package static func rounded(_ value: Double) -> Int32 {
    Int32(truncatingIfNeeded: (value + roundingBias).bitPattern)
  }

  fileprivate static var roundingBias: Double {
    @inline(__always) get { 6_755_399_441_055_744 }
  }
}
