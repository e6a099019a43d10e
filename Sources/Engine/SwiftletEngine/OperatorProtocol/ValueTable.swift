package import SwiftletBase

/// The values of a graph: what they are, and which of them are known, stored or named.
package struct ValueSet: Sendable {
  package var specs: [TensorSpec] = []
  package var constants = ValueMap<ByteRegion>()
  /// Variable tensors, which keep their contents from run to run.
  package var variables = ValueMap<StateKey>()
  /// Resource-typed values and the resource variable they name.
  package var resources = ValueMap<StateKey>()
  /// Values that are quantised in blocks.
  package var blocks = ValueMap<BlockQuantization>()
}

/// The values of a graph while it is compiled.
final class ValueTable {
  private(set) var content: ValueSet
  /// Gives the bytes of a value computed earlier in the run that is under way.
  var runtimeData: (ValueID) throws -> UnsafeRawBufferPointer?
  /// What inferring shapes from values counts against.
  var budget: RunBudget?
  /// Variables and tables that nodes in front may change in the same program, so that nothing is known of them.
  var changedStates = StateMap<Bool>()
  /// The constants computed so far, in bytes.
  var foldedByteCount = 0

  init(_ content: ValueSet, runtimeData: @escaping (ValueID) throws -> UnsafeRawBufferPointer? = { _ in nil }) {
    self.content = content
    self.runtimeData = runtimeData
  }

  var specs: [TensorSpec] {
    get { content.specs }
    _modify { yield &content.specs }
  }
  var constants: ValueMap<ByteRegion> {
    get { content.constants }
    _modify { yield &content.constants }
  }
  var resources: ValueMap<StateKey> { content.resources }
  var variables: ValueMap<StateKey> { content.variables }
  var blocks: ValueMap<BlockQuantization> { content.blocks }
}
