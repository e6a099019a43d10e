#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/MovementKernels.swift documents every argument.

  /// Transposes a matrix of 32-bit elements.
  @_cdecl("swiftlet_transpose_32")
  public func transpose32EntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<UInt32>, _ inputStride: Int,
    _ output: UnsafeMutablePointer<UInt32>, _ outputStride: Int
  ) {
    transpose32(
      rows: rows, columns: columns, input: input, inputStride: inputStride, output: output, outputStride: outputStride)
  }

  /// Transposes a matrix of bytes.
  @_cdecl("swiftlet_transpose_8")
  public func transpose8EntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<UInt8>, _ inputStride: Int,
    _ output: UnsafeMutablePointer<UInt8>, _ outputStride: Int
  ) {
    transpose8(
      rows: rows, columns: columns, input: input, inputStride: inputStride, output: output, outputStride: outputStride)
  }

  /// Fills memory with a 32-bit element.
  @_cdecl("swiftlet_fill_32")
  public func fill32EntryPoint(_ count: Int, _ value: Int32, _ output: UnsafeMutablePointer<Int32>) {
    fill32(SelectedISA.self, count: count, value: value, output: output)
  }

  /// Copies 3-byte pixels to 4-byte pixels and fills the fourth byte.
  @_cdecl("swiftlet_pad_pixels_8")
  public func padPixelsEntryPoint(
    _ count: Int, _ input: UnsafeRawPointer, _ filler: UInt8, _ output: UnsafeMutablePointer<UInt32>
  ) {
    padPixels(count: count, input: input, filler: filler, output: output)
  }
#endif
