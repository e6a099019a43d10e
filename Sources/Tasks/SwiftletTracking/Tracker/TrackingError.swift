/// An option of the tracker that has no meaning, or a frame without a size.
///
/// `code` is for programs, `message` for people: it says which value was given, what was expected and what to do.
public struct TrackingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault. More may be added, so compare with `==` and keep a default branch.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A value of `TrackingOptions` is out of its range, or contradicts another.
    public static let invalidOption = Code(rawValue: "invalidOption")
    /// The frame's width or height is not a positive number of pixels, or is beyond `BoxTracker.maxFrameSide`.
    public static let invalidFrameSize = Code(rawValue: "invalidFrameSize")

    public var description: String { rawValue }
  }

  public let code: Code
  public let message: String

  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  public var description: String { "\(code): \(message)" }
}
