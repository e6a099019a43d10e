#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/SignalKernels.swift documents every argument. Complex numbers are pairs of doubles.

  /// Transforms complex numbers.
  @_cdecl("swiftlet_signal_transform")
  public func signalTransformEntryPoint(
    _ numbers: UnsafeMutableRawPointer, _ step: Int, _ length: Int, _ roots: UnsafeRawPointer
  ) {
    FourierPasses(numbers: numbers.assumingMemoryBound(to: SIMD2<Double>.self), step: step, length: length)
      .run(roots.assumingMemoryBound(to: SIMD2<Double>.self))
  }

  /// Computes the frequencies of real numbers.
  @_cdecl("swiftlet_signal_separate")
  public func signalSeparateEntryPoint(_ numbers: UnsafeMutableRawPointer, _ half: Int, _ roots: UnsafeRawPointer) {
    separateFrequencies(
      numbers.assumingMemoryBound(to: SIMD2<Double>.self), half: half,
      roots: roots.assumingMemoryBound(to: SIMD2<Double>.self))
  }
#endif
