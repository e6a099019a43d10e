// Arithmetic on each element.

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
