/// The positions of a ``WarpMatrix`` over the tensor in units of 1/32 pixel, computed step by step as in OpenCV.
///
/// OpenCV processes the tensor in blocks, usually 64 pixels wide, and computes positions relative to the start of the
/// block. This type reproduces the resulting rounding errors.
struct WarpPath: Sendable {
  private let matrix: WarpMatrix
  private let blockWidth: Int
  private let tensorWidth: Double
  private let tensorHeight: Double

  init(_ matrix: WarpMatrix, tensorWidth: Int, tensorHeight: Int) {
    self.matrix = matrix
    blockWidth = min(1024 / min(16, tensorHeight), tensorWidth)
    self.tensorWidth = Double(tensorWidth)
    self.tensorHeight = Double(tensorHeight)
  }

  /// A part of a row with one starting position.
  struct Block {
    /// The first column of the block.
    let start: Int
    let end: Int
    fileprivate let x: Double
    fileprivate let y: Double
    fileprivate let w: Double
    fileprivate let dx: Double
    fileprivate let dy: Double
    fileprivate let dw: Double

    /// Returns the horizontal and vertical position of a column of this block in units of 1/32 pixel, not rounded.
    @inline(__always)
    func position(_ column: Int) -> (Double, Double) {
      let step = Double(column &- start)
      let scale = 32 / (w + dw * step)
      return ((x + dx * step) * scale, (y + dy * step) * scale)
    }

    /// Returns the rounded positions of a column and the next one, as the low bits of ``WarpPath/rounded(_:)``.
    @inline(__always)
    func roundedPositions(_ column: Int) -> (SIMD2<UInt64>, SIMD2<UInt64>) {
      let first = Double(column &- start)
      let step = SIMD2(first, first + 1)
      let scale = 32 / (SIMD2(repeating: w) + SIMD2(repeating: dw) * step)
      let horizontal = (SIMD2(repeating: x) + SIMD2(repeating: dx) * step) * scale + WarpPath.roundingBias
      let vertical = (SIMD2(repeating: y) + SIMD2(repeating: dy) * step) * scale + WarpPath.roundingBias
      return (
        unsafeBitCast(horizontal, to: SIMD2<UInt64>.self), unsafeBitCast(vertical, to: SIMD2<UInt64>.self)
      )
    }
  }

  /// Returns the block of `row` that contains `column`.
  func block(row: Int, containing column: Int) -> Block {
    let m = matrix
    let start = column / blockWidth * blockWidth
    let (left, top) = (Double(start), Double(row))
    return Block(
      start: start, end: min(start + blockWidth, Int(tensorWidth)), x: m.m00 * left + m.m01 * top + m.m02,
      y: m.m10 * left + m.m11 * top + m.m12, w: m.m20 * left + m.m21 * top + m.m22, dx: m.m00, dy: m.m10,
      dw: m.m20)
  }

  /// Rounds to the nearest integer, ties to even.
  ///
  /// Adding 1.5 · 2⁵² moves the integer to the low bits of the sum. The bounds of ``PixelRegion`` guarantee that
  /// positions are far below 2³¹. Without this trick, rounding is a function call on a baseline x86-64 CPU.
  @inline(__always)
  static func rounded(_ value: Double) -> Int32 {
    Int32(truncatingIfNeeded: (value + roundingBias).bitPattern)
  }

  fileprivate static var roundingBias: Double {
    @inline(__always) get { 6_755_399_441_055_744 }
  }

  // MARK: Tables

  /// Whether a step down the tensor moves less than 1/32 pixel horizontally in the image, across the whole tensor.
  var horizontalDependsOnlyOnColumn: Bool {
    abs(matrix.m01) * tensorHeight < 0.01 && abs(matrix.m10) * tensorWidth < 0.01
  }

  /// Whether a step along a row of the tensor moves less than 1/32 pixel horizontally in the image.
  var horizontalDependsOnlyOnRow: Bool {
    abs(matrix.m00) * tensorWidth < 0.01 && abs(matrix.m11) * tensorHeight < 0.01
  }

  /// Returns the rounded horizontal position if it is certain to be constant along the other axis of the tensor.
  func settledHorizontal(column: Int, row: Int) -> Int32? {
    let position = evaluate(column: column, row: row).0
    let drift = min(abs(matrix.m00) * tensorWidth, abs(matrix.m01) * tensorHeight)
    return settled(position, drift: drift)
  }

  /// Returns the rounded vertical position if it is certain to be constant along the other axis of the tensor.
  func settledVertical(column: Int, row: Int) -> Int32? {
    let position = evaluate(column: column, row: row).1
    let drift = min(abs(matrix.m10) * tensorWidth, abs(matrix.m11) * tensorHeight)
    return settled(position, drift: drift)
  }

  private func evaluate(column: Int, row: Int) -> (Double, Double) {
    block(row: row, containing: column).position(column)
  }

  /// Returns the rounded position if it is certain, or `nil`.
  ///
  /// - Parameter drift: The change of the position, in pixels, along the axis that it should be independent of.
  private func settled(_ position: Double, drift: Double) -> Int32? {
    let perspective = abs(matrix.m20) * tensorWidth + abs(matrix.m21) * tensorHeight
    // Without noise, the position is constant, even at a tie.
    guard drift != 0 || perspective != 0 else { return Self.rounded(position) }
    let uncertainty = 32 * drift + abs(position) * (2 * perspective + 1e-12) + 1e-9
    let below = Self.rounded(position - uncertainty)
    return below == Self.rounded(position + uncertainty) ? below : nil
  }
}
