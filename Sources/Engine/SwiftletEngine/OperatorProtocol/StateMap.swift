package import SwiftletBase
package import SwiftletSchema

/// Something for each of a program's variables: a dictionary's interface on an array, as most programs have few.
///
/// At its first use a dictionary looks for its key's conformance through the whole program, which small models' loading
/// would feel.
struct StateMap<Element> {
  private struct Entry {
    var key: StateKey
    var element: Element
  }

  private var entries: [Entry] = []
  /// Where the entries are, once there are many.
  private var positions: [StateKey: Int] = [:]

  /// Up to this many entries are compared one by one.
  private static var few: Int { 32 }

  var count: Int { entries.count }
  /// In the order in which their keys came.
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

/// What identifies memory that outlives a run.
package enum StateKey: Sendable, Hashable {
  /// A variable tensor of a subgraph.
  case tensor(subgraph: Int, index: Int)
  /// A resource that has a name, shared by all subgraphs.
  case resource(container: String, name: String)
  /// A resource that has a number and holds elements of these types, shared by all subgraphs.
  case numbered(Int, types: [ElementType])
  /// What an operator itself remembers.
  case node(subgraph: Int, index: Int)

  /// The memory of a resource begins with so many bytes in which it says what it holds.
  package static let headerByteCount = 64
}

/// The values of a graph: what they are, and which of them are known, stored or named.
package struct ValueSet: Sendable {
  package var specs: [TensorSpec] = []
  package var constants = ValueMap<ByteRegion>()
  /// Variable tensors, which keep their contents from run to run.
  package var variables = ValueMap<StateKey>()
  /// Resource-typed values and the resource variable they name.
  package var resources = ValueMap<StateKey>()
  /// Values that are quantized in blocks.
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
  /// Values that will be constants once they are computed.
  var pendingConstants = BitSet()
  /// Whether anything has asked for one of them.
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

  /// Returns a constant, or `nil` for a value that is none yet; notes when it waits to be computed.
  func constant(_ id: ValueID) -> ByteRegion? {
    if pendingConstants.contains(id) { hasReadPendingConstant = true }
    return content.constants[id]
  }

  var resources: ValueMap<StateKey> { content.resources }
  var variables: ValueMap<StateKey> { content.variables }
  var blocks: ValueMap<BlockQuantization> { content.blocks }
}
