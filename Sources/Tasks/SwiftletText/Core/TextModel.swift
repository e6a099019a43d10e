import SwiftletBase
import SwiftletEngine
import SwiftletTasks

/// A task's model, ready to run on texts: a task model with the conversion of texts to its inputs.
///
/// - Thread safety: one caller at a time.
final class TextModel {
  /// The task model, which knows nothing of texts.
  let base: TaskModel
  private let input: any TextInput

  /// Creates a model from the model of a context.
  ///
  /// - Throws: `TaskError` for every problem with the options or the model.
  init(_ context: ModelContext) throws(TaskError) {
    let model = try context.load()
    let subgraphCount = model.file.subgraphs.count
    guard subgraphCount == 1 else {
      throw .invalidModel(
        "the model has \(subgraphCount) subgraphs, a text task's model has one; language models are not supported")
    }
    base = try TaskModel(model, context)
    input = try Self.input(of: base)
  }

  /// Converts the text and runs the model.
  ///
  /// - Throws: `TaskError` if the text or the run exceeds a limit.
  func run(_ text: String) throws {
    try input.write(text, to: base.session)
    try base.run()
  }

  /// Returns the conversion of texts to the inputs of a model.
  ///
  /// - Source: MediaPipe's rule for the kinds of text models.
  private static func input(of model: TaskModel) throws(TaskError) -> any TextInput {
    let inputs = model.inputs
    let types = Set(inputs.map(\.elementType))
    switch (types, inputs.count) {
    case ([.int32], 1): return try PatternWordInput(model)
    case ([.int32], 3): return try WordPieceInput(model)
    case ([.string], 1): return try StringInput(model)
    case ([.string], 3): return try SentenceEncoderInput(model)
    default:
      let found = SanitizedText.list(inputs.map(\.description))
      throw .invalidModel(
        "a text task's model has one or three inputs, all int32 or all strings, this one has \(inputs.count): \(found)")
    }
  }
}

/// The conversion of a text to a model's inputs.
///
/// - Thread safety: one caller at a time.
protocol TextInput: AnyObject {
  /// Fills the inputs of `session`.
  func write(_ text: String, to session: Session) throws
}

/// A single string input that accepts the text unchanged.
final class StringInput: TextInput {
  /// Creates the conversion.
  ///
  /// - Throws: `TaskError` if the input doesn't contain exactly one string.
  init(_ model: TaskModel) throws(TaskError) {
    try OneString.require(model)
  }

  func write(_ text: String, to session: Session) throws {
    try session.setStrings([text], at: 0)
  }
}

/// Three string inputs, as in the Universal Sentence Encoder: one for the text, and two that stay empty.
final class SentenceEncoderInput: TextInput {
  private let emptyInputs: [Int]
  private let textInput: Int

  /// Creates the conversion.
  ///
  /// - Throws: `TaskError` if the metadata doesn't name the inputs, or one doesn't contain exactly one string.
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

/// The requirements on the shapes of string inputs.
private enum OneString {
  /// Resizes inputs of another length to one element.
  ///
  /// - Throws: `TaskError` unless every input of the model can contain exactly one string.
  static func require(_ model: TaskModel) throws(TaskError) {
    guard !model.inputs.allSatisfy({ $0.shape.elementCount == 1 }) else { return }
    let shapes: [Shape] = model.inputs.map { $0.shape.rank == 1 ? [1] : $0.shape }
    if let other = zip(model.inputs, shapes).first(where: { $0.1.elementCount != 1 }) {
      throw .invalidModel("an input of a text model must contain one string, got \(other.0)")
    }
    try TaskError.wrapping(as: .invalidModel) { try model.session.resizeInputs(to: shapes) }
  }
}
