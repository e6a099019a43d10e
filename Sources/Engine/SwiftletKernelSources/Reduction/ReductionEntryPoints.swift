#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/ReductionKernels.swift documents every argument.

  /// Computes column sums of rows of floats.
  @_cdecl("swiftlet_sum_of_rows_f32")
  public func sumOfRowsEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ inputStride: Int,
    _ output: UnsafeMutablePointer<Float>
  ) {
    sumOfRows(
      SelectedISA.self, rows: rows, columns: columns, input: input, inputStride: inputStride, output: output)
  }

  /// Computes column sums of rows of bytes.
  @_cdecl("swiftlet_sum_of_rows_u8")
  public func sumOfByteRowsEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafeRawPointer, _ inputStride: Int, _ isSigned: Int32,
    _ output: UnsafeMutablePointer<Int32>
  ) {
    sumOfByteRows(
      SelectedISA.self, rows: rows, columns: columns, input: input, inputStride: inputStride,
      flip: isSigned != 0 ? 0x80 : 0, output: output)
  }

  /// Computes the sum, the smallest, and the largest value of every row.
  @_cdecl("swiftlet_summarize_rows_f32")
  public func summarizeRowsEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ inputStride: Int,
    _ sums: UnsafeMutablePointer<Float>?, _ smallest: UnsafeMutablePointer<Float>?,
    _ largest: UnsafeMutablePointer<Float>?
  ) {
    summarizeRows(
      SelectedISA.self, rows: rows, columns: columns, input: input, inputStride: inputStride, sums: sums,
      smallest: smallest, largest: largest)
  }

  /// Reduces every row of floats to its sum, minimum, maximum, or sum of squares.
  @_cdecl("swiftlet_reduce_rows_f32")
  public func reduceRowsEntryPoint(
    _ operation: Int32, _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ inputStride: Int,
    _ output: UnsafeMutablePointer<Float>
  ) {
    typealias V = SelectedISA
    switch operation {
    case 1:
      reduceRows(
        RowMinimum<V>.self, rows: rows, columns: columns, input: input, inputStride: inputStride, output: output)
    case 2:
      reduceRows(
        RowMaximum<V>.self, rows: rows, columns: columns, input: input, inputStride: inputStride, output: output)
    case 3:
      reduceRows(
        RowSumOfSquares<V>.self, rows: rows, columns: columns, input: input, inputStride: inputStride, output: output)
    default:
      reduceRows(RowSum<V>.self, rows: rows, columns: columns, input: input, inputStride: inputStride, output: output)
    }
  }
#endif
