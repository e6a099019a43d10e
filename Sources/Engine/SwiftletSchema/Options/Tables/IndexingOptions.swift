// Operators that look up, place and count elements.

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
