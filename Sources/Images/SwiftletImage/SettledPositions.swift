import SwiftletKernels

/// The positions of a ``WarpMatrix`` that are certain to depend on one axis of the tensor only, in units of 1/32 pixel.
struct SettledPositions {
  private let path: WarpPath
  private let matrix: WarpMatrix
  private let tensorWidth: Double
  private let tensorHeight: Double

  init(_ matrix: WarpMatrix, _ path: WarpPath, tensorWidth: Int, tensorHeight: Int) {
    (self.matrix, self.path) = (matrix, path)
    (self.tensorWidth, self.tensorHeight) = (Double(tensorWidth), Double(tensorHeight))
  }

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
    path.block(row: row, from: column / path.blockWidth * path.blockWidth).position(column)
  }

  /// Returns the rounded position if it is certain, or `nil`.
  ///
  /// - Parameter drift: The change of the position, in pixels, along the axis that it should be independent of.
  private func settled(_ position: Double, drift: Double) -> Int32? {
    let perspective = abs(matrix.m20) * tensorWidth + abs(matrix.m21) * tensorHeight
    // Without noise, the position is constant, even at a tie.
    guard drift != 0 || perspective != 0 else { return WarpPath.rounded(position) }
    let uncertainty = 32 * drift + abs(position) * (2 * perspective + 1e-12) + 1e-9
    let below = WarpPath.rounded(position - uncertainty)
    return below == WarpPath.rounded(position + uncertainty) ? below : nil
  }
}
