import SwiftletBase

/// Bounds what operators read from their options all together.
///
/// Every operator copies its own vectors and texts and reads its own custom options. Operators may share all of these
/// in the file, so that a small file could ask for any amount of memory and time.
enum OptionSharing {
  /// - Throws: when the vectors, texts and custom options of all operators are much more than the file holds.
  static func check(_ subgraphs: [Subgraph], fileByteCount: Int) throws(SchemaError) {
    let (scaled, overflow) = fileByteCount.multipliedReportingOverflow(by: 4)
    let limit = overflow ? Int.max : max(scaled, 1 << 20)
    var total = 0
    for (index, subgraph) in subgraphs.enumerated() {
      for (position, description) in subgraph.operators.enumerated() {
        total += description.customOptions.count + description.options.elementCount
        guard total <= limit else {
          throw SchemaError(
            .limitExceeded,
            "the options of the operators so far have \(total) elements and bytes; the limit for a file of \(fileByteCount) bytes is \(limit)",
            location: "subgraphs[\(index)].operators[\(position)] (\(description.code.kind.name.excerpt))")
        }
      }
    }
  }
}

extension OptionsTable {
  /// The elements of all vectors and texts.
  fileprivate var elementCount: Int {
    guard table != nil else { return 0 }
    return OptionSchemas.vectors(ofTable: tag).reduce(0) { sum, field in
      // What cannot be read has an error of its own where it is used.
      sum + ((try? bytes(field))??.count ?? 0)
    }
  }
}

extension OptionSchemas {
  /// The fields of the option table with this tag that hold vectors or texts.
  ///
  /// Those of the first union are written out: to go over all tables takes as long as to load a small model.
  static func vectors(ofTable tag: Int) -> [OptionDefinition] {
    switch tag {
    case ConcatEmbeddingsOptions.tag:
      [
        ConcatEmbeddingsOptions.columnsPerChannel.definition,
        ConcatEmbeddingsOptions.embeddingDimensionPerChannel.definition,
      ]
    case ReshapeOptions.tag: [ReshapeOptions.newShape.definition]
    case SqueezeOptions.tag: [SqueezeOptions.squeezeDimensions.definition]
    case BucketizeOptions.tag: [BucketizeOptions.boundaries.definition]
    case VarHandleOptions.tag: [VarHandleOptions.container.definition, VarHandleOptions.sharedName.definition]
    case ..<OptionsTable.secondUnionBase: []
    default: describedVectors(ofTable: tag)
    }
  }

  /// The same, as the tables are described.
  static func describedVectors(ofTable tag: Int) -> [OptionDefinition] {
    fields(ofTable: tag).filter(\.holdsElements)
  }
}

extension OptionDefinition {
  /// Whether the field holds a vector or a text.
  fileprivate var holdsElements: Bool {
    switch storage {
    case .string, .ints, .longs, .floats, .bools, .flexible, .subgraphs: true
    default: false
    }
  }
}
