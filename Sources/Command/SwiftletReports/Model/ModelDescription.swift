package import SwiftletJSON

/// Everything that the page about a model shows, as plain values. Text may hold anything.
package struct ModelDescription: Sendable {
  /// The name of the file, without its folder.
  package var name: String
  package var byteCount: Int
  package var schemaVersion: Int
  package var description: String?
  /// Whether this engine can run the model.
  package var isSupported: Bool
  /// Why it cannot, where that is not an operator's fault.
  package var problem: String?
  package var unsupported: [UnsupportedOperator] = []
  /// Bytes of the constants, each buffer counted once.
  package var constantByteCount: Int
  /// Bytes of constants in the order that the kernels read; `nil` for a model that cannot be run.
  package var packedByteCount: Int?
  package var subgraphs: [Graph] = []
  package var signatures: [EntryPoint] = []
  /// The model's metadata, as `inspect --json` gives it.
  package var metadata: JSONValue = .null
  package var labels: [String] = []
  package var arena: Arena?

  package struct UnsupportedOperator: Sendable, Hashable {
    package var subgraph: Int
    package var index: Int
    package var name: String
    package var version: Int
    package var reason: String

    package init(subgraph: Int, index: Int, name: String, version: Int, reason: String) {
      self.subgraph = subgraph
      self.index = index
      self.name = name
      self.version = version
      self.reason = reason
    }
  }

  package init(name: String, byteCount: Int, schemaVersion: Int, isSupported: Bool, constantByteCount: Int) {
    self.name = name
    self.byteCount = byteCount
    self.schemaVersion = schemaVersion
    self.isSupported = isSupported
    self.constantByteCount = constantByteCount
  }
}
