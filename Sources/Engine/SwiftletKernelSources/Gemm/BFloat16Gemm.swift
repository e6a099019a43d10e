/// The multiplication of bfloat16 rows by packed weights on an instruction set.
protocol BFloat16Multiplication {
  associatedtype V: BFloat16ISA

  /// Writes `columns` clamped results per row. Strides are in bytes.
  static func multiply(
    rows: Int, columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer,
    output: UnsafeMutableRawPointer,
    outputStride: Int, lower: Float, upper: Float)
}

/// Multiplication by dot products of pairs, with the same tile as float32.
enum BFloat16Dots<V: BFloat16DotISA>: BFloat16Multiplication {
  @inline(__always)
  static func multiply(
    rows: Int, columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer,
    output: UnsafeMutableRawPointer,
    outputStride: Int, lower: Float, upper: Float
  ) {
    gemm(
      BFloat16Product<V>.self, rows: rows, columns: columns, tapDepth: tapDepth, source: source, panels: panels,
      output: output, outputStride: outputStride, lower: lower, upper: upper)
  }
}

// The multiplication that this compilation of the kernels uses.
#if SWIFTLET_NEON && SWIFTLET_BFLOAT16
  typealias SelectedBFloat16 = BFloat16Matrices
#elseif SWIFTLET_BFLOAT16
  typealias SelectedBFloat16 = BFloat16Dots<SelectedISA>
#endif
