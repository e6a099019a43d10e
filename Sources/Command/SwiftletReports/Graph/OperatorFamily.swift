/// What kind of work an operator does: operators of a family have one colour in all pages.
package enum OperatorFamily: Int, Sendable, CaseIterable {
  case product, reduction, arithmetic, control, custom, conversion, lookup, movement

  /// The words of a legend.
  package var title: String {
    switch self {
    case .product: "convolutions and products"
    case .reduction: "pooling and reductions"
    case .arithmetic: "arithmetic and activations"
    case .control: "control, state and recurrence"
    case .custom: "custom operators"
    case .conversion: "quantisation and casts"
    case .lookup: "resizing and look-ups"
    case .movement: "shapes and moving data"
    }
  }

  /// - Parameter name: the schema's name, `CONV_2D`, or a custom operator's own.
  package init(operatorNamed name: String, isCustom: Bool) {
    if isCustom {
      self = .custom
      return
    }
    let plain = name.hasPrefix("STABLEHLO_") ? String(name.dropFirst("STABLEHLO_".count)) : name
    self = Self.members.first { $0.names.contains(plain) }?.family ?? Self.guess(plain)
  }

  private static func guess(_ name: String) -> OperatorFamily {
    if name.hasPrefix("CONV_") || name.hasSuffix("CONVOLUTION") { return .product }
    if name.hasPrefix("REDUCE") || name.contains("POOL_") || name.hasPrefix("UNSORTED_SEGMENT") { return .reduction }
    if name.contains("LSTM") || name.contains("RNN") || name.contains("VARIABLE") { return .control }
    if name.hasPrefix("HASHTABLE") || name.hasPrefix("GATHER") || name.hasPrefix("RESIZE") || name.contains("LOOKUP")
      || name.contains("SCATTER")
    {
      return .lookup
    }
    if name.contains("SLICE") || name.hasPrefix("SPLIT") || name.contains("PAD") || name.contains("BATCH_ND")
      || name.hasPrefix("BATCH_TO_SPACE")
    {
      return .movement
    }
    return .arithmetic
  }

  private static let members: [(family: OperatorFamily, names: Set<String>)] = [
    (.product, ["DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "TRANSPOSE_CONV", "DOT_GENERAL", "RFFT2D"]),
    (
      .reduction,
      [
        "MEAN", "SUM", "ARG_MAX", "ARG_MIN", "CUMSUM", "TOPK_V2", "SEGMENT_SUM", "SORT", "UNIQUE",
        "NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5",
      ]
    ),
    (
      .control,
      ["IF", "WHILE", "CASE", "CALL", "CALL_ONCE", "VAR_HANDLE", "SVDF", "COMPOSITE", "CUSTOM_CALL", "DELEGATE"]
    ),
    (.conversion, ["QUANTIZE", "DEQUANTIZE", "CAST", "FAKE_QUANT", "DENSIFY", "BITCAST", "CONVERT"]),
    (
      .lookup,
      [
        "ONE_HOT", "DEPTH_TO_SPACE", "SPACE_TO_DEPTH", "WHERE", "BUCKETIZE", "SPARSE_TO_DENSE", "LSH_PROJECTION",
        "SKIP_GRAM",
      ]
    ),
    (
      .movement,
      [
        "RESHAPE", "TRANSPOSE", "CONCATENATION", "CONCATENATE", "CONCAT_EMBEDDINGS", "PACK", "UNPACK", "SQUEEZE",
        "EXPAND_DIMS", "TILE",
        "BROADCAST_TO", "BROADCAST_ARGS", "BROADCAST_IN_DIM", "SHAPE", "RANK", "REVERSE_V2", "REVERSE_SEQUENCE", "FILL",
        "ZEROS_LIKE", "RANGE", "IOTA",
        "MATRIX_DIAG", "MATRIX_SET_DIAG", "DILATE",
      ]
    ),
  ]
}
