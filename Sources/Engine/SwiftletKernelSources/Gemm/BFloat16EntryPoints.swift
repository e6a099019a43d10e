// Entry points of the instruction sets with bfloat16 dot products. Table/BFloat16Kernels.swift documents every
// argument.
#if SWIFTLET_BFLOAT16
  /// Multiplies rows of bfloat16 by packed weights into float32.
  @_cdecl("swiftlet_gemm_bf16")
  public func gemmBFloat16EntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafePointer<UInt16>, _ inputStride: Int,
    _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafePointer<UInt16>, _ panels: UnsafeRawPointer,
    _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ lower: Float, _ upper: Float
  ) {
    let source = RowSource(
      base: input, stride: inputStride &* 2, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 2)
    SelectedBFloat16.multiply(
      rows: rows, columns: columns, tapDepth: tapDepth, source: source, panels: panels, output: output,
      outputStride: outputStride &* 4, lower: lower, upper: upper)
  }

  /// Rounds float32 rows to bfloat16 and multiplies them by packed weights.
  @_cdecl("swiftlet_gemm_rounded_bf16")
  public func gemmRoundedEntryPoint(
    _ rows: Int, _ columns: Int, _ depth: Int, _ input: UnsafePointer<Float>, _ inputStride: Int,
    _ rounded: UnsafeMutablePointer<UInt16>, _ panels: UnsafeRawPointer, _ output: UnsafeMutablePointer<Float>,
    _ outputStride: Int, _ lower: Float, _ upper: Float
  ) {
    gemmRounded(
      SelectedBFloat16.self, rows: rows, columns: columns, depth: depth, input: input, inputStride: inputStride,
      rounded: rounded, panels: panels, output: output, outputStride: outputStride, lower: lower, upper: upper)
  }

  /// Returns the number of rows to round at a time.
  @_cdecl("swiftlet_rounded_rows")
  public func roundedRowsEntryPoint(_ columns: Int, _ depth: Int) -> Int {
    roundedRows(SelectedISA.self, columns: columns, depth: depth)
  }

  /// Returns the number of consecutive values of a column that are adjacent in packed weights.
  @_cdecl("swiftlet_bf16_group")
  public func bfloat16GroupEntryPoint() -> Int { SelectedISA.bfloat16Group }

  /// Packs weights as bfloat16 panels.
  @_cdecl("swiftlet_pack_bf16")
  public func packBFloat16EntryPoint(
    _ columns: Int, _ taps: Int, _ tapDepth: Int, _ weights: UnsafePointer<Float>, _ columnStride: Int,
    _ tapStride: Int,
    _ depthStride: Int, _ bias: UnsafePointer<Float>?, _ panels: UnsafeMutablePointer<UInt32>
  ) {
    packBFloat16(
      SelectedISA.self, columns: columns, taps: taps, tapDepth: tapDepth, weights: weights, columnStride: columnStride,
      tapStride: tapStride, depthStride: depthStride, bias: bias, panels: panels)
  }

  /// Rounds float32 rows to bfloat16.
  @_cdecl("swiftlet_round_bf16")
  public func roundBFloat16EntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ inputStride: Int,
    _ output: UnsafeMutablePointer<UInt16>, _ outputStride: Int
  ) {
    roundRowsToBFloat16(
      SelectedISA.self, rows: rows, columns: columns, input: input, inputStride: inputStride &* 4, output: output,
      outputStride: outputStride &* 2)
  }
#endif
