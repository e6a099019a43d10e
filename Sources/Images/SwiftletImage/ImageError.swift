/// An error of an image, its layout, or a conversion.
///
/// Use `code` in programs. The `message` is for people: it describes the requested operation, the expected and actual
/// values, and the fix.
public struct ImageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of error. More kinds may be added, so compare with `==` and keep a default branch.
  public struct Code: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
    /// The name of the kind.
    public let rawValue: String

    /// Creates a kind with this name.
    public init(rawValue: String) {
      self.rawValue = rawValue
    }

    /// A width, height, or byte count is zero, negative, or too large for the library.
    public static let invalidSize = Code(rawValue: "invalidSize")
    /// The rows are shorter than their pixels, or overlap.
    public static let invalidStride = Code(rawValue: "invalidStride")
    /// There are fewer bytes than the layout requires.
    public static let tooFewBytes = Code(rawValue: "tooFewBytes")
    /// The operation doesn't support the pixel format.
    public static let unsupportedFormat = Code(rawValue: "unsupportedFormat")
    /// A rectangle is empty, contains NaN, or is too far outside the image.
    public static let invalidRegion = Code(rawValue: "invalidRegion")
    /// A mean, standard deviation, scale, or another parameter is invalid.
    public static let invalidParameter = Code(rawValue: "invalidParameter")

    /// The name of the kind.
    public var description: String { rawValue }
  }

  /// The kind of error, for code that handles it.
  public let code: Code
  /// A message that describes the problem and the fix.
  public let message: String

  /// Creates an error of a kind, with a message that describes the expected and actual values.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// The kind and the message.
  public var description: String { "\(code): \(message)" }
}
