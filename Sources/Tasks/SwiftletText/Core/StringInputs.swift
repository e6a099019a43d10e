import SwiftletEngine
import SwiftletTasks

/// One input that takes the text as it is.
final class StringInput: TextInput {
  /// - Throws: `TaskError` when the input does not hold one string.
  init(_ model: TaskModel) throws(TaskError) {
    try OneString.require(model)
  }

  func write(_ text: String, to session: Session) throws {
    try session.setStrings([text], at: 0)
  }
}

/// Three inputs of which one takes the text and two stay empty, as the universal sentence encoder has them.
final class SentenceEncoderInput: TextInput {
  private let emptyInputs: [Int]
  private let textInput: Int

  /// - Throws: `TaskError` when the metadata does not say which input is which, or one does not hold one string.
  init(_ model: TaskModel) throws(TaskError) {
    let positions = try NamedInputs.positions(of: ["inp_text", "res_context", "res_text"], in: model)
    (emptyInputs, textInput) = ([positions[0], positions[1]], positions[2])
    try OneString.require(model)
  }

  func write(_ text: String, to session: Session) throws {
    for index in emptyInputs { try session.setStrings([""], at: index) }
    try session.setStrings([text], at: textInput)
  }
}

/// What is demanded of the shapes of inputs of strings.
private enum OneString {
  /// Gives vectors of another length one element.
  ///
  /// - Throws: `TaskError` unless every input of the model can hold exactly one string.
  static func require(_ model: TaskModel) throws(TaskError) {
    guard !model.inputs.allSatisfy({ $0.shape.elementCount == 1 }) else { return }
    let shapes: [Shape] = model.inputs.map { $0.shape.rank == 1 ? [1] : $0.shape }
    if let other = zip(model.inputs, shapes).first(where: { $0.1.elementCount != 1 }) {
      throw .invalidModel("an input of a text model must hold one string, got \(other.0)")
    }
    try TaskError.wrapping(as: .invalidModel) { try model.session.resizeInputs(to: shapes) }
  }
}
