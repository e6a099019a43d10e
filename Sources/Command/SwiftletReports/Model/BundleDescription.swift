/// What the page about a bundle shows, as plain values. Text may hold anything.
package struct BundleDescription: Sendable {
  /// The name of the file, without its folder.
  package var name: String
  package var members: [Member]
  /// The models among the members, in their order; at least one.
  package var models: [ModelDescription]

  package struct Member: Sendable, Hashable {
    /// With the names of the bundles that it is in.
    package var name: String
    package var byteCount: Int
    package var kind: String
    /// Its place among the models.
    package var model: Int?
    /// Why it cannot be read.
    package var problem: String?

    package init(name: String, byteCount: Int, kind: String) {
      self.name = name
      self.byteCount = byteCount
      self.kind = kind
    }
  }

  package init(name: String, members: [Member], models: [ModelDescription]) {
    self.name = name
    self.members = members
    self.models = models
  }
}
