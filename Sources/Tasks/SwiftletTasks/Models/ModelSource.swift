package import SwiftletBase
package import SwiftletEngine
import SwiftletSchema

/// The source of a model.
///
/// ```swift
/// let faces = ModelSource.file("face_detector.tflite")
/// let palms = ModelSource.file("hand_landmarker.task").member("hand_detector.tflite")
/// ```
/// `import SwiftletModels` adds `ModelSource.embedded(_:)` for the bundled models. Nothing is ever downloaded.
public struct ModelSource: Sendable, Hashable {
  /// The origin of the outermost bytes.
  enum Origin: Sendable, Hashable {
    case file(String)
    /// A URL that isn't a file URL, which loading rejects.
    case remoteURL(String)
    case bytes([UInt8])
    case program(ProgramMemory)
  }

  let origin: Origin
  /// The path of member names from a bundle to the model in it, outermost first; empty for a model outside any bundle.
  private(set) var members: [String] = []

  private init(_ origin: Origin) { self.origin = origin }

  /// Returns a source for a `.tflite` file, or for a `.task` bundle to take a ``member(_:)`` from.
  public static func file(_ path: String) -> ModelSource { ModelSource(.file(path)) }

  /// Returns a source for a URL that isn't a file URL. Loading throws an error that contains the URL.
  @_spi(Facades)
  public static func remoteURL(_ text: String) -> ModelSource { ModelSource(.remoteURL(text)) }

  /// Returns a source for a model in memory.
  public static func bytes(_ bytes: [UInt8]) -> ModelSource { ModelSource(.bytes(bytes)) }

  /// Returns a source for a model that is embedded in the program.
  package static func program(_ memory: ProgramMemory) -> ModelSource { ModelSource(.program(memory)) }

  /// Returns a source for the member of this bundle, a model or another bundle, with exactly this name.
  public func member(_ name: String) -> ModelSource {
    var source = self
    source.members.append(name)
    return source
  }

  /// The path of the file that contains the model or its bundle; `nil` for a model in memory, and for a URL that isn't
  /// a file URL.
  public var path: String? {
    switch origin {
    case .file(let path): path
    case .remoteURL, .bytes, .program: nil
    }
  }
}

/// Memory with constant contents for the lifetime of the program.
///
/// Unchecked `Sendable` because constants of the program cannot be modified. Two values are equal if they refer to the
/// same memory.
package struct ProgramMemory: @unchecked Sendable, Hashable {
  let bytes: UnsafeRawBufferPointer
  /// The name of the memory in messages.
  let name: String

  package init(_ bytes: UnsafeRawBufferPointer, name: String) {
    self.bytes = bytes
    self.name = name
  }

  package static func == (one: ProgramMemory, other: ProgramMemory) -> Bool {
    one.bytes.baseAddress == other.bytes.baseAddress && one.bytes.count == other.bytes.count
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes.baseAddress)
    hasher.combine(bytes.count)
  }
}

extension ModelSource: CustomStringConvertible {
  /// The name of the model in messages, such as `hand_landmarker.task/hand_detector.tflite`.
  public var description: String {
    let first =
      switch origin {
      case .file(let path): path
      case .remoteURL(let text): text
      case .bytes(let bytes): "\(bytes.count) bytes in memory"
      case .program(let memory): memory.name
      }
    return ([first] + members).joined(separator: "/")
  }
}

extension ModelSource {
  /// Returns the model, read and verified.
  ///
  /// Files that are not writable for anybody are mapped. Other files are copied, so that later changes have no effect.
  ///
  /// - Throws: `TaskError` if there is no such model, or it cannot be read.
  package func load() throws(TaskError) -> Model {
    guard members.isEmpty else { return try loadMember() }
    return try TaskError.wrapping {
      switch origin {
      case .file(let path): try Model(contentsOf: path)
      case .remoteURL: try Model(contentsOf: try filePath())
      case .bytes(let bytes): try Model(bytes: bytes)
      case .program(let memory): try Model(ByteRegion(owner: nil, bytes: memory.bytes))
      }
    }
  }

  /// Returns the model at the end of the path of members.
  private func loadMember() throws(TaskError) -> Model {
    let bytes = try bytes()
    return try TaskError.wrapping(as: .invalidModel, about: description) { try Model(bytes) }
  }

  /// Returns the bytes at the end of the path of members, of any format.
  ///
  /// - Throws: `TaskError` if there is no such file or member, or it cannot be read.
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

  /// Returns whether this bundle has a member with exactly this name.
  ///
  /// - Throws: `TaskError` if the file isn't a bundle, or cannot be read.
  package func hasMember(_ name: String) throws(TaskError) -> Bool {
    let bytes = try bytes()
    return try TaskError.wrapping(as: .invalidModel, about: description) { try TaskBundle(bytes).contains(name) }
  }

  private func outermostBytes() throws(TaskError) -> ByteRegion {
    switch origin {
    case .bytes(let bytes): return ByteRegion(bytes)
    case .program(let memory): return ByteRegion(owner: nil, bytes: memory.bytes)
    case .file, .remoteURL:
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
