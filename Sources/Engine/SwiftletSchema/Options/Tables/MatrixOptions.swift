// Matrix products.

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
