#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points; the labeled calls in Table/PeakKernels.swift say what every argument means.

  /// Multiplies and adds registers of floats: the most that float32 kernels can reach.
  @_cdecl("swiftlet_peak_multiply_add_f32")
  public func peakMultiplyAddsEntryPoint(
    _ iterations: Int, _ input: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    peakMultiplyAdds(SelectedISA.self, iterations: iterations, input: input, output: output)
  }

  /// Multiplies and adds registers of bytes: the most that quantized kernels can reach.
  @_cdecl("swiftlet_peak_dot_u8")
  public func peakDotProductsEntryPoint(
    _ iterations: Int, _ input: UnsafeRawPointer, _ weights: UnsafeRawPointer, _ output: UnsafeMutableRawPointer
  ) {
    peakDotProducts(SelectedISA.self, iterations: iterations, input: input, weights: weights, output: output)
  }

  /// How many products one step of the byte peak counts.
  @_cdecl("swiftlet_peak_dot_inputs")
  public func peakDotProductInputsEntryPoint() -> Int { peakDotProductInputs(SelectedISA.self) }

  /// Scales floats in memory: the most that reading and writing can reach.
  @_cdecl("swiftlet_peak_scale_f32")
  public func peakScaleEntryPoint(
    _ count: Int, _ factor: Float, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>
  ) {
    peakScale(SelectedISA.self, count: count, factor: factor, input: input, output: output)
  }

  /// Sums floats in memory: the most that reading can reach.
  @_cdecl("swiftlet_peak_sum_f32")
  public func peakSumEntryPoint(_ count: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutableRawPointer) {
    peakSum(SelectedISA.self, count: count, input: input, output: output)
  }
#endif
