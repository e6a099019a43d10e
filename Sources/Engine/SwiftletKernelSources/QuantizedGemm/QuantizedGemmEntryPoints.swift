#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/QuantizedGemmKernels.swift documents every argument.

  /// Multiplies rows of bytes by packed weights and requantizes the sums.
  @_cdecl("swiftlet_gemm_u8_requantize")
  public func gemmRequantizeEntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafeRawPointer, _ inputStride: Int,
    _ flip: Int32, _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafeRawPointer, _ panels: UnsafeRawPointer,
    _ rowTerms: UnsafePointer<Int32>?, _ output: UnsafeMutableRawPointer, _ outputStride: Int, _ zeroPoint: Int,
    _ lower: Int, _ upper: Int, _ outputFlip: Int
  ) {
    let zeroPoint = Int32(truncatingIfNeeded: zeroPoint)
    let lower = Int32(truncatingIfNeeded: lower)
    let upper = Int32(truncatingIfNeeded: upper)
    let outputFlip = Int32(truncatingIfNeeded: outputFlip)
    let source = RowSource(
      base: input, stride: inputStride, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 1)
    let epilogue = RequantizingEpilogue<SelectedISA>(
      rowTerms: RowTerms(values: rowTerms), output: output, outputStride: outputStride, zeroPoint: zeroPoint,
      lower: lower, upper: upper,
      flip: outputFlip)
    QuantizedGemm.compute(
      SelectedAccumulation.self, rows: rows, columns: columns, tapDepth: tapDepth, source: source, panels: panels,
      flip: flip, epilogue: epilogue)
  }

  /// Multiplies rows of bytes by packed weights into 32-bit sums.
  @_cdecl("swiftlet_gemm_u8_accumulate")
  public func gemmAccumulateEntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafeRawPointer, _ inputStride: Int,
    _ flip: Int32, _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafeRawPointer, _ panels: UnsafeRawPointer,
    _ rowTerms: UnsafePointer<Int32>?, _ output: UnsafeMutablePointer<Int32>, _ outputStride: Int
  ) {
    let source = RowSource(
      base: input, stride: inputStride, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 1)
    let epilogue = AccumulatingEpilogue<SelectedISA>(
      rowTerms: RowTerms(values: rowTerms), output: output, outputStride: outputStride &* 4)
    QuantizedGemm.compute(
      SelectedAccumulation.self, rows: rows, columns: columns, tapDepth: tapDepth, source: source, panels: panels,
      flip: flip, epilogue: epilogue)
  }

  /// Multiplies dynamically quantized rows by packed weights into float32.
  @_cdecl("swiftlet_gemm_u8_dynamic_range")
  public func gemmDynamicRangeEntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafeRawPointer, _ inputStride: Int,
    _ flip: Int32, _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafeRawPointer, _ panels: UnsafeRawPointer,
    _ rowScales: UnsafePointer<Float>, _ rowZeroPoints: UnsafePointer<Int32>, _ rowParameterStride: Int,
    _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ lower: Float, _ upper: Float, _ isFused: Int
  ) {
    let isFused = Int32(truncatingIfNeeded: isFused)
    let source = RowSource(
      base: input, stride: inputStride, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 1)
    @inline(__always) func compute(isFused: Bool) {
      let epilogue = DynamicRangeEpilogue<SelectedISA>(
        rowScales: rowScales, rowZeroPoints: rowZeroPoints, rowParameterStride: rowParameterStride,
        zeroPointOffset: flip < 0 ? 128 : 0, output: output, outputStride: outputStride &* 4, lower: lower,
        upper: upper,
        isFused: isFused)
      QuantizedGemm.compute(
        SelectedAccumulation.self, rows: rows, columns: columns, tapDepth: tapDepth, source: source, panels: panels,
        flip: flip, epilogue: epilogue)
    }
    compute(isFused: isFused != 0)
  }

  /// Multiplies dynamically quantized rows by packed int4 weights into float32.
  @_cdecl("swiftlet_gemm_i4_dynamic_range")
  public func gemmInt4EntryPoint(
    _ rows: Int, _ columns: Int, _ blocks: Int, _ blockSize: Int, _ input: UnsafeRawPointer, _ inputStride: Int,
    _ rowTerms: UnsafePointer<Int32>, _ panels: UnsafeRawPointer, _ rowScales: UnsafePointer<Float>,
    _ rowZeroPoints: UnsafePointer<Int32>, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ lower: Float,
    _ upper: Float, _ hasBlockScales: Int, _ isFused: Int
  ) {
    let isFused = Int32(truncatingIfNeeded: isFused), hasBlockScales = Int32(truncatingIfNeeded: hasBlockScales)
    let epilogue = DynamicRangeEpilogue<SelectedISA>(
      rowScales: rowScales, rowZeroPoints: rowZeroPoints, rowParameterStride: 1, zeroPointOffset: 0, output: output,
      outputStride: outputStride &* 4, lower: lower, upper: upper, isFused: isFused != 0)
    let gemm = Int4Gemm(
      columns: columns, blocks: blocks, blockSize: blockSize, input: input, inputStride: inputStride, terms: rowTerms,
      panels: panels, epilogue: epilogue)
    if hasBlockScales != 0 {
      gemm.compute(rows: rows, hasScales: true)
    } else {
      gemm.compute(rows: rows, hasScales: false)
    }
  }

  /// Computes the sum of every row of bytes, multiplied by a factor.
  @_cdecl("swiftlet_row_sums_u8")
  public func rowSumsEntryPoint(
    _ rows: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafeRawPointer, _ inputStride: Int, _ flip: Int32,
    _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafeRawPointer, _ factor: Int, _ output: UnsafeMutablePointer<Int32>
  ) {
    let factor = Int32(truncatingIfNeeded: factor)
    let source = RowSource(
      base: input, stride: inputStride, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 1)
    RowSums<SelectedISA>(tapDepth: tapDepth, source: source, flip: flip).compute(
      rows: rows, factor: factor, output: output)
  }

  /// Copies rows of bytes in the form that products read fastest.
  @_cdecl("swiftlet_copy_rows_u8")
  public func copyRowsEntryPoint(
    _ rows: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafeRawPointer, _ inputStride: Int, _ flip: Int32,
    _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    let source = RowSource(
      base: input, stride: inputStride, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 1)
    RowCopies<SelectedISA>(tapDepth: tapDepth, source: source, flip: flip).compute(rows: rows, output: output)
  }

  /// Computes the dot products of rows of bytes with a few columns.
  @_cdecl("swiftlet_row_dots_u8")
  public func rowDotsEntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafeRawPointer, _ inputStride: Int,
    _ flip: Int32, _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafeRawPointer, _ weights: UnsafeRawPointer,
    _ starts: UnsafePointer<Int32>, _ rowTerms: UnsafePointer<Int32>?, _ output: UnsafeMutablePointer<Int32>
  ) {
    let source = RowSource(
      base: input, stride: inputStride, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 1)
    RowDots<SelectedISA>(
      tapDepth: tapDepth, source: source, flip: flip, weights: weights, starts: starts, rowTerms: rowTerms
    ).compute(rows: rows, columns: columns, output: output)
  }

  /// Packs a few columns of byte weights for dot products with rows.
  @_cdecl("swiftlet_pack_row_dots_u8")
  public func packRowDotsEntryPoint(
    _ columns: Int, _ taps: Int, _ tapDepth: Int, _ weights: UnsafeRawPointer, _ columnStride: Int, _ tapStride: Int,
    _ channelStride: Int, _ weightFlip: Int32, _ weightZeroPoint: Int, _ inputZeroPoint: Int,
    _ bias: UnsafePointer<Int32>?, _ output: UnsafeMutableRawPointer
  ) {
    let weights = ByteWeights(
      pointer: weights, columnStride: columnStride, tapStride: tapStride, channelStride: channelStride,
      flip: UInt32(bitPattern: weightFlip))
    packRowDots(
      SelectedISA.self, columns: columns, taps: taps, tapDepth: tapDepth, weights: weights,
      weightZeroPoint: Int32(truncatingIfNeeded: weightZeroPoint),
      inputZeroPoint: Int32(truncatingIfNeeded: inputZeroPoint), bias: bias, output: output)
  }

  /// Packs weights as panels of bytes with their per-column terms.
  @_cdecl("swiftlet_pack_u8")
  public func packBytesEntryPoint(
    _ columns: Int, _ taps: Int, _ tapDepth: Int, _ weights: UnsafeRawPointer, _ columnStride: Int, _ tapStride: Int,
    _ channelStride: Int, _ weightFlip: Int32, _ weightZeroPoint: Int, _ inputZeroPoint: Int,
    _ bias: UnsafePointer<Int32>?, _ scales: UnsafePointer<Float>?, _ scaleStride: Int,
    _ floatBias: UnsafePointer<Float>?, _ panels: UnsafeMutableRawPointer
  ) {
    let weightZeroPoint = Int32(truncatingIfNeeded: weightZeroPoint)
    let inputZeroPoint = Int32(truncatingIfNeeded: inputZeroPoint)
    let weights = ByteWeights(
      pointer: weights, columnStride: columnStride, tapStride: tapStride, channelStride: channelStride,
      flip: UInt32(bitPattern: weightFlip))
    packBytes(
      SelectedISA.self, columns: columns, taps: taps, tapDepth: tapDepth, weights: weights,
      weightZeroPoint: weightZeroPoint, inputZeroPoint: inputZeroPoint, bias: bias, scales: scales,
      scaleStride: scaleStride, floatBias: floatBias, panels: panels)
  }
#endif
