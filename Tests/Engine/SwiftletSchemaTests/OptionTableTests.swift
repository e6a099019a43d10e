import SwiftletSchema
import Testing

@Suite("Tables of the schema")
struct OptionTableTests {
  /// The option tables of the TFLite schema, revision 3d, one per line: tag, name, and fields in the order of their
  /// numbers, with their storage types and nonzero defaults.
  private static let tables = """
    1 Conv2DOptions $padding stride_w:int stride_h:int $activation dilation_w_factor:int=1 dilation_h_factor:int=1 \
       quantized_bias_type:bias
    2 DepthwiseConv2DOptions $padding stride_w:int stride_h:int depth_multiplier:int $activation \
       dilation_w_factor:int=1 dilation_h_factor:int=1
    3 ConcatEmbeddingsOptions num_channels:int num_columns_per_channel:ints embedding_dim_per_channel:ints
    4 LSHProjectionOptions type:byte(UNKNOWN|SPARSE|DENSE)
    5 Pool2DOptions $padding stride_w:int stride_h:int filter_width:int filter_height:int $activation
    6 SVDFOptions rank:int $activation asymmetric_quantize_inputs:bool
    7 RNNOptions $activation asymmetric_quantize_inputs:bool
    8 FullyConnectedOptions $activation weights_format:byte(DEFAULT|SHUFFLED4x16INT8) keep_num_dims:bool \
       asymmetric_quantize_inputs:bool quantized_bias_type:bias
    9 SoftmaxOptions beta:float
    10 ConcatenationOptions axis:int $activation
    11 AddOptions $activation pot_scale_int16:bool=true
    12 L2NormOptions $activation
    13 LocalResponseNormalizationOptions radius:int bias:float alpha:float beta:float
    14 LSTMOptions $activation cell_clip:float proj_clip:float kernel_type:byte(FULL|BASIC) \
       asymmetric_quantize_inputs:bool
    15 ResizeBilinearOptions new_height:unused new_width:unused align_corners:bool half_pixel_centers:bool
    16 CallOptions subgraph:unsignedSubgraph
    17 ReshapeOptions new_shape:ints
    18 SkipGramOptions ngram_size:int max_skip_size:int include_all_ngrams:bool
    19 SpaceToDepthOptions block_size:int
    20 EmbeddingLookupSparseOptions combiner:byte(SUM|MEAN|SQRTN)
    21 MulOptions $activation
    23 GatherOptions axis:int batch_dims:int
    27 ReducerOptions keep_dims:bool
    28 SubOptions $activation pot_scale_int16:bool=true
    29 DivOptions $activation
    30 SqueezeOptions squeeze_dims:ints
    31 SequenceRNNOptions time_major:bool $activation asymmetric_quantize_inputs:bool
    32 StridedSliceOptions begin_mask:int end_mask:int ellipsis_mask:int new_axis_mask:int shrink_axis_mask:int \
       offset:bool
    35 SplitOptions num_splits:int
    37 CastOptions in_data_type:type out_data_type:type
    40 ArgMaxOptions output_type:type
    49 TransposeConvOptions $padding stride_w:int stride_h:int $activation quantized_bias_type:bias
    50 SparseToDenseOptions validate_indices:bool
    55 ShapeOptions out_type:type
    57 ArgMinOptions output_type:type
    58 FakeQuantOptions min:float max:float num_bits:int narrow_range:bool
    59 PackOptions values_count:int axis:int
    61 OneHotOptions axis:int
    64 UnpackOptions num:int axis:int
    69 BidirectionalSequenceLSTMOptions $activation cell_clip:float proj_clip:float merge_outputs:bool \
       time_major:bool=true asymmetric_quantize_inputs:bool
    70 BidirectionalSequenceRNNOptions time_major:bool $activation merge_outputs:bool asymmetric_quantize_inputs:bool
    71 UnidirectionalSequenceLSTMOptions $activation cell_clip:float proj_clip:float time_major:bool \
       asymmetric_quantize_inputs:bool diagonal_recurrent_tensors:bool
    74 ResizeNearestNeighborOptions align_corners:bool half_pixel_centers:bool
    75 LeakyReluOptions alpha:float
    77 MirrorPadOptions mode:byte(REFLECT|SYMMETRIC)
    79 SplitVOptions num_splits:int
    80 UniqueOptions idx_out_type:type=int32
    87 ReverseSequenceOptions seq_dim:int batch_dim:int
    92 IfOptions then_subgraph_index:subgraph else_subgraph_index:subgraph
    93 WhileOptions cond_subgraph_index:subgraph body_subgraph_index:subgraph
    94 DepthToSpaceOptions block_size:int
    101 BatchMatMulOptions adj_x:bool adj_y:bool asymmetric_quantize_inputs:bool
    102 CumsumOptions exclusive:bool reverse:bool
    103 CallOnceOptions init_subgraph_index:subgraph
    106 Conv3DOptions $padding stride_d:int stride_w:int stride_h:int $activation dilation_d_factor:int=1 \
       dilation_w_factor:int=1 dilation_h_factor:int=1
    107 HashtableOptions table_id:int key_dtype:type value_dtype:type
    111 VarHandleOptions container:string shared_name:string
    114 RandomOptions seed:long seed2:long
    115 BucketizeOptions boundaries:floats
    116 GeluOptions approximate:bool
    1001 StableHLOConcatenateOptions dimension:long
    1002 StableHLOBroadcastInDimOptions broadcast_dimensions:longs
    1003 StableHLOSliceOptions start_indices:longs limit_indices:longs strides:longs
    1004 StableHLOConvolutionOptions window_strides:longs padding:longs lhs_dilation:longs rhs_dilation:longs \
       window_reversal:bools input_batch_dimension:long input_feature_dimension:long input_spatial_dimensions:longs \
       kernel_input_feature_dimension:long kernel_output_feature_dimension:long kernel_spatial_dimensions:longs \
       output_batch_dimension:long output_feature_dimension:long output_spatial_dimensions:longs \
       feature_group_count:long batch_group_count:long precision_config:ints
    1005 StableHLOCustomCallOptions call_target_name:string has_side_effect:bool backend_config:string \
       api_version:int called_computations:ints custom_attributes:flexible
    1006 StableHLOReduceOptions dimensions:longs body_subgraph_index:subgraph
    1007 StableHLOScatterOptions indices_are_sorted:bool update_window_dims:longs inserted_window_dims:longs \
       scatter_dims_to_operand_dims:longs index_vector_dim:long unique_indices:bool \
       update_computation_subgraph_index:subgraph
    1008 StableHLOCompareOptions comparison_direction:uint(EQ|NE|GE|GT|LE|LT) \
       compare_type:uint(NOTYPE|FLOAT|FLOAT_TOTAL_ORDER|SIGNED|UNSIGNED)
    1009 StableHLODynamicSliceOptions slice_sizes:longs
    1010 StableHLOPadOptions edge_padding_low:longs edge_padding_high:longs interior_padding:longs
    1011 StableHLOIotaOptions iota_dimension:long
    1012 StableHLODotGeneralOptions lhs_batching_dimensions:longs rhs_batching_dimensions:longs \
       lhs_contracting_dimensions:longs rhs_contracting_dimensions:longs precision_config:ints
    1013 StableHLOReduceWindowOptions window_dimensions:longs window_strides:longs base_dilations:longs \
       window_dilations:longs padding:longs body_subgraph_index:subgraph
    1014 StableHLOSortOptions dimension:long is_stable:bool comparator_subgraph_index:subgraph
    1015 StableHLOWhileOptions cond_subgraph_index:subgraph body_subgraph_index:subgraph
    1016 StableHLOGatherOptions offset_dims:longs collapsed_slice_dims:longs start_index_map:longs \
       index_vector_dim:long slice_sizes:longs indices_are_sorted:bool
    1017 StableHLOTransposeOptions permutation:longs
    1019 StableHLORngBitGeneratorOptions algorithm:byte(DEFAULT|PHILOX|THREEFRY)
    1020 ReduceWindowOptions reduce_function:int(UNSUPPORTED|ADD|MUL|MINIMUM|MAXIMUM|ALL|ANY)
    1021 StableHLOCompositeOptions name:string decomposition_subgraph_index:subgraph composite_attributes:flexible \
       composite_attributes_format:unused version:int
    1023 StableHLOCaseOptions branch_subgraph_indices:subgraphs
    """

  private static func text(_ storage: OptionStorage) -> String {
    func code(_ kind: String, _ names: StaticString) -> String {
      "\(kind)(" + names.description.split(separator: " ").joined(separator: "|") + ")"
    }
    switch storage {
    case .bool(let value): return value ? "bool=true" : "bool"
    case .int(let value): return value == 0 ? "int" : "int=\(value)"
    case .long: return "long"
    case .float: return "float"
    case .string: return "string"
    case .ints: return "ints"
    case .longs: return "longs"
    case .floats: return "floats"
    case .bools: return "bools"
    case .flexible: return "flexible"
    case .elementType(let type): return type == .float32 ? "type" : "type=\(type.name)"
    case .biasType: return "bias"
    case .byteCode(let names): return code("byte", names)
    case .intCode(let names): return code("int", names)
    case .uintCode(let names): return code("uint", names)
    case .subgraph(let isSigned): return isSigned ? "subgraph" : "unsignedSubgraph"
    case .subgraphs: return "subgraphs"
    case .unused: return "unused"
    }
  }

  @Test("option tables have the schema's tags, fields, storage types, and defaults")
  func options() {
    let documented = Self.tables.split(separator: "\n").map { line in
      line.split(separator: " ").map { word in
        switch word {
        case "$padding": "padding:byte(SAME|VALID)"
        case "$activation": "fused_activation_function:byte(NONE|RELU|RELU_N1_TO_1|RELU6|TANH|SIGN_BIT)"
        default: String(word)
        }
      }.joined(separator: " ")
    }
    let found = OptionSchemas.all.sorted { $0.tag < $1.tag }.map { table in
      (["\(table.tag)", "\(table)"] + table.fields.map { "\($0.name):\(Self.text($0.storage))" }).joined(separator: " ")
    }
    #expect(found.count == documented.count)
    for (table, line) in zip(found, documented) { #expect(table == line) }
  }

  @Test("members of enumerations have the schema's numbers")
  func enumerations() {
    func numbers<Member: RawRepresentable<Int>>(_ members: Member...) -> [Int] { members.map(\.rawValue) }
    #expect(numbers(WindowPadding.same, .valid) == [0, 1])
    #expect(numbers(FusedActivation.none, .relu, .reluN1To1, .relu6, .tanh, .signBit) == [0, 1, 2, 3, 4, 5])
    #expect(numbers(FullyConnectedWeightsFormat.standard, .shuffled4x16Int8) == [0, 1])
    #expect(numbers(LSTMKernel.full, .basic) == [0, 1])
    #expect(numbers(LSHProjectionKind.unknown, .sparse, .dense) == [0, 1, 2])
    #expect(numbers(EmbeddingCombiner.sum, .mean, .squareRootN) == [0, 1, 2])
    #expect(numbers(MirrorPadMode.reflect, .symmetric) == [0, 1])
    #expect(numbers(RandomAlgorithm.unspecified, .philox, .threeFry) == [0, 1, 2])
    let functions = numbers(ReduceWindowFunction.unsupported, .add, .multiply, .minimum, .maximum, .all, .any)
    #expect(functions == [0, 1, 2, 3, 4, 5, 6])
  }

  @Test("element types have the schema's numbers, names and sizes")
  func elementTypes() {
    let documented: [(String, Int?)] = [
      ("float32", 32), ("float16", 16), ("int32", 32), ("uint8", 8), ("int64", 64), ("string", nil), ("bool", 8),
      ("int16", 16), ("complex64", 64), ("int8", 8), ("float64", 64), ("complex128", 128), ("uint64", 64),
      ("resource", 32), ("variant", nil), ("uint32", 32), ("uint16", 16), ("int4", 4), ("bfloat16", 16), ("int2", 2),
      ("uint4", 4), ("float8E4M3FN", 8), ("float8E5M2", 8),
    ]
    #expect(ElementType.allCases.count == documented.count)
    for (number, (name, bits)) in documented.enumerated() {
      let type = ElementType(rawValue: Int8(number))
      #expect(type?.name == name && type?.bitWidth == bits)
      #expect(type?.byteWidth == bits.flatMap { $0 < 8 ? nil : $0 / 8 })
    }
  }

  @Test("byte counts are rounded up, and invalid if they exceed any address space")
  func byteCounts() {
    #expect([0, 1, 2, 3].map { ElementType.int4.byteCount(elements: $0) } == [0, 1, 1, 2])
    #expect([4, 5, 8, 9].map { ElementType.int2.byteCount(elements: $0) } == [1, 2, 2, 3])
    #expect(ElementType.float32.byteCount(elements: 3) == 12 && ElementType.complex128.byteCount(elements: 2) == 32)
    #expect(ElementType.float32.byteCount(elements: -1) == nil && ElementType.string.byteCount(elements: 1) == nil)
    #expect(ElementType.int8.byteCount(elements: .max / 8) == .max / 8)
    #expect(ElementType.int8.byteCount(elements: .max / 8 + 1) == nil)
  }

  @Test("operators have the schema's names, in another spelling")
  func operatorNames() {
    func plain(_ name: String) -> String { name.filter { $0 != "_" }.lowercased() }
    let others: [BuiltinOperator: String] = [
      .whereNonzero: "WHERE", .ifElse: "IF", .whileLoop: "WHILE",
      .placeholderForGreaterOperatorCodes: "PLACEHOLDER_FOR_GREATER_OP_CODES",
    ]
    #expect(BuiltinOperator.allCases.map { Int($0.rawValue) } == Array(0..<210))
    for operation in BuiltinOperator.allCases {
      if let other = others[operation] {
        #expect(operation.schemaName == other)
      } else {
        #expect(plain(operation.schemaName) == plain("\(operation)"))
      }
    }
    // Some numbers of the schema.
    let numbers: [(Int32, String)] = [
      (0, "ADD"), (3, "CONV_2D"), (4, "DEPTHWISE_CONV_2D"), (9, "FULLY_CONNECTED"), (22, "RESHAPE"), (25, "SOFTMAX"),
      (32, "CUSTOM"), (34, "PAD"), (39, "TRANSPOSE"), (40, "MEAN"), (67, "TRANSPOSE_CONV"), (74, "SUM"),
      (97, "RESIZE_NEAREST_NEIGHBOR"), (114, "QUANTIZE"), (118, "IF"), (119, "WHILE"), (126, "BATCH_MATMUL"),
      (127, "PLACEHOLDER_FOR_GREATER_OP_CODES"), (142, "VAR_HANDLE"), (150, "GELU"), (162, "STABLEHLO_LOGISTIC"),
      (206, "STABLEHLO_COMPOSITE"), (209, "STABLEHLO_CASE"),
    ]
    for (number, name) in numbers { #expect(BuiltinOperator(rawValue: number)?.schemaName == name) }
  }

  @Test("limits have the documented defaults")
  func limits() {
    let model = ModelLimits.default, archive = ArchiveLimits.default
    #expect(model.rank == 8 && model.callDepth == 64 && model.flatBuffer == .default)
    #expect(archive.members == 4096 && archive.unpackedBytes == 536_870_912 && archive.nesting == 4)
    #expect(ModelLimits(rank: 3, callDepth: 5).rank == 3 && ModelLimits(rank: 3, callDepth: 5).callDepth == 5)
  }
}
