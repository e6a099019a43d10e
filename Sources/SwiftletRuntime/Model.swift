package import SwiftletFlatBuffers
package import SwiftletSchema

/// A `.tflite` model, read and verified, not yet compiled.
///
/// - Thread safety: a value, callable concurrently.
public struct Model: Sendable {
  package let file: ModelFile
  package var addedOperators = AddedOperators()

  /// Reads the model file at `path`. The file is mapped into memory, not copied; it must not be shortened while the model lives.
  ///
  /// - Throws: `RuntimeError` (`unreadableFile`, `invalidModel`) that says what is wrong with the file.
  public init(contentsOf path: String) throws(RuntimeError) {
    let region: ByteRegion
    do {
      region = try MappedFile.map(path)
    } catch {
      throw RuntimeError(.unreadableFile, error.message, underlying: error)
    }
    do {
      try self.init(region)
    } catch {
      throw RuntimeError(error.code, "\(path): \(error.message)", location: error.location, underlying: error.underlying)
    }
  }

  /// Reads a model from bytes in memory, which are copied.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with them.
  public init(bytes: [UInt8]) throws(RuntimeError) {
    try self.init(ByteRegion(bytes))
  }

  /// Reads a model from memory that `owner` keeps alive and unchanged as long as the model, and everything compiled from it, lives.
  ///
  /// - Throws: `RuntimeError` (`invalidModel`) that says what is wrong with the bytes.
  public init(bytes: UnsafeRawBufferPointer, owner: AnyObject) throws(RuntimeError) {
    try self.init(ByteRegion(owner: owner, bytes: bytes))
  }

  package init(_ region: ByteRegion) throws(RuntimeError) {
    do {
      file = try ModelFile(region)
    } catch {
      throw RuntimeError(.invalidModel, "\(error)", underlying: error)
    }
  }

  /// The description that the model's writer stored, if any.
  public var description: String? { file.description }

  /// The names of the entry points that the model declares; empty for models that are driven by input and output order alone.
  public var signatureKeys: [String] { file.signatures.map(\.key) }

  /// The signature named `key`, or `nil` for the main graph.
  func entryPoint(_ key: String?) throws(RuntimeError) -> Signature? {
    guard let key else { return nil }
    if let signature = file.signatures.first(where: { $0.key == key }) { return signature }
    let known = signatureKeys.isEmpty ? "it has none" : "it has " + signatureKeys.map { "'\($0)'" }.joined(separator: ", ")
    throw RuntimeError(.invalidArgument, "the model has no signature '\(key)'; \(known)")
  }
}
