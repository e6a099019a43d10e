// Operators that move elements.

package enum ConcatenationOptions: OptionSchema {
  package static var tag: Int { 10 }
  package static var axis: OptionField<Int> { .int(0, "axis") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(1) }
  package static var fields: [OptionDefinition] { [axis.definition, fusedActivation.definition] }
}

package enum PackOptions: OptionSchema {
  package static var tag: Int { 59 }
  package static var valuesCount: OptionField<Int> { .int(0, "values_count") }
  package static var axis: OptionField<Int> { .int(1, "axis") }
  package static var fields: [OptionDefinition] { [valuesCount.definition, axis.definition] }
}

package enum UnpackOptions: OptionSchema {
  package static var tag: Int { 64 }
  package static var count: OptionField<Int> { .int(0, "num") }
  package static var axis: OptionField<Int> { .int(1, "axis") }
  package static var fields: [OptionDefinition] { [count.definition, axis.definition] }
}

package enum SplitOptions: OptionSchema {
  package static var tag: Int { 35 }
  package static var splitCount: OptionField<Int> { .int(0, "num_splits") }
  package static var fields: [OptionDefinition] { [splitCount.definition] }
}

package enum SplitVOptions: OptionSchema {
  package static var tag: Int { 79 }
  package static var splitCount: OptionField<Int> { .int(0, "num_splits") }
  package static var fields: [OptionDefinition] { [splitCount.definition] }
}

package enum StridedSliceOptions: OptionSchema {
  package static var tag: Int { 32 }
  package static var beginMask: OptionField<Int> { .int(0, "begin_mask") }
  package static var endMask: OptionField<Int> { .int(1, "end_mask") }
  package static var ellipsisMask: OptionField<Int> { .int(2, "ellipsis_mask") }
  package static var newAxisMask: OptionField<Int> { .int(3, "new_axis_mask") }
  package static var shrinkAxisMask: OptionField<Int> { .int(4, "shrink_axis_mask") }
  package static var offset: OptionField<Bool> { .bool(5, "offset") }
  package static var fields: [OptionDefinition] {
    [
      beginMask.definition, endMask.definition, ellipsisMask.definition, newAxisMask.definition,
      shrinkAxisMask.definition, offset.definition,
    ]
  }
}

package enum MirrorPadOptions: OptionSchema {
  package static var tag: Int { 77 }
  package static var mode: OptionField<MirrorPadMode> { .init(0, "mode", .byteCode("REFLECT SYMMETRIC")) }
  package static var fields: [OptionDefinition] { [mode.definition] }
}

package enum SpaceToDepthOptions: OptionSchema {
  package static var tag: Int { 19 }
  package static var blockSize: OptionField<Int> { .int(0, "block_size") }
  package static var fields: [OptionDefinition] { [blockSize.definition] }
}

package enum DepthToSpaceOptions: OptionSchema {
  package static var tag: Int { 94 }
  package static var blockSize: OptionField<Int> { .int(0, "block_size") }
  package static var fields: [OptionDefinition] { [blockSize.definition] }
}

package enum ReverseSequenceOptions: OptionSchema {
  package static var tag: Int { 87 }
  package static var sequenceDimension: OptionField<Int> { .int(0, "seq_dim") }
  package static var batchDimension: OptionField<Int> { .int(1, "batch_dim") }
  package static var fields: [OptionDefinition] { [sequenceDimension.definition, batchDimension.definition] }
}

package enum CumsumOptions: OptionSchema {
  package static var tag: Int { 102 }
  package static var exclusive: OptionField<Bool> { .bool(0, "exclusive") }
  package static var reverse: OptionField<Bool> { .bool(1, "reverse") }
  package static var fields: [OptionDefinition] { [exclusive.definition, reverse.definition] }
}
