import SwiftletBase
import SwiftletFlatBuffers

/// Reads the small FlatBuffers inside custom metadata. Their identifiers are not checked: writers disagree on them.
struct CustomMetadataReader: TableReader {
  var budget: FlatBufferBudget

  init(_ bytes: ByteRegion, limits: ModelLimits) {
    budget = FlatBufferBudget(limits: limits.flatBuffer, byteCount: bytes.count)
  }

  mutating func root(_ bytes: ByteRegion) throws(SchemaError) -> FlatTable {
    try read { (budget) throws(FlatBufferError) in
      try FlatTable(rootOf: bytes, identifier: nil, budget: &budget)
    }
  }

  /// Checks numbers that count something.
  static func checkCounts(_ counts: [(name: String, value: Int)]) throws(SchemaError) {
    for (name, value) in counts where value < 0 {
      throw SchemaError(.invalid, "a count must not be negative, got \(value)", location: name)
    }
  }
}
