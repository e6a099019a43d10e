// The sizes that callers must know about a variant, asked from the variant itself so that they cannot disagree.

@c(swiftlet_panel_columns)
public func panelColumnsEntryPoint() -> Int { SelectedISA.panelColumns }

@c(swiftlet_tile_rows)
public func tileRowsEntryPoint() -> Int { SelectedISA.tileRows }

@c(swiftlet_quantized_tile_rows)
public func quantizedTileRowsEntryPoint() -> Int { SelectedISA.quantizedTileRows }
