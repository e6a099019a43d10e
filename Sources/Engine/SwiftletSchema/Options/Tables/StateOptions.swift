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
