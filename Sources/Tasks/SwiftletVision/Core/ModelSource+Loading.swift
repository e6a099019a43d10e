import SwiftletFlatBuffers
package import SwiftletEngine
import SwiftletSchema

extension ModelSource {
  /// The model, read and verified.
  ///
  /// Files that nobody may write to are mapped, others are copied, so that it does not matter what becomes of them
  /// later.
  ///
  /// - Throws: `VisionTaskError` when there is none, or it cannot be read.
  package func load() throws(VisionTaskError) -> Model {
    guard members.isEmpty else { return try loadMember() }
    do {
      switch origin {
      case .file(let path): return try Model(contentsOf: path)
      case .url: return try Model(contentsOf: try filePath())
      case .bytes(let bytes): return try Model(bytes: bytes)
      case .program(let memory): return try Model(ByteRegion(owner: nil, bytes: memory.bytes))
      }
    } catch let error as RuntimeError {
      throw VisionTaskError(error)
    } catch let error as VisionTaskError {
      throw error
    } catch {
      throw VisionTaskError(.failed, "\(error)")
    }
  }

  /// The model at the end of the path of members.
  private func loadMember() throws(VisionTaskError) -> Model {
    let bytes = try outermostBytes()
    do {
      var bundle = try TaskBundle(bytes)
      for name in members.dropLast() { bundle = try bundle.bundle(name) }
      return try Model(try bundle.member(members.last ?? ""))
    } catch let error as SchemaError {
      throw VisionTaskError(error.code == .missingMember ? .modelNotFound : .invalidModel, "\(self): \(error)")
    } catch {
      throw VisionTaskError(.invalidModel, "\(self): \(error)")
    }
  }

  private func outermostBytes() throws(VisionTaskError) -> ByteRegion {
    switch origin {
    case .bytes(let bytes): return ByteRegion(bytes)
    case .program(let memory): return ByteRegion(owner: nil, bytes: memory.bytes)
    case .file, .url:
      let path = try filePath()
      do {
        return try MappedFile.open(path)
      } catch {
        throw VisionTaskError(error)
      }
    }
  }

  private func filePath() throws(VisionTaskError) -> String {
    guard let path else {
      throw VisionTaskError(
        .unreadableModel, "\(self) is not a file URL; download the model first and give the file's URL")
    }
    return path
  }
}

extension VisionTaskError {
  /// The engine's error as a task's.
  init(_ error: RuntimeError) {
    switch error.code {
    case .unreadableFile:
      guard let file = error.underlying as? FileError else {
        self.init(.unreadableModel, "\(error)")
        return
      }
      self.init(file)
    case .unsupportedOperators: self.init(.unsupportedModel, "\(error)")
    case .limitExceeded: self.init(.limitExceeded, "\(error)")
    case .deadlineExceeded: self.init(.deadlineExceeded, "\(error)")
    default: self.init(.invalidModel, "\(error)")
    }
  }

  init(_ error: FileError) {
    switch error.code {
    case .notFound: self.init(.modelNotFound, error.message, .missingFile(path: error.path))
    case .permissionDenied: self.init(.unreadableModel, error.message, .forbiddenFile)
    default: self.init(.unreadableModel, error.message)
    }
  }
}
