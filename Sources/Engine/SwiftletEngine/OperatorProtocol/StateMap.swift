package import SwiftletBase
package import SwiftletSchema

/// A map from a program's variables to elements. It has a dictionary's interface but stores an array, because most
/// programs have few variables.
///
/// On first use, a dictionary searches the whole program for its key's protocol conformance, which would noticeably
/// slow down the loading of small models.
struct StateMap<Element> {
  private struct Entry {
    var key: StateKey
    var element: Element
  }

  private var entries: [Entry] = []
  /// The positions of the entries, once there are many.
  private var positions: [StateKey: Int] = [:]

  /// The maximum number of entries that are compared one by one.
  private static var few: Int { 32 }

  var count: Int { entries.count }
  /// The elements in the insertion order of their keys.
  var elements: some Sequence<Element> { entries.lazy.map(\.element) }

  private func position(of key: StateKey) -> Int? {
    entries.count > Self.few ? positions[key] : entries.firstIndex { $0.key == key }
  }

  subscript(key: StateKey) -> Element? {
    position(of: key).map { entries[$0].element }
  }

  mutating func set(_ key: StateKey, to element: Element) {
    if let position = position(of: key) {
      entries[position].element = element
      return
    }
    entries.append(Entry(key: key, element: element))
    if entries.count == Self.few + 1 {
      for (position, entry) in entries.enumerated() { positions[entry.key] = position }
    } else if entries.count > Self.few {
      positions[key] = entries.count - 1
    }
  }
}

/// A key that identifies memory that outlives a run.
package enum StateKey: Sendable, Hashable {
  /// A variable tensor of a subgraph.
  case tensor(subgraph: Int, index: Int)
  /// A named resource, shared by all subgraphs.
  case resource(container: String, name: String)
  /// A numbered resource with elements of these types, shared by all subgraphs.
  case numbered(Int, types: [ElementType])
  /// The state of an operator.
  case node(subgraph: Int, index: Int)

  /// The size of the header at the start of a resource's memory, which describes its contents.
  package static let headerByteCount = 64
}

/// The values of a graph: their types, and the values that are known, stored, or named.
package struct ValueSet: Sendable {
  package var specs: [TensorSpec] = []
  package var constants = ValueMap<ByteRegion>()
  /// Variable tensors, which keep their contents from run to run.
  package var variables = ValueMap<StateKey>()
  /// The variables that resource-typed values refer to.
  package var resources = ValueMap<StateKey>()
  /// The values with blockwise quantization.
  package var blocks = ValueMap<BlockQuantization>()
}

/// The values of a graph during compilation.
final class ValueTable {
  private(set) var content: ValueSet
  /// Returns the bytes of a value that was computed earlier in the current run.
  var runtimeData: (ValueID) throws -> UnsafeRawBufferPointer?
  /// The budget for inferring shapes from values.
  var budget: RunBudget?
  /// The variables and hash tables that earlier nodes of the same program may change, so that their contents are
  /// unknown.
  var changedStates = StateMap<Bool>()
  /// The size of the constants computed so far, in bytes.
  var foldedByteCount = 0
  /// The values that become constants once they are computed.
  var pendingConstants = BitSet()
  /// Whether a pending constant has been requested.
  var hasReadPendingConstant = false

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

  /// Returns a constant, or `nil` if the value isn't a constant yet. Records whether the value is a pending constant.
  func constant(_ id: ValueID) -> ByteRegion? {
    if pendingConstants.contains(id) { hasReadPendingConstant = true }
    return content.constants[id]
  }

  var resources: ValueMap<StateKey> { content.resources }
  var variables: ValueMap<StateKey> { content.variables }
  var blocks: ValueMap<BlockQuantization> { content.blocks }
}
