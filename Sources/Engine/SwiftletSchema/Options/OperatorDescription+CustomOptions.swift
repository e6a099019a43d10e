package import SwiftletFlatBuffers

extension OperatorDescription {
  /// The custom options as FlexBuffer values; `null` when there are none.
  ///
  /// Many custom operators keep a map there; others keep bytes of their own, which must not be read this way.
  ///
  /// - Throws: `SchemaError` when the bytes are not a FlexBuffer.
  package func customOptionValues() throws(SchemaError) -> FlexBufferValue {
    guard customOptions.count > 0 else { return .null }
    return try locating("custom_options") { () throws(SchemaError) in
      try reading { () throws(FlatBufferError) in try FlexBufferValue(customOptions) }
    }
  }

  /// The attributes of a `STABLEHLO_COMPOSITE` as FlexBuffer values; `null` when there are none.
  ///
  /// - Throws: `SchemaError` when the bytes are not a FlexBuffer.
  package func compositeAttributes() throws(SchemaError) -> FlexBufferValue {
    guard code.kind == .builtin(.stablehloComposite),
      let bytes = try options[StableHLOCompositeOptions.compositeAttributes], bytes.count > 0
    else { return .null }
    return try locating("composite_attributes") { () throws(SchemaError) in
      try reading { () throws(FlatBufferError) in try FlexBufferValue(bytes) }
    }
  }
}
