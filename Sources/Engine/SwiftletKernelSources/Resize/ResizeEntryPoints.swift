#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/ResizeKernels.swift documents every argument. `taps` points to an array of `ColumnTap`.

  /// Interpolates between two rows of floats.
  @_cdecl("swiftlet_mix_rows_f32")
  public func mixRowsFloat32EntryPoint(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ secondWeight: Float, _ count: Int,
    _ output: UnsafeMutablePointer<Float>
  ) {
    mixRows(SelectedISA.self, first, second, secondWeight, count: count, output: output)
  }

  /// Interpolates between neighboring pixels of a row of floats.
  @_cdecl("swiftlet_mix_columns_f32")
  public func mixColumnsFloat32EntryPoint(
    _ row: UnsafePointer<Float>, _ taps: UnsafeRawPointer, _ tapCount: Int, _ channels: Int,
    _ output: UnsafeMutablePointer<Float>
  ) {
    ColumnMixing<SelectedISA>(
      taps: taps, tapCount: tapCount, channels: channels
    ).mix(row, output: output)
  }

  /// Interpolates between two rows of signed bytes with integer weights.
  @_cdecl("swiftlet_mix_rows_s8")
  public func mixRowsInt8EntryPoint(
    _ first: UnsafePointer<Int8>, _ second: UnsafePointer<Int8>, _ firstWeight: Int32, _ secondWeight: Int32,
    _ count: Int, _ output: UnsafeMutablePointer<Int32>
  ) {
    mixRows(SelectedISA.self, first, second, firstWeight, secondWeight, count: count, output: output)
  }

  /// Interpolates between neighboring pixels of a row of 32-bit sums, and stores signed bytes.
  @_cdecl("swiftlet_mix_columns_s8")
  public func mixColumnsInt8EntryPoint(
    _ row: UnsafePointer<Int32>, _ taps: UnsafeRawPointer, _ tapCount: Int, _ channels: Int, _ fractionBits: Int32,
    _ negativeShift: Int32, _ output: UnsafeMutablePointer<Int8>
  ) {
    ColumnMixing<SelectedISA>(
      taps: taps, tapCount: tapCount, channels: channels
    ).mix(row, fractionBits: fractionBits, negativeShift: negativeShift, output: output)
  }

  /// Multiplies a row of unsigned bytes by a weight, and stores floats.
  @_cdecl("swiftlet_scale_row_u8")
  public func scaleRowUInt8EntryPoint(
    _ row: UnsafePointer<UInt8>, _ weight: Float, _ count: Int, _ output: UnsafeMutablePointer<Float>
  ) {
    scaleRow(SelectedISA.self, row, by: weight, count: count, output: output)
  }

  /// Interpolates between neighboring pixels of two rows of floats, and stores unsigned bytes.
  @_cdecl("swiftlet_mix_columns_u8")
  public func mixColumnsUInt8EntryPoint(
    _ first: UnsafePointer<Float>, _ second: UnsafePointer<Float>, _ taps: UnsafeRawPointer, _ tapCount: Int,
    _ channels: Int, _ output: UnsafeMutablePointer<UInt8>
  ) {
    ColumnMixing<SelectedISA>(
      taps: taps, tapCount: tapCount, channels: channels
    ).mix(first, second, output: output)
  }
#endif
