// Activation functions.

package enum LeakyReluOptions: OptionSchema {
  package static var tag: Int { 75 }
  package static var alpha: OptionField<Float> { .float(0, "alpha") }
  package static var fields: [OptionDefinition] { [alpha.definition] }
}

package enum GeluOptions: OptionSchema {
  package static var tag: Int { 116 }
  package static var approximate: OptionField<Bool> { .bool(0, "approximate") }
  package static var fields: [OptionDefinition] { [approximate.definition] }
}

// Elementwise arithmetic.

package enum AddOptions: OptionSchema {
  package static var tag: Int { 11 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var powerOfTwoScaleInt16: OptionField<Bool> { .bool(1, "pot_scale_int16", default: true) }
  package static var fields: [OptionDefinition] { [fusedActivation.definition, powerOfTwoScaleInt16.definition] }
}

package enum SubOptions: OptionSchema {
  package static var tag: Int { 28 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var powerOfTwoScaleInt16: OptionField<Bool> { .bool(1, "pot_scale_int16", default: true) }
  package static var fields: [OptionDefinition] { [fusedActivation.definition, powerOfTwoScaleInt16.definition] }
}

package enum MulOptions: OptionSchema {
  package static var tag: Int { 21 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var fields: [OptionDefinition] { [fusedActivation.definition] }
}

package enum DivOptions: OptionSchema {
  package static var tag: Int { 29 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var fields: [OptionDefinition] { [fusedActivation.definition] }
}

// Normalization.

package enum SoftmaxOptions: OptionSchema {
  package static var tag: Int { 9 }
  package static var beta: OptionField<Float> { .float(0, "beta") }
  package static var fields: [OptionDefinition] { [beta.definition] }
}

package enum L2NormOptions: OptionSchema {
  package static var tag: Int { 12 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var fields: [OptionDefinition] { [fusedActivation.definition] }
}

package enum LocalResponseNormalizationOptions: OptionSchema {
  package static var tag: Int { 13 }
  package static var radius: OptionField<Int> { .int(0, "radius") }
  package static var bias: OptionField<Float> { .float(1, "bias") }
  package static var alpha: OptionField<Float> { .float(2, "alpha") }
  package static var beta: OptionField<Float> { .float(3, "beta") }
  package static var fields: [OptionDefinition] {
    [radius.definition, bias.definition, alpha.definition, beta.definition]
  }
}

// Element type conversions.

package enum CastOptions: OptionSchema {
  package static var tag: Int { 37 }
  package static var inputDataType: OptionField<ElementType> { .elementType(0, "in_data_type") }
  package static var outputDataType: OptionField<ElementType> { .elementType(1, "out_data_type") }
  package static var fields: [OptionDefinition] { [inputDataType.definition, outputDataType.definition] }
}

package enum FakeQuantOptions: OptionSchema {
  package static var tag: Int { 58 }
  package static var minimum: OptionField<Float> { .float(0, "min") }
  package static var maximum: OptionField<Float> { .float(1, "max") }
  package static var bitCount: OptionField<Int> { .int(2, "num_bits") }
  package static var narrowRange: OptionField<Bool> { .bool(3, "narrow_range") }
  package static var fields: [OptionDefinition] {
    [minimum.definition, maximum.definition, bitCount.definition, narrowRange.definition]
  }
}

// Random numbers.

package enum RandomOptions: OptionSchema {
  package static var tag: Int { 114 }
  package static var seed: OptionField<Int> { .long(0, "seed") }
  package static var seed2: OptionField<Int> { .long(1, "seed2") }
  package static var fields: [OptionDefinition] { [seed.definition, seed2.definition] }
}

package enum StableHLORngBitGeneratorOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 19 }
  package static var algorithm: OptionField<RandomAlgorithm> {
    .init(0, "algorithm", .byteCode("DEFAULT PHILOX THREEFRY"))
  }
  package static var fields: [OptionDefinition] { [algorithm.definition] }
}

// Reductions over axes and windows.

package enum ReducerOptions: OptionSchema {
  package static var tag: Int { 27 }
  package static var keepDimensions: OptionField<Bool> { .bool(0, "keep_dims") }
  package static var fields: [OptionDefinition] { [keepDimensions.definition] }
}

package enum ArgMaxOptions: OptionSchema {
  package static var tag: Int { 40 }
  package static var outputType: OptionField<ElementType> { .elementType(0, "output_type") }
  package static var fields: [OptionDefinition] { [outputType.definition] }
}

package enum ArgMinOptions: OptionSchema {
  package static var tag: Int { 57 }
  package static var outputType: OptionField<ElementType> { .elementType(0, "output_type") }
  package static var fields: [OptionDefinition] { [outputType.definition] }
}

package enum ReduceWindowOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 20 }
  package static var reduceFunction: OptionField<ReduceWindowFunction> {
    .init(0, "reduce_function", .intCode("UNSUPPORTED ADD MUL MINIMUM MAXIMUM ALL ANY"))
  }
  package static var fields: [OptionDefinition] { [reduceFunction.definition] }
}

// Image resizing.

package enum ResizeBilinearOptions: OptionSchema {
  package static var tag: Int { 15 }
  package static var newHeight: OptionField<Int> { .unused(0, "new_height") }
  package static var newWidth: OptionField<Int> { .unused(1, "new_width") }
  package static var alignCorners: OptionField<Bool> { .bool(2, "align_corners") }
  package static var halfPixelCenters: OptionField<Bool> { .bool(3, "half_pixel_centers") }
  package static var fields: [OptionDefinition] {
    [newHeight.definition, newWidth.definition, alignCorners.definition, halfPixelCenters.definition]
  }
}

package enum ResizeNearestNeighborOptions: OptionSchema {
  package static var tag: Int { 74 }
  package static var alignCorners: OptionField<Bool> { .bool(0, "align_corners") }
  package static var halfPixelCenters: OptionField<Bool> { .bool(1, "half_pixel_centers") }
  package static var fields: [OptionDefinition] { [alignCorners.definition, halfPixelCenters.definition] }
}

// Shape operators.

package enum ReshapeOptions: OptionSchema {
  package static var tag: Int { 17 }
  package static var newShape: OptionField<[Int]> { .ints(0, "new_shape") }
  package static var fields: [OptionDefinition] { [newShape.definition] }
}

package enum SqueezeOptions: OptionSchema {
  package static var tag: Int { 30 }
  package static var squeezeDimensions: OptionField<[Int]> { .ints(0, "squeeze_dims") }
  package static var fields: [OptionDefinition] { [squeezeDimensions.definition] }
}

package enum ShapeOptions: OptionSchema {
  package static var tag: Int { 55 }
  package static var outputType: OptionField<ElementType> { .elementType(0, "out_type") }
  package static var fields: [OptionDefinition] { [outputType.definition] }
}

// Variables and hash tables.

package enum VarHandleOptions: OptionSchema {
  package static var tag: Int { 111 }
  package static var container: OptionField<String> { .string(0, "container") }
  package static var sharedName: OptionField<String> { .string(1, "shared_name") }
  package static var fields: [OptionDefinition] { [container.definition, sharedName.definition] }
}

package enum HashtableOptions: OptionSchema {
  package static var tag: Int { 107 }
  package static var tableID: OptionField<Int> { .int(0, "table_id") }
  package static var keyDataType: OptionField<ElementType> { .elementType(1, "key_dtype") }
  package static var valueDataType: OptionField<ElementType> { .elementType(2, "value_dtype") }
  package static var fields: [OptionDefinition] {
    [tableID.definition, keyDataType.definition, valueDataType.definition]
  }
}

// Text.

package enum SkipGramOptions: OptionSchema {
  package static var tag: Int { 18 }
  package static var ngramSize: OptionField<Int> { .int(0, "ngram_size") }
  package static var maximumSkipSize: OptionField<Int> { .int(1, "max_skip_size") }
  package static var includeAllNgrams: OptionField<Bool> { .bool(2, "include_all_ngrams") }
  package static var fields: [OptionDefinition] {
    [ngramSize.definition, maximumSkipSize.definition, includeAllNgrams.definition]
  }
}

package enum LSHProjectionOptions: OptionSchema {
  package static var tag: Int { 4 }
  package static var type: OptionField<LSHProjectionKind> { .init(0, "type", .byteCode("UNKNOWN SPARSE DENSE")) }
  package static var fields: [OptionDefinition] { [type.definition] }
}
