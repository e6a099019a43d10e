#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points: not generic, on raw pointers and sizes, one symbol each. Table/GemmKernels.swift declares them for
  // Swift with labels and documents every argument.

  /// Multiplies float32 rows by packed weights.
  @_cdecl("swiftlet_gemm_f32")
  public func gemmFloat32EntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafePointer<Float>, _ inputStride: Int,
    _ offsets: UnsafePointer<Int32>?, _ zeroRow: UnsafePointer<Float>, _ panels: UnsafePointer<Float>,
    _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ lower: Float, _ upper: Float
  ) {
    let source = RowSource(
      base: input, stride: inputStride &* 4, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 4)
    gemm(
      Float32Product<SelectedISA>.self, rows: rows, columns: columns, tapDepth: tapDepth, source: source,
      panels: panels,
      output: output,
      outputStride: outputStride &* 4, lower: lower, upper: upper)
  }

  /// Computes the dot products of float32 rows with a few columns.
  @_cdecl("swiftlet_dots_f32")
  public func floatDotsEntryPoint(
    _ rows: Int, _ columns: Int, _ taps: Int, _ tapDepth: Int, _ input: UnsafePointer<Float>,
    _ offsets: UnsafePointer<Int32>, _ zeroRow: UnsafePointer<Float>, _ biases: UnsafePointer<Float>,
    _ weights: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, _ outputStride: Int, _ lower: Float,
    _ upper: Float
  ) {
    let source = RowSource(base: input, stride: 0, offsets: offsets, zeroRow: zeroRow, taps: taps, elementBytes: 4)
    FloatDots<SelectedISA>(
      columns: columns, tapDepth: tapDepth, source: source, biases: biases, weights: weights, output: output,
      outputStride: outputStride, lower: lower, upper: upper
    ).compute(rows: rows)
  }

  /// Multiplies a float32 row by packed float16 weights.
  @_cdecl("swiftlet_row_f16")
  public func float16RowEntryPoint(
    _ columns: Int, _ depth: Int, _ input: UnsafePointer<Float>, _ panels: UnsafeRawPointer,
    _ output: UnsafeMutablePointer<Float>, _ lower: Float, _ upper: Float
  ) {
    Float16Row<SelectedISA>(
      columns: columns, depth: depth, input: input, panels: panels, output: output, lower: SelectedISA.splat(lower),
      upper: SelectedISA.splat(upper)
    ).compute()
  }

  /// Packs weights as float32 panels.
  @_cdecl("swiftlet_pack_f32")
  public func packFloat32EntryPoint(
    _ columns: Int, _ depth: Int, _ weights: UnsafePointer<Float>, _ columnStride: Int, _ depthStride: Int,
    _ bias: UnsafePointer<Float>?, _ panels: UnsafeMutablePointer<Float>
  ) {
    packFloat32(
      SelectedISA.self, columns: columns, depth: depth, weights: weights, columnStride: columnStride,
      depthStride: depthStride, bias: bias, panels: panels)
  }
#endif
