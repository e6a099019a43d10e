#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Where a model comes from.
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
  /// What the model is called in messages, such as `hand_landmarker.task/hand_detector.tflite`.
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
