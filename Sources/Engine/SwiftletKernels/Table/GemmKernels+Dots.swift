internal import SwiftletKernelSets

/// Dot products of windows with a few columns, which would leave most lanes of a panel empty. Lanes are elements along the
/// depth instead.
///
/// Sums are in another order than those of `multiplyTaps`: one for every lane, which are then added up.
extension GemmKernels {
  /// The maximum number of columns.
  private static var maximumDotColumns: Int { 6 }
  /// The number of columns that are multiplied at once.
  private static var dotColumns: Int { 2 }
  private var lanes: Int { panelColumns / 2 }

  /// Returns whether dot products are faster than a product with a panel.
  package func prefersDots(columns: Int, taps: Int, tapDepth: Int) -> Bool {
    guard columns > 0, columns <= Self.maximumDotColumns, tapDepth > 0 else { return false }
    // With AVX-512, panels have one row per lane.
    let panel = Double(taps) * (Double(tapDepth) * (lanes > 8 ? 0.6 : 2) + 2) + 3
    return dotCost(columns: columns, taps: taps, tapDepth: tapDepth) < panel
  }

  /// Returns the approximate number of instructions per row, if kernels compute four rows at once.
  package func dotCost(columns: Int, taps: Int, tapDepth: Int) -> Double {
    let (wholeVectors, rest) = tapDepth.quotientAndRemainder(dividingBy: lanes)
    let vectors = Double(wholeVectors + (rest > 0 ? 1 : 0)), taps = Double(taps)
    let passes = Double((columns + Self.dotColumns - 1) / Self.dotColumns)
    let tap = passes * (vectors * 1.25 + 4 + (rest > 0 ? partialVector : 0)) + vectors * Double(columns)
    return taps * tap + 3 * Double(columns)
  }

  /// The cost of loading a part of a vector. With AVX2 on Zen 1, it is much larger than that of a whole vector.
  private var partialVector: Double { lanes > 8 ? 1 : 6 }

  /// Returns the number of floats in packed weights.
  package func packedDotCount(columns: Int, taps: Int, tapDepth: Int) -> Int {
    dotWeights(columns) + columns * taps * ((tapDepth + lanes - 1) / lanes) * lanes
  }

  /// Returns the position of the first weight, after the biases.
  private func dotWeights(_ columns: Int) -> Int { (columns + 15) & ~15 }

  /// Packs weights for `multiplyDots`. Other parameters are those of `pack`.
  ///
  /// - Parameter packed: Memory for `packedDotCount(columns:taps:tapDepth:)` floats. 64-byte alignment is fastest.
  package func packDots(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafePointer<Float>, columnStride: Int, depthStride: Int,
    bias: UnsafePointer<Float>?, into packed: UnsafeMutablePointer<Float>
  ) {
    for column in 0..<columns { packed[column] = bias?[column] ?? 0 }
    var target = packed + dotWeights(columns)
    for first in stride(from: 0, to: columns, by: Self.dotColumns) {
      for tap in 0..<taps {
        for channel in stride(from: 0, to: tapDepth, by: lanes) {
          for column in first..<min(columns, first + Self.dotColumns) {
            let source = weights + (column &* columnStride &+ (tap &* tapDepth &+ channel) &* depthStride)
            for lane in 0..<lanes { target[lane] = channel &+ lane < tapDepth ? source[lane &* depthStride] : 0 }
            target += lanes
          }
        }
      }
    }
  }

  /// Computes `output[r, c] = clamp(bias[c] + Σ input[r, d] * weight[c, d])`.
  ///
  /// Results don't depend on the rows that are computed together. Parameters are those of `multiplyTaps`.
  ///
  /// - Parameter packed: The weights packed by `packDots`, for the same numbers of columns and taps.
  package func multiplyDots(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<Float>, offsets: UnsafePointer<Int32>,
    zeroRow: UnsafePointer<Float>, packed: UnsafePointer<Float>, output: UnsafeMutablePointer<Float>,
    outputStride: Int, lower: Float, upper: Float
  ) {
    set.call.dots_f32(
      rows, columns, taps, tapDepth, input, offsets, zeroRow, packed, packed + dotWeights(columns), output,
      outputStride, lower, upper)
  }
}
