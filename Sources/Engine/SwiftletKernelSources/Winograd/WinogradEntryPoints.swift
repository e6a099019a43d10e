#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/WinogradKernels.swift documents every argument.

  /// Transforms input tiles by Winograd's minimal filtering.
  @_cdecl("swiftlet_winograd_input_f32")
  public func winogradInputEntryPoint(
    _ channels: Int, _ input: UnsafePointer<Float>, _ rowStride: Int, _ pixelStride: Int,
    _ scratch: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>, _ planeStride: Int
  ) {
    winogradInput(
      SelectedISA.self, channels: channels, input: input, rowStride: rowStride, pixelStride: pixelStride,
      scratch: scratch, output: output, planeStride: planeStride)
  }

  /// Transforms products back into output tiles by Winograd's minimal filtering.
  @_cdecl("swiftlet_winograd_output_f32")
  public func winogradOutputEntryPoint(
    _ channels: Int, _ input: UnsafePointer<Float>, _ planeStride: Int, _ bias: UnsafePointer<Float>?, _ lower: Float,
    _ upper: Float, _ scratch: UnsafeMutableRawPointer, _ output: UnsafeMutablePointer<Float>, _ rowStride: Int,
    _ pixelStride: Int, _ rows: Int, _ columns: Int
  ) {
    winogradOutput(
      SelectedISA.self, channels: channels, input: input, planeStride: planeStride, bias: bias, lower: lower,
      upper: upper, scratch: scratch, output: output, rowStride: rowStride, pixelStride: pixelStride, rows: rows,
      columns: columns)
  }
#endif
