/// The name of a field of an operator's options and how it is stored: for those who show options without knowing what
/// they mean.
///
/// - Source: the option tables of the TFLite schema, revision 3d.
package enum OptionField: Sendable {
  case int(String, default: Int = 0)
  case uint(String, default: Int = 0)
  case long(String, default: Int = 0)
  case float(String)
  case bool(String, default: Bool = false)
  case string(String)
  case ints(String)
  case longs(String)
  case floats(String)
  case bools(String)
  /// FlexBuffer values.
  case flexible(String)
  /// An element type; 0 stands for the default.
  case type(String, default: ElementType = .float32)
  /// The element type of a bias; 0 means that the operator decides.
  case biasType
  /// A name from a list, stored in one byte or in four.
  case byte(String, [String])
  case word(String, [String])
  /// The number of a subgraph, or of several.
  case subgraph(String)
  case subgraphs(String)
  /// A field that means nothing any more.
  case unused

  static let padding = OptionField.byte("padding", ["SAME", "VALID"])
  static let activation = OptionField.byte(
    "fused_activation_function", ["NONE", "RELU", "RELU_N1_TO_1", "RELU6", "TANH", "SIGN_BIT"])

  /// The fields of the option table with this tag, in the order of their ids; none for a table without fields or an
  /// unknown one.
  package static func fields(ofTable tag: Int) -> [OptionField] {
    (tag < OptionsTable.secondUnionBase ? firstUnion[tag] : secondUnion[tag - OptionsTable.secondUnionBase]) ?? []
  }

  private static let firstUnion: [Int: [OptionField]] = [
    1: [
      .padding, .int("stride_w"), .int("stride_h"), .activation, .int("dilation_w_factor", default: 1),
      .int("dilation_h_factor", default: 1), .biasType,
    ],
    2: [
      .padding, .int("stride_w"), .int("stride_h"), .int("depth_multiplier"), .activation,
      .int("dilation_w_factor", default: 1),
      .int("dilation_h_factor", default: 1),
    ],
    3: [.int("num_channels"), .ints("num_columns_per_channel"), .ints("embedding_dim_per_channel")],
    4: [.byte("type", ["UNKNOWN", "SPARSE", "DENSE"])],
    5: [.padding, .int("stride_w"), .int("stride_h"), .int("filter_width"), .int("filter_height"), .activation],
    6: [.int("rank"), .activation, .bool("asymmetric_quantize_inputs")],
    7: [.activation, .bool("asymmetric_quantize_inputs")],
    8: [
      .activation, .byte("weights_format", ["DEFAULT", "SHUFFLED4x16INT8"]), .bool("keep_num_dims"),
      .bool("asymmetric_quantize_inputs"),
      .biasType,
    ],
    9: [.float("beta")],
    10: [.int("axis"), .activation],
    11: [.activation, .bool("pot_scale_int16", default: true)],
    12: [.activation],
    13: [.int("radius"), .float("bias"), .float("alpha"), .float("beta")],
    14: [
      .activation, .float("cell_clip"), .float("proj_clip"), .byte("kernel_type", ["FULL", "BASIC"]),
      .bool("asymmetric_quantize_inputs"),
    ],
    15: [.unused, .unused, .bool("align_corners"), .bool("half_pixel_centers")],
    16: [.subgraph("subgraph")],
    17: [.ints("new_shape")],
    18: [.int("ngram_size"), .int("max_skip_size"), .bool("include_all_ngrams")],
    19: [.int("block_size")],
    20: [.byte("combiner", ["SUM", "MEAN", "SQRTN"])],
    21: [.activation],
    23: [.int("axis"), .int("batch_dims")],
    27: [.bool("keep_dims")],
    28: [.activation, .bool("pot_scale_int16", default: true)],
    29: [.activation],
    30: [.ints("squeeze_dims")],
    31: [.bool("time_major"), .activation, .bool("asymmetric_quantize_inputs")],
    32: [
      .int("begin_mask"), .int("end_mask"), .int("ellipsis_mask"), .int("new_axis_mask"), .int("shrink_axis_mask"),
      .bool("offset"),
    ],
    35: [.int("num_splits")],
    37: [.type("in_data_type"), .type("out_data_type")],
    40: [.type("output_type")],
    49: [.padding, .int("stride_w"), .int("stride_h"), .activation, .biasType],
    50: [.bool("validate_indices")],
    55: [.type("out_type")],
    57: [.type("output_type")],
    58: [.float("min"), .float("max"), .int("num_bits"), .bool("narrow_range")],
    59: [.int("values_count"), .int("axis")],
    61: [.int("axis")],
    64: [.int("num"), .int("axis")],
    69: [
      .activation, .float("cell_clip"), .float("proj_clip"), .bool("merge_outputs"), .bool("time_major", default: true),
      .bool("asymmetric_quantize_inputs"),
    ],
    70: [.bool("time_major"), .activation, .bool("merge_outputs"), .bool("asymmetric_quantize_inputs")],
    71: [
      .activation, .float("cell_clip"), .float("proj_clip"), .bool("time_major"), .bool("asymmetric_quantize_inputs"),
      .bool("diagonal_recurrent_tensors"),
    ],
    74: [.bool("align_corners"), .bool("half_pixel_centers")],
    75: [.float("alpha")],
    77: [.byte("mode", ["REFLECT", "SYMMETRIC"])],
    79: [.int("num_splits")],
    80: [.type("idx_out_type", default: .int32)],
    87: [.int("seq_dim"), .int("batch_dim")],
    92: [.subgraph("then_subgraph_index"), .subgraph("else_subgraph_index")],
    93: [.subgraph("cond_subgraph_index"), .subgraph("body_subgraph_index")],
    94: [.int("block_size")],
    101: [.bool("adj_x"), .bool("adj_y"), .bool("asymmetric_quantize_inputs")],
    102: [.bool("exclusive"), .bool("reverse")],
    103: [.subgraph("init_subgraph_index")],
    106: [
      .padding, .int("stride_d"), .int("stride_w"), .int("stride_h"), .activation,
      .int("dilation_d_factor", default: 1),
      .int("dilation_w_factor", default: 1), .int("dilation_h_factor", default: 1),
    ],
    107: [.int("table_id"), .type("key_dtype"), .type("value_dtype")],
    111: [.string("container"), .string("shared_name")],
    114: [.long("seed"), .long("seed2")],
    115: [.floats("boundaries")],
    116: [.bool("approximate")],
  ]

  private static let secondUnion: [Int: [OptionField]] = [
    1: [.long("dimension")],
    2: [.longs("broadcast_dimensions")],
    3: [.longs("start_indices"), .longs("limit_indices"), .longs("strides")],
    4: [
      .longs("window_strides"), .longs("padding"), .longs("lhs_dilation"), .longs("rhs_dilation"),
      .bools("window_reversal"),
      .long("input_batch_dimension"), .long("input_feature_dimension"), .longs("input_spatial_dimensions"),
      .long("kernel_input_feature_dimension"), .long("kernel_output_feature_dimension"),
      .longs("kernel_spatial_dimensions"),
      .long("output_batch_dimension"), .long("output_feature_dimension"), .longs("output_spatial_dimensions"),
      .long("feature_group_count"), .long("batch_group_count"), .ints("precision_config"),
    ],
    5: [
      .string("call_target_name"), .bool("has_side_effect"), .string("backend_config"), .int("api_version"),
      .ints("called_computations"),
      .flexible("custom_attributes"),
    ],
    6: [.longs("dimensions"), .subgraph("body_subgraph_index")],
    7: [
      .bool("indices_are_sorted"), .longs("update_window_dims"), .longs("inserted_window_dims"),
      .longs("scatter_dims_to_operand_dims"),
      .long("index_vector_dim"), .bool("unique_indices"), .subgraph("update_computation_subgraph_index"),
    ],
    8: [
      .word("comparison_direction", ["EQ", "NE", "GE", "GT", "LE", "LT"]),
      .word("compare_type", ["NOTYPE", "FLOAT", "FLOAT_TOTAL_ORDER", "SIGNED", "UNSIGNED"]),
    ],
    9: [.longs("slice_sizes")],
    10: [.longs("edge_padding_low"), .longs("edge_padding_high"), .longs("interior_padding")],
    11: [.long("iota_dimension")],
    12: [
      .longs("lhs_batching_dimensions"), .longs("rhs_batching_dimensions"), .longs("lhs_contracting_dimensions"),
      .longs("rhs_contracting_dimensions"), .ints("precision_config"),
    ],
    13: [
      .longs("window_dimensions"), .longs("window_strides"), .longs("base_dilations"), .longs("window_dilations"),
      .longs("padding"),
      .subgraph("body_subgraph_index"),
    ],
    14: [.long("dimension"), .bool("is_stable"), .subgraph("comparator_subgraph_index")],
    15: [.subgraph("cond_subgraph_index"), .subgraph("body_subgraph_index")],
    16: [
      .longs("offset_dims"), .longs("collapsed_slice_dims"), .longs("start_index_map"), .long("index_vector_dim"),
      .longs("slice_sizes"),
      .bool("indices_are_sorted"),
    ],
    17: [.longs("permutation")],
    19: [.byte("algorithm", ["DEFAULT", "PHILOX", "THREEFRY"])],
    20: [.word("reduce_function", ["UNSUPPORTED", "ADD", "MUL", "MINIMUM", "MAXIMUM", "ALL", "ANY"])],
    21: [
      .string("name"), .subgraph("decomposition_subgraph_index"), .flexible("composite_attributes"), .unused,
      .int("version"),
    ],
    23: [.subgraphs("branch_subgraph_indices")],
  ]
}
