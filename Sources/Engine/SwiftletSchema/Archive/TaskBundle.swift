package import SwiftletBase

/// A `.task` file: the models of a task, and what belongs to them, in one archive.
///
/// - Thread safety: callable concurrently.
package struct TaskBundle: Sendable {
  private let archive: ZIPArchive
  private let limits: ArchiveLimits

  /// Opens a bundle.
  ///
  /// - Parameters:
  ///   - bytes: The whole file; kept alive by the bundle and by the members taken from it.
  /// - Throws: `SchemaError` if the bytes are no bundle (a model, a web page, …) or a damaged one.
  package init(_ bytes: ByteRegion, limits: ArchiveLimits = .default) throws(SchemaError) {
    if let reason = FileKind.reasonNotABundle(bytes) { throw reason }
    guard let archive = try ZIPArchive(endOf: bytes, limits: limits, isWholeFile: true) else {
      throw SchemaError(
        .truncated, "the bundle starts like an archive but has no directory at its end; fetch the file again")
    }
    self.archive = archive
    self.limits = limits
  }

  /// The members' names in stored order.
  package var memberNames: [String] { archive.names }

  /// Returns whether there is a member of exactly this name.
  package func contains(_ name: String) -> Bool { archive.contains(name) }

  /// Returns the bytes of the member of exactly this name.
  ///
  /// - Throws: `SchemaError` if there is none (the message lists the names), or it is damaged.
  package func member(_ name: String) throws(SchemaError) -> ByteRegion {
    try archive.contents(of: name)
  }

  /// Returns the model in the member of exactly this name.
  package func model(_ name: String, limits: ModelLimits = .default) throws(SchemaError) -> ModelFile {
    let bytes = try member(name)
    return try locating("\"\(name.excerpt)\"") { () throws(SchemaError) in try ModelFile(bytes, limits: limits) }
  }

  /// Returns the bundle in the member of exactly this name.
  ///
  /// - Throws: `SchemaError` as `member` does, when the member is no bundle, or bundles are nested too deep.
  package func bundle(_ name: String) throws(SchemaError) -> TaskBundle {
    guard limits.nesting > 1 else {
      throw SchemaError(.limitExceeded, "bundle \"\(name.excerpt)\" lies inside too many other bundles")
    }
    var inner = limits
    inner.nesting -= 1
    let bytes = try member(name)
    return try locating("\"\(name.excerpt)\"") { () throws(SchemaError) in try TaskBundle(bytes, limits: inner) }
  }
}

extension ModelFile {
  /// Returns the files that belong to the model, from the archive that follows it; `nil` if there is none.
  ///
  /// - Throws: `SchemaError` if there is an archive, but a damaged one.
  package func associatedFiles(limits: ArchiveLimits = .default) throws(SchemaError) -> ZIPArchive? {
    try ZIPArchive(endOf: bytes, limits: limits)
  }
}
