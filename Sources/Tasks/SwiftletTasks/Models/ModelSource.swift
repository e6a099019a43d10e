#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
package import SwiftletBase
package import SwiftletEngine
import SwiftletSchema

/// The source of a model.
///
/// ```swift
/// let faces = ModelSource.file("face_detector.tflite")
/// let palms = ModelSource.file("hand_landmarker.task").member("hand_detector.tflite")
/// ```
/// `import SwiftletModels` adds `ModelSource.embedded(_:)`, the package's own models. Nothing is ever downloaded.
public struct ModelSource: Sendable, Hashable {
  /// Where the outermost bytes are.
  enum Origin: Sendable, Hashable {
    case file(String)
    case url(URL)
    case bytes([UInt8])
    case program(ProgramMemory)
  }

  let origin: Origin
  /// The names that lead from a bundle to the model in it, outermost first; empty for a model that is in no bundle.
  private(set) var members: [String] = []

  private init(_ origin: Origin) { self.origin = origin }

  /// A `.tflite` file, or a `.task` bundle to take a ``member(_:)`` from.
  public static func file(_ path: String) -> ModelSource { ModelSource(.file(path)) }

  /// A file by its URL; loading throws for a URL that is not a file's.
  public static func url(_ url: URL) -> ModelSource { ModelSource(.url(url)) }

  /// A model in memory.
  public static func bytes(_ bytes: [UInt8]) -> ModelSource { ModelSource(.bytes(bytes)) }

  /// A model that is a part of the program.
  package static func program(_ memory: ProgramMemory) -> ModelSource { ModelSource(.program(memory)) }

  /// The model, or the bundle, of exactly this name in this bundle.
  public func member(_ name: String) -> ModelSource {
    var source = self
    source.members.append(name)
    return source
  }

  /// The file that the model or its bundle is read from; `nil` for one in memory, and for a URL that is not a file's.
  public var path: String? {
    switch origin {
    case .file(let path): path
    case .url(let url): url.isFileURL ? url.path : nil
    case .bytes, .program: nil
    }
  }
}

/// Memory that holds the same bytes for as long as the program runs.
///
/// Unchecked `Sendable` because nobody can change constants of the program. Two are equal when they are the same
/// memory.
package struct ProgramMemory: @unchecked Sendable, Hashable {
  let bytes: UnsafeRawBufferPointer
  /// What the memory is called in messages.
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
      case .url(let url): url.isFileURL ? url.path : url.absoluteString
      case .bytes(let bytes): "\(bytes.count) bytes in memory"
      case .program(let memory): memory.name
      }
    return ([first] + members).joined(separator: "/")
  }
}

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
