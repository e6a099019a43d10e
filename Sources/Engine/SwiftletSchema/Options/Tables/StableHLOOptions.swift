package import SwiftletBase

// StableHLO operators that don't run subgraphs.

package enum StableHLOConcatenateOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 1 }
  package static var dimension: OptionField<Int> { .long(0, "dimension") }
  package static var fields: [OptionDefinition] { [dimension.definition] }
}

package enum StableHLOBroadcastInDimOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 2 }
  package static var broadcastDimensions: OptionField<[Int]> { .longs(0, "broadcast_dimensions") }
  package static var fields: [OptionDefinition] { [broadcastDimensions.definition] }
}

package enum StableHLOSliceOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 3 }
  package static var startIndices: OptionField<[Int]> { .longs(0, "start_indices") }
  package static var limitIndices: OptionField<[Int]> { .longs(1, "limit_indices") }
  package static var strides: OptionField<[Int]> { .longs(2, "strides") }
  package static var fields: [OptionDefinition] {
    [startIndices.definition, limitIndices.definition, strides.definition]
  }
}

package enum StableHLOConvolutionOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 4 }
  package static var windowStrides: OptionField<[Int]> { .longs(0, "window_strides") }
  package static var padding: OptionField<[Int]> { .longs(1, "padding") }
  package static var lhsDilation: OptionField<[Int]> { .longs(2, "lhs_dilation") }
  package static var rhsDilation: OptionField<[Int]> { .longs(3, "rhs_dilation") }
  package static var windowReversal: OptionField<[Bool]> { .bools(4, "window_reversal") }
  package static var inputBatchDimension: OptionField<Int> { .long(5, "input_batch_dimension") }
  package static var inputFeatureDimension: OptionField<Int> { .long(6, "input_feature_dimension") }
  package static var inputSpatialDimensions: OptionField<[Int]> { .longs(7, "input_spatial_dimensions") }
  package static var kernelInputFeatureDimension: OptionField<Int> { .long(8, "kernel_input_feature_dimension") }
  package static var kernelOutputFeatureDimension: OptionField<Int> { .long(9, "kernel_output_feature_dimension") }
  package static var kernelSpatialDimensions: OptionField<[Int]> { .longs(10, "kernel_spatial_dimensions") }
  package static var outputBatchDimension: OptionField<Int> { .long(11, "output_batch_dimension") }
  package static var outputFeatureDimension: OptionField<Int> { .long(12, "output_feature_dimension") }
  package static var outputSpatialDimensions: OptionField<[Int]> { .longs(13, "output_spatial_dimensions") }
  package static var featureGroupCount: OptionField<Int> { .long(14, "feature_group_count") }
  package static var batchGroupCount: OptionField<Int> { .long(15, "batch_group_count") }
  package static var precisionConfiguration: OptionField<[Int]> { .ints(16, "precision_config") }
  package static var fields: [OptionDefinition] {
    [
      windowStrides.definition, padding.definition, lhsDilation.definition, rhsDilation.definition,
      windowReversal.definition, inputBatchDimension.definition, inputFeatureDimension.definition,
      inputSpatialDimensions.definition, kernelInputFeatureDimension.definition,
      kernelOutputFeatureDimension.definition, kernelSpatialDimensions.definition, outputBatchDimension.definition,
      outputFeatureDimension.definition, outputSpatialDimensions.definition, featureGroupCount.definition,
      batchGroupCount.definition, precisionConfiguration.definition,
    ]
  }
}

package enum StableHLOCustomCallOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 5 }
  package static var callTargetName: OptionField<String> { .string(0, "call_target_name") }
  package static var hasSideEffect: OptionField<Bool> { .bool(1, "has_side_effect") }
  package static var backendConfiguration: OptionField<String> { .string(2, "backend_config") }
  package static var apiVersion: OptionField<Int> { .int(3, "api_version") }
  package static var calledComputations: OptionField<[Int]> { .ints(4, "called_computations") }
  package static var customAttributes: OptionField<ByteRegion> { .flexible(5, "custom_attributes") }
  package static var fields: [OptionDefinition] {
    [
      callTargetName.definition, hasSideEffect.definition, backendConfiguration.definition, apiVersion.definition,
      calledComputations.definition, customAttributes.definition,
    ]
  }
}

package enum StableHLOReduceOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 6 }
  package static var dimensions: OptionField<[Int]> { .longs(0, "dimensions") }
  package static var bodySubgraphIndex: OptionField<Int> { .subgraph(1, "body_subgraph_index") }
  package static var fields: [OptionDefinition] { [dimensions.definition, bodySubgraphIndex.definition] }
}

package enum StableHLOScatterOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 7 }
  package static var indicesAreSorted: OptionField<Bool> { .bool(0, "indices_are_sorted") }
  package static var updateWindowDimensions: OptionField<[Int]> { .longs(1, "update_window_dims") }
  package static var insertedWindowDimensions: OptionField<[Int]> { .longs(2, "inserted_window_dims") }
  package static var scatterDimensionsToOperandDimensions: OptionField<[Int]> {
    .longs(3, "scatter_dims_to_operand_dims")
  }
  package static var indexVectorDimension: OptionField<Int> { .long(4, "index_vector_dim") }
  package static var uniqueIndices: OptionField<Bool> { .bool(5, "unique_indices") }
  package static var updateComputationSubgraphIndex: OptionField<Int> {
    .subgraph(6, "update_computation_subgraph_index")
  }
  package static var fields: [OptionDefinition] {
    [
      indicesAreSorted.definition, updateWindowDimensions.definition, insertedWindowDimensions.definition,
      scatterDimensionsToOperandDimensions.definition, indexVectorDimension.definition, uniqueIndices.definition,
      updateComputationSubgraphIndex.definition,
    ]
  }
}

package enum StableHLOCompareOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 8 }
  package static var comparisonDirection: OptionField<Int> {
    .init(0, "comparison_direction", .uintCode("EQ NE GE GT LE LT"))
  }
  package static var compareType: OptionField<Int> {
    .init(1, "compare_type", .uintCode("NOTYPE FLOAT FLOAT_TOTAL_ORDER SIGNED UNSIGNED"))
  }
  package static var fields: [OptionDefinition] { [comparisonDirection.definition, compareType.definition] }
}

package enum StableHLODynamicSliceOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 9 }
  package static var sliceSizes: OptionField<[Int]> { .longs(0, "slice_sizes") }
  package static var fields: [OptionDefinition] { [sliceSizes.definition] }
}

package enum StableHLOPadOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 10 }
  package static var edgePaddingLow: OptionField<[Int]> { .longs(0, "edge_padding_low") }
  package static var edgePaddingHigh: OptionField<[Int]> { .longs(1, "edge_padding_high") }
  package static var interiorPadding: OptionField<[Int]> { .longs(2, "interior_padding") }
  package static var fields: [OptionDefinition] {
    [edgePaddingLow.definition, edgePaddingHigh.definition, interiorPadding.definition]
  }
}

package enum StableHLOIotaOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 11 }
  package static var iotaDimension: OptionField<Int> { .long(0, "iota_dimension") }
  package static var fields: [OptionDefinition] { [iotaDimension.definition] }
}

package enum StableHLODotGeneralOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 12 }
  package static var lhsBatchingDimensions: OptionField<[Int]> { .longs(0, "lhs_batching_dimensions") }
  package static var rhsBatchingDimensions: OptionField<[Int]> { .longs(1, "rhs_batching_dimensions") }
  package static var lhsContractingDimensions: OptionField<[Int]> { .longs(2, "lhs_contracting_dimensions") }
  package static var rhsContractingDimensions: OptionField<[Int]> { .longs(3, "rhs_contracting_dimensions") }
  package static var precisionConfiguration: OptionField<[Int]> { .ints(4, "precision_config") }
  package static var fields: [OptionDefinition] {
    [
      lhsBatchingDimensions.definition, rhsBatchingDimensions.definition, lhsContractingDimensions.definition,
      rhsContractingDimensions.definition, precisionConfiguration.definition,
    ]
  }
}

package enum StableHLOReduceWindowOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 13 }
  package static var windowDimensions: OptionField<[Int]> { .longs(0, "window_dimensions") }
  package static var windowStrides: OptionField<[Int]> { .longs(1, "window_strides") }
  package static var baseDilations: OptionField<[Int]> { .longs(2, "base_dilations") }
  package static var windowDilations: OptionField<[Int]> { .longs(3, "window_dilations") }
  package static var padding: OptionField<[Int]> { .longs(4, "padding") }
  package static var bodySubgraphIndex: OptionField<Int> { .subgraph(5, "body_subgraph_index") }
  package static var fields: [OptionDefinition] {
    [
      windowDimensions.definition, windowStrides.definition, baseDilations.definition, windowDilations.definition,
      padding.definition, bodySubgraphIndex.definition,
    ]
  }
}

package enum StableHLOSortOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 14 }
  package static var dimension: OptionField<Int> { .long(0, "dimension") }
  package static var isStable: OptionField<Bool> { .bool(1, "is_stable") }
  package static var comparatorSubgraphIndex: OptionField<Int> { .subgraph(2, "comparator_subgraph_index") }
  package static var fields: [OptionDefinition] {
    [dimension.definition, isStable.definition, comparatorSubgraphIndex.definition]
  }
}

package enum StableHLOWhileOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 15 }
  package static var conditionSubgraphIndex: OptionField<Int> { .subgraph(0, "cond_subgraph_index") }
  package static var bodySubgraphIndex: OptionField<Int> { .subgraph(1, "body_subgraph_index") }
  package static var fields: [OptionDefinition] { [conditionSubgraphIndex.definition, bodySubgraphIndex.definition] }
}

package enum StableHLOGatherOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 16 }
  package static var offsetDimensions: OptionField<[Int]> { .longs(0, "offset_dims") }
  package static var collapsedSliceDimensions: OptionField<[Int]> { .longs(1, "collapsed_slice_dims") }
  package static var startIndexMap: OptionField<[Int]> { .longs(2, "start_index_map") }
  package static var indexVectorDimension: OptionField<Int> { .long(3, "index_vector_dim") }
  package static var sliceSizes: OptionField<[Int]> { .longs(4, "slice_sizes") }
  package static var indicesAreSorted: OptionField<Bool> { .bool(5, "indices_are_sorted") }
  package static var fields: [OptionDefinition] {
    [
      offsetDimensions.definition, collapsedSliceDimensions.definition, startIndexMap.definition,
      indexVectorDimension.definition, sliceSizes.definition, indicesAreSorted.definition,
    ]
  }
}

package enum StableHLOTransposeOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 17 }
  package static var permutation: OptionField<[Int]> { .longs(0, "permutation") }
  package static var fields: [OptionDefinition] { [permutation.definition] }
}
