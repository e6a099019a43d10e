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
