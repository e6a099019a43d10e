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
