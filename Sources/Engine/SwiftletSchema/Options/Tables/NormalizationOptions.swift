// Normalisation.

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
