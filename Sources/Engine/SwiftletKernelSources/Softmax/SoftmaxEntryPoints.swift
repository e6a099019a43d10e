#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/ElementwiseKernels.swift documents every argument.

  /// Computes the softmax of every row.
  @_cdecl("swiftlet_softmax_f32")
  public func softmaxEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ beta: Float, _ output: UnsafeMutablePointer<Float>
  ) {
    softmax(SelectedISA.self, rows: rows, columns: columns, input: input, beta: beta, output: output)
  }

  /// Computes the logarithm of the softmax of every row.
  @_cdecl("swiftlet_log_softmax_f32")
  public func logSoftmaxEntryPoint(
    _ rows: Int, _ columns: Int, _ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>
  ) {
    logSoftmax(SelectedISA.self, rows: rows, columns: columns, input: input, output: output)
  }
#endif
