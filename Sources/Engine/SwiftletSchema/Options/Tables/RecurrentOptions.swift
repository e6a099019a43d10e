// Recurrent layers.

package enum RNNOptions: OptionSchema {
  package static var tag: Int { 7 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(1, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] { [fusedActivation.definition, asymmetricQuantizeInputs.definition] }
}

package enum SequenceRNNOptions: OptionSchema {
  package static var tag: Int { 31 }
  package static var timeMajor: OptionField<Bool> { .bool(0, "time_major") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(1) }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(2, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] {
    [timeMajor.definition, fusedActivation.definition, asymmetricQuantizeInputs.definition]
  }
}

package enum BidirectionalSequenceRNNOptions: OptionSchema {
  package static var tag: Int { 70 }
  package static var timeMajor: OptionField<Bool> { .bool(0, "time_major") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(1) }
  package static var mergeOutputs: OptionField<Bool> { .bool(2, "merge_outputs") }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(3, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] {
    [timeMajor.definition, fusedActivation.definition, mergeOutputs.definition, asymmetricQuantizeInputs.definition]
  }
}

package enum LSTMOptions: OptionSchema {
  package static var tag: Int { 14 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var cellClip: OptionField<Float> { .float(1, "cell_clip") }
  package static var projectionClip: OptionField<Float> { .float(2, "proj_clip") }
  package static var kernelType: OptionField<LSTMKernel> { .init(3, "kernel_type", .byteCode("FULL BASIC")) }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(4, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] {
    [
      fusedActivation.definition, cellClip.definition, projectionClip.definition, kernelType.definition,
      asymmetricQuantizeInputs.definition,
    ]
  }
}

package enum UnidirectionalSequenceLSTMOptions: OptionSchema {
  package static var tag: Int { 71 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var cellClip: OptionField<Float> { .float(1, "cell_clip") }
  package static var projectionClip: OptionField<Float> { .float(2, "proj_clip") }
  package static var timeMajor: OptionField<Bool> { .bool(3, "time_major") }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(4, "asymmetric_quantize_inputs") }
  package static var diagonalRecurrentTensors: OptionField<Bool> { .bool(5, "diagonal_recurrent_tensors") }
  package static var fields: [OptionDefinition] {
    [
      fusedActivation.definition, cellClip.definition, projectionClip.definition, timeMajor.definition,
      asymmetricQuantizeInputs.definition, diagonalRecurrentTensors.definition,
    ]
  }
}

package enum BidirectionalSequenceLSTMOptions: OptionSchema {
  package static var tag: Int { 69 }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(0) }
  package static var cellClip: OptionField<Float> { .float(1, "cell_clip") }
  package static var projectionClip: OptionField<Float> { .float(2, "proj_clip") }
  package static var mergeOutputs: OptionField<Bool> { .bool(3, "merge_outputs") }
  package static var timeMajor: OptionField<Bool> { .bool(4, "time_major", default: true) }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(5, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] {
    [
      fusedActivation.definition, cellClip.definition, projectionClip.definition, mergeOutputs.definition,
      timeMajor.definition, asymmetricQuantizeInputs.definition,
    ]
  }
}

package enum SVDFOptions: OptionSchema {
  package static var tag: Int { 6 }
  package static var rank: OptionField<Int> { .int(0, "rank") }
  package static var fusedActivation: OptionField<FusedActivation> { .activation(1) }
  package static var asymmetricQuantizeInputs: OptionField<Bool> { .bool(2, "asymmetric_quantize_inputs") }
  package static var fields: [OptionDefinition] {
    [rank.definition, fusedActivation.definition, asymmetricQuantizeInputs.definition]
  }
}
