#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
import SwiftletBase

/// What went wrong while a picture file was read or written.
public struct ImageCodecError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault. More may be added, so compare with `==` and keep a default branch.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String

    /// A kind of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// The file does not exist, cannot be opened, or is a folder.
    public static let unreadableFile = Code(rawValue: "unreadableFile")
    /// The bytes are no picture, or one of a format that is not read here.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// The bytes end before the picture does.
    public static let truncated = Code(rawValue: "truncated")
    /// The bytes contradict their format.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The picture, or the file, is larger than ``ImageDecoderLimits`` allow.
    public static let limitExceeded = Code(rawValue: "limitExceeded")
    /// There is no memory left.
    public static let outOfResources = Code(rawValue: "outOfResources")
    /// A parameter makes no sense, such as a quality of 0.
    public static let invalidParameter = Code(rawValue: "invalidParameter")

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// The kind of error, to branch on.
  public let code: Code
  /// What is wrong, and what to do.
  public let message: String
  /// The file, where one was named.
  public let path: String?

  /// An error of a kind, with a message that says what was expected and what was found.
  public init(code: Code, message: String, path: String? = nil) {
    self.code = code
    self.message = message.shown
    self.path = path
  }

  /// The kind, the file if it is known, and the message.
  public var description: String {
    if let path { "\(code): \(path.excerpt): \(message)" } else { "\(code): \(message)" }
  }

  /// The file if it is known, and the message.
  public var errorDescription: String? { path.map { "\($0.excerpt): \(message)" } ?? message }

  /// Returns the result of `body`; an error of pixels becomes one of the codecs.
  static func wrapping<Value>(_ body: () throws -> Value) throws(ImageCodecError) -> Value {
    do {
      return try body()
    } catch let error as ImageCodecError {
      throw error
    } catch {
      throw ImageCodecError(code: .limitExceeded, message: "\(error)")
    }
  }

  func naming(_ path: String) -> ImageCodecError {
    ImageCodecError(code: code, message: message, path: path)
  }
}
