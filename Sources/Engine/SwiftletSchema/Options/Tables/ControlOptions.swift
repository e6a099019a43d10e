package import SwiftletBase

// Operators that run subgraphs.

package enum CallOptions: OptionSchema {
  package static var tag: Int { 16 }
  package static var subgraph: OptionField<Int> { .subgraph(0, "subgraph", isSigned: false) }
  package static var fields: [OptionDefinition] { [subgraph.definition] }
}

package enum CallOnceOptions: OptionSchema {
  package static var tag: Int { 103 }
  package static var initializationSubgraphIndex: OptionField<Int> { .subgraph(0, "init_subgraph_index") }
  package static var fields: [OptionDefinition] { [initializationSubgraphIndex.definition] }
}

package enum IfOptions: OptionSchema {
  package static var tag: Int { 92 }
  package static var thenSubgraphIndex: OptionField<Int> { .subgraph(0, "then_subgraph_index") }
  package static var elseSubgraphIndex: OptionField<Int> { .subgraph(1, "else_subgraph_index") }
  package static var fields: [OptionDefinition] { [thenSubgraphIndex.definition, elseSubgraphIndex.definition] }
}

package enum WhileOptions: OptionSchema {
  package static var tag: Int { 93 }
  package static var conditionSubgraphIndex: OptionField<Int> { .subgraph(0, "cond_subgraph_index") }
  package static var bodySubgraphIndex: OptionField<Int> { .subgraph(1, "body_subgraph_index") }
  package static var fields: [OptionDefinition] { [conditionSubgraphIndex.definition, bodySubgraphIndex.definition] }
}

package enum StableHLOCaseOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 23 }
  package static var branchSubgraphIndices: OptionField<[Int]> { .subgraphs(0, "branch_subgraph_indices") }
  package static var fields: [OptionDefinition] { [branchSubgraphIndices.definition] }
}

package enum StableHLOCompositeOptions: OptionSchema {
  package static var tag: Int { OptionsTable.secondUnionBase + 21 }
  package static var name: OptionField<String> { .string(0, "name") }
  package static var decompositionSubgraphIndex: OptionField<Int> { .subgraph(1, "decomposition_subgraph_index") }
  package static var compositeAttributes: OptionField<ByteRegion> { .flexible(2, "composite_attributes") }
  package static var compositeAttributesFormat: OptionField<Int> { .unused(3, "composite_attributes_format") }
  package static var version: OptionField<Int> { .int(4, "version") }
  package static var fields: [OptionDefinition] {
    [
      name.definition, decompositionSubgraphIndex.definition, compositeAttributes.definition,
      compositeAttributesFormat.definition, version.definition,
    ]
  }
}
