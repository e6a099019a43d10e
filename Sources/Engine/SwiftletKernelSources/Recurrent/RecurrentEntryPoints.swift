#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // Entry points. Table/RecurrentKernels.swift documents every argument.

  /// Rescales the sums of an LSTM gate and adds the sums of its other product.
  @_cdecl("swiftlet_lstm_rescale")
  public func rescaleAddingEntryPoint(
    _ count: Int, _ sums: UnsafePointer<Int32>, _ multipliers: UnsafePointer<Int32>, _ shifts: UnsafePointer<Int32>,
    _ addend: UnsafePointer<Int16>, _ output: UnsafeMutablePointer<Int16>
  ) {
    rescaleAdding(
      SelectedISA.self, count: count, sums: sums, multipliers: multipliers, shifts: shifts, addend: addend,
      output: output)
  }

  /// Computes the next cell states of an integer LSTM.
  @_cdecl("swiftlet_lstm_cells")
  public func updateCellsEntryPoint(
    _ count: Int, _ input: UnsafePointer<Int16>?, _ forget: UnsafePointer<Int16>, _ new: UnsafePointer<Int16>,
    _ cellExponent: Int32, _ limit: Int32, _ cells: UnsafeMutablePointer<Int16>
  ) {
    updateCells(
      SelectedISA.self, count: count, input: input, forget: forget, new: new, cellExponent: cellExponent, limit: limit,
      cells: cells)
  }

  /// Computes the outputs of an integer LSTM from its cell states.
  @_cdecl("swiftlet_lstm_emit")
  public func emitCellsEntryPoint(
    _ count: Int, _ gate: UnsafePointer<Int16>, _ cells: UnsafePointer<Int16>, _ cellIntegerBits: Int32,
    _ multiplier: Int32, _ shift: Int32, _ zeroPoint: Int32, _ output: UnsafeMutablePointer<Int8>
  ) {
    emitCells(
      SelectedISA.self, count: count, gate: gate, cells: cells, cellIntegerBits: cellIntegerBits,
      multiplier: multiplier,
      shift: shift, zeroPoint: zeroPoint, output: output)
  }
#endif
