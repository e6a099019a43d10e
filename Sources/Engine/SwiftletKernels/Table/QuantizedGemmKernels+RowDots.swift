internal import SwiftletKernelSets

/// Products of rows of bytes with a few columns, which would leave most lanes of a panel empty. Lanes are bytes along the
/// depth instead.
///
/// Sums are the same as those of `multiplyAccumulating`. Taps consist of whole groups of four bytes.
extension QuantizedGemmKernels {
  /// The position of the sums of weights in packed weights, which starts with as many first terms, and the size of both.
  package static var dotWeightSums: Int { 32 }
  private static var dotHeaderBytes: Int { 64 }
  /// The number of columns that are multiplied at once.
  private static var dotGroup: Int { 4 }

  /// The maximum number of columns. If a product of bytes takes several instructions, the bytes of a row are prepared
  /// once per vector instead of once per four bytes, which is worthwhile for more columns.
  package var maximumDotColumns: Int { expandsWeights ? 2 * Self.dotGroup : Self.dotGroup }

  /// The number of bytes of a row that are multiplied at once.
  private var vectorBytes: Int { 2 * panelColumns }
  /// Whether a product of four bytes takes several instructions, which read expanded weights.
  package var expandsWeights: Bool { weightVectorBytes > vectorBytes }

  /// Returns whether dot products are faster than a product with a panel.
  ///
  /// Costs are approximate counts of instructions per row. Those for AVX2 were compared with measurements of random
  /// shapes; those for other instruction sets are counts in the source.
  package func prefersRowDots(columns: Int, taps: Int, tapDepth: Int) -> Bool {
    guard columns > 0, columns <= maximumDotColumns else { return false }
    #if arch(arm64)
      guard columns == 1 else { return false }
    #endif
    let (vectors, rest) = tapDepth.quotientAndRemainder(dividingBy: vectorBytes)
    let groups = (columns + Self.dotGroup - 1) / Self.dotGroup
    let products = (groups > 1 ? Self.dotGroup : columns) * (expandsWeights ? 4 : 1)
    let tap = vectors * (3 + products) + (rest > 0 ? 8 + products : 0) + 6
    let dots = Double(groups * taps * tap + columns * 5)
    // With AVX-512, panels have one row per lane.
    let group = expandsWeights ? 9 : panelColumns > 16 ? 0.7 : 3
    let panel = Double(taps * (tapDepth / 4)) * group + 8
    return dots * 1.5 < panel
  }

  /// Returns the size of packed weights in bytes.
  package func packedRowDotsByteCount(columns: Int, taps: Int, tapDepth: Int) -> Int {
    let group = min(columns, Self.dotGroup), padded = (columns + group - 1) / group * group
    return Self.dotHeaderBytes + taps * ((tapDepth + vectorBytes - 1) / vectorBytes) * padded * weightVectorBytes
  }

  /// Packs weights. Parameters are those of `pack`.
  package func packRowDots(
    columns: Int, taps: Int, tapDepth: Int, weights: UnsafeRawPointer, weightsAreSigned: Bool, columnStride: Int,
    tapStride: Int, channelStride: Int, weightZeroPoint: Int32, inputZeroPoint: Int32, inputIsSigned: Bool,
    bias: UnsafePointer<Int32>?, into packed: UnsafeMutableRawPointer
  ) {
    set.call.pack_row_dots_u8(
      columns, taps, tapDepth, weights, columnStride, tapStride, channelStride,
      weightsAreSigned ? 0 : Int32(bitPattern: 0x8080_8080),
      Int(weightsAreSigned ? weightZeroPoint : weightZeroPoint &- 128),
      Int(inputIsSigned ? inputZeroPoint &+ 128 : inputZeroPoint), bias, packed)
  }

  /// Computes `output[r, c] = starts[c] + Σ input * weight`, row by row without gaps.
  ///
  /// - Parameters:
  ///   - starts: The first terms of whole groups of four columns; `nil` for those of the packed weights, with which the
  ///     sums are accumulators.
  ///   - rowTerms: The result of `computeRowTerms`.
  package func multiplyRowDots(
    rows: Int, columns: Int, input: ByteRows, packed: UnsafeRawPointer, starts: UnsafePointer<Int32>? = nil,
    rowTerms: UnsafePointer<Int32>?, output: UnsafeMutablePointer<Int32>
  ) {
    set.call.row_dots_u8(
      rows, columns, input.taps, input.tapDepth, input.base, input.stride, input.flip, input.offsets, input.zeroRow,
      packed + Self.dotHeaderBytes, starts ?? packed.assumingMemoryBound(to: Int32.self), rowTerms, output)
  }
}
