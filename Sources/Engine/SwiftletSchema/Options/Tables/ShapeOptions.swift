// Operators that change or read a shape.

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
