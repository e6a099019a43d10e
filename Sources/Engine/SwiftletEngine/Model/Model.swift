package import SwiftletBase
package import SwiftletSchema

/// A `.tflite` model, read and verified, not yet compiled.
///
/// - Thread safety: a value, callable concurrently.
public struct Model: Sendable {
  package let file: ModelFile
  package var addedOperators = AddedOperators()

  /// How a model's file is held in memory while the model lives.
  public enum FileAccess: Sendable, Hashable, CaseIterable {
    /// Mapped where nobody has the permission to write to the file, and it belongs to the process's user or the
    /// administrator; else copied. So it is with the models of `SwiftletModelStore`, and with any file after `chmod
    /// a-w`.
    case automatic
    /// Copied, whatever becomes of the file: about a fifth of a millisecond and a megabyte of memory for each megabyte.
    case copied
    /// Mapped: nothing is read before it is needed, and processes share the memory. Only for files that nobody changes
    /// in place. One that is shortened ends the process at the next touch (`SIGBUS`), and one that is rewritten changes
    /// a model that was checked before. Replacing it by another file of its name, as `mv` does, is safe.
    case mapped
  }

  /// Reads the model file at `path`.
  ///
  /// What becomes of the file later does not matter, unless it is mapped.
  ///
  /// - Parameter access: whether the file is copied or mapped.
  /// - Throws: `RuntimeError` (`unreadableFile`, `invalidModel`) that says what is wrong with the file.
  public init(contentsOf path: String, access: FileAccess = .automatic) throws(RuntimeError) {
    let region: ByteRegion
    do {
      region =
        switch access {
        case .automatic: try MappedFile.open(path)
        case .copied: try MappedFile.read(path)
        case .mapped: try MappedFile.map(path)
        }
    } catch {
      throw RuntimeError(.unreadableFile, error.message, underlying: error)
    }
    do {
      try self.init(region)
    } catch {
      throw RuntimeError(
        error.code, "\(path.excerpt): \(error.message)", location: error.location, underlying: error.underlying)
    }
  }

  /// Reads a model from bytes in memory, which are copied.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with them.
  public init(bytes: [UInt8]) throws(RuntimeError) {
    try self.init(ByteRegion(bytes))
  }

  /// Reads a model from memory that `owner` keeps alive and unchanged as long as the model, and everything compiled
  /// from it, lives.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with the bytes.
  public init(bytes: UnsafeRawBufferPointer, owner: AnyObject) throws(RuntimeError) {
    try self.init(ByteRegion(owner: owner, bytes: bytes))
  }

  package init(_ region: ByteRegion) throws(RuntimeError) {
    do {
      file = try ModelFile(region)
    } catch {
      throw RuntimeError(wrapping: error)
    }
  }

  /// The description that the model's writer stored, if any.
  public var description: String? { file.description }

  /// The names of the entry points that the model declares; empty for models that are driven by input and output order
  /// alone.
  public var signatureKeys: [String] { file.signatures.map(\.key) }

  /// The signature named `key`, or `nil` for the main graph.
  func entryPoint(_ key: String?) throws(RuntimeError) -> Signature? {
    guard let key else { return nil }
    if let signature = file.signatures.first(where: { $0.key == key }) { return signature }
    let known = signatureKeys.isEmpty ? "it has none" : "it has " + ShownText.list(signatureKeys, in: "'")
    throw RuntimeError(.invalidArgument, "the model has no signature '\(key.excerpt)'; \(known)")
  }
}
