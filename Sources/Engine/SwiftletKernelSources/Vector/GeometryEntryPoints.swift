#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // The sizes of an instruction set that callers need. They come from its own kernels, so that the two can't disagree.

  /// Returns the number of output columns in a panel of packed weights.
  @_cdecl("swiftlet_panel_columns")
  public func panelColumnsEntryPoint() -> Int { SelectedISA.panelColumns }

  /// Returns the number of consecutive bytes of a column that are adjacent in a panel of packed bytes.
  @_cdecl("swiftlet_group_bytes")
  public func groupBytesEntryPoint() -> Int { SelectedISA.groupBytes }

  /// Returns 1 if products of unsigned input bytes are faster than products of signed bytes; otherwise 0.
  @_cdecl("swiftlet_prefers_unsigned_bytes")
  public func prefersUnsignedBytesEntryPoint() -> Int { SelectedISA.flipsDelayProducts ? 1 : 0 }

  /// Returns 1 if an instruction expands float16 values; otherwise 0.
  @_cdecl("swiftlet_loads_float16")
  public func loadsFloat16EntryPoint() -> Int { SelectedISA.hasFloat16Loads ? 1 : 0 }

  /// Returns the number of rows in a float32 tile.
  @_cdecl("swiftlet_tile_rows")
  public func tileRowsEntryPoint() -> Int { SelectedISA.tileRows }

  /// Returns the number of rows in a quantized tile.
  @_cdecl("swiftlet_quantized_tile_rows")
  public func quantizedTileRowsEntryPoint() -> Int { SelectedISA.quantizedTileRows }

  /// Returns the size of a byte in a copied row.
  @_cdecl("swiftlet_copied_byte_size")
  public func copiedByteSizeEntryPoint() -> Int { SelectedISA.copiedByteSize }

  /// Returns the size of a vector of weights in the form that dot products read.
  @_cdecl("swiftlet_weight_vector_bytes")
  public func weightVectorBytesEntryPoint() -> Int { MemoryLayout<SelectedISA.WeightBytes>.size }
#endif
