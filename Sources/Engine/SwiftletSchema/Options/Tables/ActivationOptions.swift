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
