/// A class that a classifier names, and how sure it is: what labels of objects and of pictures have in common.
open class ClassLabel: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked; it and its subclasses have constants only.

  /// The class's name, in the language asked for where the model has it; empty for models without names.
  public let text: String
  /// The position of the class in the classifier's output.
  public let index: Int
  /// The model's number, neither clamped nor made to add up; usually 0…1.
  public let confidence: Float

  package init(text: String, index: Int, confidence: Float) {
    self.text = text
    self.index = index
    self.confidence = confidence
  }

  /// Labels of one kind are equal when all of their values are.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? ClassLabel, type(of: other) == type(of: self) else { return false }
    return text == other.text && index == other.index && confidence == other.confidence
  }

  /// The same for labels that are equal.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(text)
    hasher.combine(index)
    hasher.combine(confidence)
    return hasher.finalize()
  }
}
