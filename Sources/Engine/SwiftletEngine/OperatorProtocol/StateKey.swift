package import SwiftletSchema

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
