import SwiftletBase
import SwiftletEngine
import SwiftletTasks

/// A text task's model, ready to run on texts: what every task's model has, and the conversion of texts to its inputs.
///
/// One caller at a time.
final class TextModel {
  /// The model without its texts.
  let base: TaskModel
  private let input: any TextInput

  /// - Throws: `TaskError` for everything that is wrong with the options or the model.
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
  /// - Throws: `TaskError` when the text or a run takes more than it may.
  func run(_ text: String) throws {
    try input.write(text, to: base.session)
    try base.run()
  }

  /// What the model takes.
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

/// How a text becomes a model's inputs.
///
/// - Thread safety: one caller at a time.
protocol TextInput: AnyObject {
  /// Fills the inputs of `session`.
  func write(_ text: String, to session: Session) throws
}

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
