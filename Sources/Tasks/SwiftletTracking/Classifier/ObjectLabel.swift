/// What an object may be, and how sure the classifier is.
public struct ObjectLabel: Sendable, Hashable {
  /// The class's name, in the language asked for where the model has it; empty for models without names.
  public var text: String
  /// The position of the class in the classifier's output.
  public var index: Int
  /// The model's number, neither clamped nor made to add up; usually 0…1.
  public var confidence: Float

  /// A label with its confidence.
  public init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }
}
