public import Foundation

/// An option of the tracker that has no meaning, or a frame without a size.
///
/// `code` is for programs, `message` for people: it says which value was given, what was expected and what to do.
public struct TrackingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault. More may be added, so compare with `==` and keep a default branch.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String

    /// A kind of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A value of `TrackingOptions` is out of its range, or contradicts another.
    public static let invalidOption = Code(rawValue: "invalidOption")
    /// The frame's width or height is not a positive number of pixels, or is beyond `BoxTracker.maxFrameSide`.
    public static let invalidFrameSize = Code(rawValue: "invalidFrameSize")

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// The kind of error, to branch on.
  public let code: Code
  /// What is wrong, and what to do.
  public let message: String

  /// An error of a kind, with a message that says what was expected and what was found.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The kind and the message.
  public var description: String { "\(code): \(message)" }
}

extension TrackingError: LocalizedError {
  /// The message.
  public var errorDescription: String? { message }
}
