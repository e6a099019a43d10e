package import SwiftletBase
package import SwiftletEngine
import SwiftletSchema

extension ModelSource {
  /// The model, read and verified.
  ///
  /// Files that nobody may write to are mapped. Others are copied, so that later changes to them do no harm.
  ///
  /// - Throws: `TaskError` when there is none, or it cannot be read.
  package func load() throws(TaskError) -> Model {
    guard members.isEmpty else { return try loadMember() }
    return try TaskError.wrapping {
      switch origin {
      case .file(let path): try Model(contentsOf: path)
      case .url: try Model(contentsOf: try filePath())
      case .bytes(let bytes): try Model(bytes: bytes)
      case .program(let memory): try Model(ByteRegion(owner: nil, bytes: memory.bytes))
      }
    }
  }

  /// The model at the end of the path of members.
  private func loadMember() throws(TaskError) -> Model {
    let bytes = try bytes()
    return try TaskError.wrapping(as: .invalidModel, about: description) { try Model(bytes) }
  }

  /// The bytes at the end of the path of members, whatever they are.
  ///
  /// - Throws: `TaskError` when there is no such file or member, or it cannot be read.
  package func bytes() throws(TaskError) -> ByteRegion {
    let bytes = try outermostBytes()
    guard let name = members.last else { return bytes }
    return try TaskError.wrapping(as: .invalidModel, missingMember: .modelNotFound, about: description) {
      var bundle = try TaskBundle(bytes)
      for name in members.dropLast() { bundle = try bundle.bundle(name) }
      guard bundle.contains(name) else {
        throw TaskError(missing: name, from: self, among: bundle.memberNames)
      }
      return try bundle.member(name)
    }
  }

  /// Whether the bundle that this is has a member of exactly this name.
  ///
  /// - Throws: `TaskError` when it is no bundle, or cannot be read.
  package func hasMember(_ name: String) throws(TaskError) -> Bool {
    let bytes = try bytes()
    return try TaskError.wrapping(as: .invalidModel, about: description) { try TaskBundle(bytes).contains(name) }
  }

  private func outermostBytes() throws(TaskError) -> ByteRegion {
    switch origin {
    case .bytes(let bytes): return ByteRegion(bytes)
    case .program(let memory): return ByteRegion(owner: nil, bytes: memory.bytes)
    case .file, .url:
      let path = try filePath()
      return try TaskError.wrapping { try MappedFile.open(path) }
    }
  }

  private func filePath() throws(TaskError) -> String {
    guard let path else {
      throw TaskError(
        .unreadableModel, "\(self) is not a file URL; download the model first and give the file's URL")
    }
    return path
  }
}
