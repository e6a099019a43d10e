package import SwiftletBase

/// A `.task` file: an archive with the models of a task and their associated files.
///
/// - Thread safety: callable concurrently.
package struct TaskBundle: Sendable {
  private let archive: ZIPArchive
  private let limits: ArchiveLimits

  /// Creates a bundle from the bytes of a `.task` file.
  ///
  /// - Parameters:
  ///   - bytes: The whole file. The bundle and its members keep it alive.
  /// - Throws: `SchemaError` if the bytes aren't a bundle (but a model, a web page, …) or if the bundle is damaged.
  package init(_ bytes: ByteRegion, limits: ArchiveLimits = .default) throws(SchemaError) {
    if let reason = FileKind.reasonNotABundle(bytes) { throw reason }
    guard let archive = try ZIPArchive(endOf: bytes, limits: limits, isWholeFile: true) else {
      throw SchemaError(
        .truncated, "the bundle starts like an archive but has no directory at its end; fetch the file again")
    }
    self.archive = archive
    self.limits = limits
  }

  /// The member names in stored order.
  package var memberNames: [String] { archive.names }

  /// Returns whether there is a member with exactly this name.
  package func contains(_ name: String) -> Bool { archive.contains(name) }

  /// Returns the bytes of the member with exactly this name.
  ///
  /// - Throws: `SchemaError` if there is no such member (the message lists the names), or if it is damaged.
  package func member(_ name: String) throws(SchemaError) -> ByteRegion {
    try archive.contents(of: name)
  }

  /// Returns the model in the member with exactly this name.
  package func model(_ name: String, limits: ModelLimits = .default) throws(SchemaError) -> ModelFile {
    let bytes = try member(name)
    return try locating("\"\(name.excerpt)\"") { () throws(SchemaError) in try ModelFile(bytes, limits: limits) }
  }

  /// Returns the bundle in the member with exactly this name.
  ///
  /// - Throws: `SchemaError` as `member` does, if the member isn't a bundle, or if bundles are nested too deeply.
  package func bundle(_ name: String) throws(SchemaError) -> TaskBundle {
    guard limits.nesting > 1 else {
      throw SchemaError(.limitExceeded, "bundle \"\(name.excerpt)\" is nested too deeply in other bundles")
    }
    var inner = limits
    inner.nesting -= 1
    let bytes = try member(name)
    return try locating("\"\(name.excerpt)\"") { () throws(SchemaError) in try TaskBundle(bytes, limits: inner) }
  }
}

extension ModelFile {
  /// Returns the model's associated files from the archive appended to the model; `nil` if there is no archive.
  ///
  /// - Throws: `SchemaError` if there is an archive, but it is damaged.
  package func associatedFiles(limits: ArchiveLimits = .default) throws(SchemaError) -> ZIPArchive? {
    try ZIPArchive(endOf: bytes, limits: limits)
  }
}
