// Changes of the element type.

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
