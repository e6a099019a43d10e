import Foundation
import SwiftletBase

/// The partial file of an unfinished download.
package struct PartialFile: Sendable {
  let folder: ModelFolder

  package init(folder: ModelFolder) { self.folder = folder }

  /// The description of the file that the bytes are a part of.
  private struct Note: Codable {
    var address: String
    var version: String?
    var sha256: String?
    var size: Int64?
    var etag: String?
    var modified: String?

    /// Returns whether the download of `file` can continue with these bytes.
    func isPart(of file: RemoteModelFile) -> Bool {
      guard sha256 == file.sha256, version == file.version, file.size == nil || size == nil || file.size == size else {
        return false
      }
      // Signed URLs of the same version differ, so compare the URLs only if nothing else identifies the file.
      guard file.sha256 != nil || file.version != nil || address == file.url.absoluteString else { return false }
      return file.sha256 != nil || strongETag != nil
    }

    /// The strong validator, which identifies the exact bytes; a weak one does not (RFC 9110, section 8.8.1).
    var strongETag: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
  }

  /// The state from which a download can resume.
  package struct Start {
    var offset: Int64 = 0
    /// The validator that the remaining bytes must match, if the server sent a strong one.
    var etag: String?
    /// The size of the whole file, if it is known.
    var size: Int64?
    /// The server's `ETag` and date for the version that the bytes belong to.
    var validators = Validators()
    /// Whether the whole file will be compared with a SHA-256.
    var isPinned = false

    /// Returns whether a part from the server belongs to the same file as these bytes, as far as its `ETag` and date
    /// show.
    func isContinued(by part: Validators) -> Bool {
      guard isPinned || etag == nil || part.etag == etag else { return false }
      func agree(_ one: String?, _ other: String?) -> Bool { one == nil || other == nil || one == other }
      return agree(validators.etag, part.etag) && agree(validators.modified, part.modified)
    }
  }

  /// The `ETag` and date that a server sends for the version of a file (RFC 9110, section 8.8).
  struct Validators {
    var etag: String?
    var modified: String?
  }

  /// Returns the state of the download of `file`. A partial file that can't be continued is removed.
  package func start(for file: RemoteModelFile) -> Start {
    guard let offset = PathKind.byteCount(of: folder.partialDataPath), offset > 0,
      let note: Note = ModelFolder.value(atPath: folder.partialNotePath), note.isPart(of: file)
    else {
      // If this fails, writing the new file reports the error.
      try? discard()
      return Start(size: file.size)
    }
    let size = file.size ?? note.size
    if let size, offset > size || (offset == size && file.sha256 == nil && file.version == nil) {
      // If this fails, writing the new file reports the error.
      try? discard()
      return Start(size: file.size)
    }
    return Start(
      offset: offset, etag: note.strongETag, size: size,
      validators: Validators(etag: note.etag, modified: note.modified), isPinned: file.sha256 != nil)
  }

  /// Starts from scratch: creates an empty file, and then its description.
  ///
  /// - Returns: A handle for writing to the file.
  func begin(_ file: RemoteModelFile, size: Int64?, validators: Validators = Validators()) throws(ModelStoreError)
    -> FileHandle
  {
    try discard()
    let handle = try SystemCalls.openFile(folder.partialDataPath, for: .creating(permissions: 0o644))
    try folder.write(
      Note(
        address: file.url.absoluteString, version: file.version, sha256: file.sha256, size: size, etag: validators.etag,
        modified: validators.modified),
      to: folder.partialNotePath)
    return handle
  }

  /// Opens the file to append to it.
  func open() throws(ModelStoreError) -> FileHandle {
    try SystemCalls.openFile(folder.partialDataPath, for: .appending)
  }

  /// Removes the partial file and its description.
  ///
  /// - Throws: `ModelStoreError.Code.storage` if a file could not be removed.
  func discard() throws(ModelStoreError) {
    // Remove the description first: bytes without a description are ignored, but a description might be applied to
    // other bytes.
    try folder.remove(folder.partialNotePath)
    try folder.remove(folder.partialDataPath)
  }
}
