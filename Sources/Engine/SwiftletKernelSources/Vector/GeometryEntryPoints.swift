#if SWIFTLET_COMPILES_KERNELS || os(Windows) || !(arch(x86_64) || arch(arm64))
  // The sizes that callers must know about a variant, asked from the variant itself so that they cannot disagree.

  /// How many output columns a panel of packed weights holds.
  @_cdecl("swiftlet_panel_columns")
  public func panelColumnsEntryPoint() -> Int { SelectedISA.panelColumns }

  /// How many neighboring bytes of a column lie side by side in a panel of packed bytes.
  @_cdecl("swiftlet_group_bytes")
  public func groupBytesEntryPoint() -> Int { SelectedISA.groupBytes }

  /// Whether products of unsigned input bytes are faster than those of signed ones: 1 or 0.
  @_cdecl("swiftlet_prefers_unsigned_bytes")
  public func prefersUnsignedBytesEntryPoint() -> Int { SelectedISA.flipsDelayProducts ? 1 : 0 }

  /// How many rows a float32 tile computes at a time.
  @_cdecl("swiftlet_tile_rows")
  public func tileRowsEntryPoint() -> Int { SelectedISA.tileRows }

  /// How many rows a quantized tile computes at a time.
  @_cdecl("swiftlet_quantized_tile_rows")
  public func quantizedTileRowsEntryPoint() -> Int { SelectedISA.quantizedTileRows }
#endif
