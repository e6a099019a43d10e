/// The range of confidences and overlaps that options of tasks take.
enum ConfidenceOption {
  /// - Parameter name: the option's, for the message.
  /// - Throws: `TaskError` (`invalidOption`) unless the value is in 0…1.
  static func check(_ value: Float, _ name: String) throws(TaskError) {
    guard (0...1).contains(value) else {
      throw TaskError(.invalidOption, "\(name) is \(value), it must be in 0...1")
    }
  }
}
