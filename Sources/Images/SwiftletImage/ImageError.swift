/// An error of an image, its layout, or a conversion.
///
/// `code` is for programs, `message` for people: it says what was asked, what was expected, what was received, and
/// what to do about it.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of fault. More may be added, so compare with `==` and keep a default branch.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind of this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// Width, height or a byte count is zero, negative, or beyond what the library handles.
    public static let invalidSize = Code(rawValue: "invalidSize")
    /// Rows are shorter than their pixels, or overlap.
    public static let invalidStride = Code(rawValue: "invalidStride")
    /// Fewer bytes were given than the layout describes.
    public static let tooFewBytes = Code(rawValue: "tooFewBytes")
    /// The pixel format is none of those the operation accepts.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// A rectangle is empty, not a number, or too far outside the image.
    public static let invalidRegion = Code(rawValue: "invalidRegion")
    /// Mean, standard deviation, scale or another parameter makes no sense.
    public static let invalidParameter = Code(rawValue: "invalidParameter")

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// The kind of error, to branch on.
  public let code: Code
  /// A message that says what is wrong and what to do.
  public let message: String

  /// Creates an error of a kind, with a message that says what was expected and what was found.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The kind and the message.
  public var description: String { "\(code): \(message)" }
}
