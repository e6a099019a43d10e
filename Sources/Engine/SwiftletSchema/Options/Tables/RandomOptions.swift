// Random numbers.

package enum RandomOptions: OptionSchema {
  package static var tag: Int { 114 }
  package static var seed: OptionField<Int> { .long(0, "seed") }
  package static var seed2: OptionField<Int> { .long(1, "seed2") }
  package static var fields: [OptionDefinition] { [seed.definition, seed2.definition] }
}

package enum StableHLORngBitGeneratorOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 19 }
  package static var algorithm: OptionField<RandomAlgorithm> {
    .init(0, "algorithm", .byteCode("DEFAULT PHILOX THREEFRY"))
  }
  package static var fields: [OptionDefinition] { [algorithm.definition] }
}
