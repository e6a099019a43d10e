extension KernelReference {
  /// Computes the sums of a quantized matrix product: `sums[r, c] = bias[c] + Σ (input − inputZero) · (weight −
  /// weightZero)`, modulo the width of `Sum`.
  ///
  /// Rows are located as in `GemmKernels`: at a constant stride, or by tap through `offsets`. Taps with a negative
  /// offset contribute nothing.
  ///
  /// - Parameters:
  ///   - weights: The weights; column `c` at depth `d` is at `c * columnStride + d * depthStride`. Depths iterate over
  ///     taps, then channels.
  ///   - sums: The results, `rows × columns` values.
  @inlinable
  package static func multiply<Input, Weight, Sum>(
    rows: Int, columns: Int, taps: Int, tapDepth: Int, input: UnsafePointer<Input>, inputStride: Int,
    offsets: UnsafePointer<Int32>?, inputZero: Sum, weights: UnsafePointer<Weight>, columnStride: Int, depthStride: Int,
    weightZero: Sum, bias: UnsafePointer<Sum>?, sums: UnsafeMutablePointer<Sum>
  ) where Input: FixedWidthInteger, Weight: FixedWidthInteger, Sum: FixedWidthInteger {
    for row in 0..<rows {
      for column in 0..<columns {
        var sum: Sum = 0
        if let bias { sum = bias[column] }
        for tap in 0..<taps {
          var from = input + row &* inputStride
          if let offsets {
            let offset = Int(offsets[row &* taps &+ tap])
            guard offset >= 0 else { continue }
            from = input + offset
          }
          let weight = weights + (column &* columnStride &+ tap &* tapDepth &* depthStride)
          for position in 0..<tapDepth {
            let x = Sum(truncatingIfNeeded: from[position]) &- inputZero
            sum &+= x &* (Sum(truncatingIfNeeded: weight[position &* depthStride]) &- weightZero)
          }
        }
        sums[row &* columns &+ column] = sum
      }
    }
  }
}
