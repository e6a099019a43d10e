/// How much an archive may ask of its reader.
package struct ArchiveLimits: Sendable, Hashable {
  /// The most members.
  package var members: Int
  /// The most bytes that one compressed member may unpack to; stored members are not copied and have no limit.
  package var unpackedBytes: Int
  /// The most bundles inside one another.
  package var nesting: Int

  package init(members: Int = 4096, unpackedBytes: Int = 1 << 29, nesting: Int = 4) {
    self.members = members
    self.unpackedBytes = unpackedBytes
    self.nesting = nesting
  }

  package static let `default` = ArchiveLimits()
}
