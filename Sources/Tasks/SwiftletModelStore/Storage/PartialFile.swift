import Foundation
import SwiftletBase

/// What has come of a file whose download is not finished.
package struct PartialFile: Sendable {
  let folder: ModelFolder

  package init(folder: ModelFolder) { self.folder = folder }

  /// What the bytes are a part of.
  private struct Note: Codable {
    var address: String
    var version: String?
    var sha256: String?
    var size: Int64?
    var etag: String?
    var modified: String?

    /// Whether more bytes of `file` continue these.
    func isPart(of file: RemoteModelFile) -> Bool {
      guard sha256 == file.sha256, version == file.version, file.size == nil || size == nil || file.size == size else {
        return false
      }
      // Signed addresses of one version differ, so the address only counts where nothing else says what the file is.
      guard file.sha256 != nil || file.version != nil || address == file.url.absoluteString else { return false }
      return file.sha256 != nil || strongETag != nil
    }

    /// A validator that stands for the very bytes; a weak one does not (RFC 9110, section 8.8.1).
    var strongETag: String? { etag.flatMap { $0.hasPrefix("W/") ? nil : $0 } }
  }

  /// Where a download can go on.
  package struct Start {
    var offset: Int64 = 0
    /// The validator that the rest must have, where the server gave one that stands for the very bytes.
    var etag: String?
    /// The size of the whole file, as far as it is known.
    var size: Int64?
    /// What the server said of the version that the bytes are of.
    var validators = Validators()
    /// Whether the whole will be compared with a SHA-256.
    var isPinned = false

    /// Whether the part that a server sends is of the file that these bytes are of, as far as it says.
    func isContinued(by part: Validators) -> Bool {
      guard isPinned || etag == nil || part.etag == etag else { return false }
      func agree(_ one: String?, _ other: String?) -> Bool { one == nil || other == nil || one == other }
      return agree(validators.etag, part.etag) && agree(validators.modified, part.modified)
    }
  }

  /// What a server says of the version of a file (RFC 9110, section 8.8).
  struct Validators {
    var etag: String?
    var modified: String?
  }

  /// What there is of `file`; if it is something else, it is removed.
  package func start(for file: RemoteModelFile) -> Start {
    guard let offset = PathKind.byteCount(of: folder.partialDataPath), offset > 0,
      let note: Note = ModelFolder.value(atPath: folder.partialNotePath), note.isPart(of: file)
    else {
      // What stays is an error once bytes are to be written in its place.
      try? discard()
      return Start(size: file.size)
    }
    let size = file.size ?? note.size
    if let size, offset > size || (offset == size && file.sha256 == nil && file.version == nil) {
      // What stays is an error once bytes are to be written in its place.
      try? discard()
      return Start(size: file.size)
    }
    return Start(
      offset: offset, etag: note.strongETag, size: size,
      validators: Validators(etag: note.etag, modified: note.modified), isPinned: file.sha256 != nil)
  }

  /// Begins again: an empty file, and then the note of what it becomes.
  ///
  /// - Returns: the file, to write to.
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

  /// The file, to write behind what is there.
  func open() throws(ModelStoreError) -> FileHandle {
    try SystemCalls.openFile(folder.partialDataPath, for: .appending)
  }

  /// Removes what has come.
  ///
  /// - Throws: `ModelStoreError.Code.storage` if something of it stays.
  func discard() throws(ModelStoreError) {
    // The note first: bytes without a note are nothing, a note with other bytes could be believed.
    try folder.remove(folder.partialNotePath)
    try folder.remove(folder.partialDataPath)
  }
}
