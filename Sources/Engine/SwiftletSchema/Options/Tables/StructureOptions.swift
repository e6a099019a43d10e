package import SwiftletBase

// Operators that run subgraphs.

package enum CallOptions: OptionSchema {
  package static var tag: Int { 16 }
  package static var subgraph: OptionField<Int> { .subgraph(0, "subgraph", isSigned: false) }
  package static var fields: [OptionDefinition] { [subgraph.definition] }
}

package enum CallOnceOptions: OptionSchema {
  package static var tag: Int { 103 }
  package static var initializationSubgraphIndex: OptionField<Int> { .subgraph(0, "init_subgraph_index") }
  package static var fields: [OptionDefinition] { [initializationSubgraphIndex.definition] }
}

package enum IfOptions: OptionSchema {
  package static var tag: Int { 92 }
  package static var thenSubgraphIndex: OptionField<Int> { .subgraph(0, "then_subgraph_index") }
  package static var elseSubgraphIndex: OptionField<Int> { .subgraph(1, "else_subgraph_index") }
  package static var fields: [OptionDefinition] { [thenSubgraphIndex.definition, elseSubgraphIndex.definition] }
}

package enum WhileOptions: OptionSchema {
  package static var tag: Int { 93 }
  package static var conditionSubgraphIndex: OptionField<Int> { .subgraph(0, "cond_subgraph_index") }
  package static var bodySubgraphIndex: OptionField<Int> { .subgraph(1, "body_subgraph_index") }
  package static var fields: [OptionDefinition] { [conditionSubgraphIndex.definition, bodySubgraphIndex.definition] }
}

package enum StableHLOCaseOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 23 }
  package static var branchSubgraphIndices: OptionField<[Int]> { .subgraphs(0, "branch_subgraph_indices") }
  package static var fields: [OptionDefinition] { [branchSubgraphIndices.definition] }
}

package enum StableHLOCompositeOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 21 }
  package static var name: OptionField<String> { .string(0, "name") }
  package static var decompositionSubgraphIndex: OptionField<Int> { .subgraph(1, "decomposition_subgraph_index") }
  package static var compositeAttributes: OptionField<ByteRegion> { .flexible(2, "composite_attributes") }
  package static var compositeAttributesFormat: OptionField<Int> { .unused(3, "composite_attributes_format") }
  package static var version: OptionField<Int> { .int(4, "version") }
  package static var fields: [OptionDefinition] {
    [
      name.definition, decompositionSubgraphIndex.definition, compositeAttributes.definition,
      compositeAttributesFormat.definition, version.definition,
    ]
  }
}

// Operators that gather, scatter, and count elements.

package enum GatherOptions: OptionSchema {
  package static var tag: Int { 23 }
  package static var axis: OptionField<Int> { .int(0, "axis") }
  package static var batchDimensions: OptionField<Int> { .int(1, "batch_dims") }
  package static var fields: [OptionDefinition] { [axis.definition, batchDimensions.definition] }
}

package enum OneHotOptions: OptionSchema {
  package static var tag: Int { 61 }
  package static var axis: OptionField<Int> { .int(0, "axis") }
  package static var fields: [OptionDefinition] { [axis.definition] }
}

package enum UniqueOptions: OptionSchema {
  package static var tag: Int { 80 }
  package static var indexOutputType: OptionField<ElementType> { .elementType(0, "idx_out_type", default: .int32) }
  package static var fields: [OptionDefinition] { [indexOutputType.definition] }
}

package enum BucketizeOptions: OptionSchema {
  package static var tag: Int { 115 }
  package static var boundaries: OptionField<[Float]> { .floats(0, "boundaries") }
  package static var fields: [OptionDefinition] { [boundaries.definition] }
}

package enum SparseToDenseOptions: OptionSchema {
  package static var tag: Int { 50 }
  package static var validateIndices: OptionField<Bool> { .bool(0, "validate_indices") }
  package static var fields: [OptionDefinition] { [validateIndices.definition] }
}

package enum EmbeddingLookupSparseOptions: OptionSchema {
  package static var tag: Int { 20 }
  package static var combiner: OptionField<EmbeddingCombiner> { .init(0, "combiner", .byteCode("SUM MEAN SQRTN")) }
  package static var fields: [OptionDefinition] { [combiner.definition] }
}

package enum ConcatEmbeddingsOptions: OptionSchema {
  package static var tag: Int { 3 }
  package static var channelCount: OptionField<Int> { .int(0, "num_channels") }
  package static var columnsPerChannel: OptionField<[Int]> { .ints(1, "num_columns_per_channel") }
  package static var embeddingDimensionPerChannel: OptionField<[Int]> { .ints(2, "embedding_dim_per_channel") }
  package static var fields: [OptionDefinition] {
    [channelCount.definition, columnsPerChannel.definition, embeddingDimensionPerChannel.definition]
  }
}

// Matrix multiplications.

package enum FullyConnectedOptions: OptionSchema {
  package static var tag: Int { 8 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var weightsFormat: OptionField<FullyConnectedWeightsFormat> {
    .init(1, "weights_format", .byteCode("DEFAULT SHUFFLED4x16INT8"))
  }
  package static var keepDimensionCount: OptionField<Bool> { .bool(2, "keep_num_dims") }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(3, "asymmetric_quantize_inputs") }
  package static var quantizedBiasType: OptionField<ElementType> { .biasType(4) }
  package static var fields: [OptionDefinition] {
    [
      fusedActivation.definition, weightsFormat.definition, keepDimensionCount.definition,
      asymmetricQuantizeInputs.definition, quantizedBiasType.definition,
    ]
  }
}

package enum BatchMatMulOptions: OptionSchema {
  package static var tag: Int { 101 }
  package static var adjointX: OptionField<Bool> { .bool(0, "adj_x") }
  package static var adjointY: OptionField<Bool> { .bool(1, "adj_y") }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(2, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] {
    [adjointX.definition, adjointY.definition, asymmetricQuantizeInputs.definition]
  }
}
