/// How an instruction set multiplies rows of bfloat16 by packed weights.
protocol BFloat16Multiplication {
  associatedtype V: BFloat16ISA

  /// Writes `columns` clamped results of each row. Distances are in bytes.
  static func multiply(
    rows: Int, columns: Int, tapDepth: Int, source: RowSource, panels: UnsafeRawPointer,
    output: UnsafeMutableRawPointer,
    outputStride: Int, lower: Float, upper: Float)
}

/// Dot products of pairs: the tile of float32.
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

// How this compilation of the kernels does it.
#if SWIFTLET_NEON && SWIFTLET_BFLOAT16
  typealias SelectedBFloat16 = BFloat16Matrices
#elseif SWIFTLET_BFLOAT16
  typealias SelectedBFloat16 = BFloat16Dots<SelectedISA>
#endif
