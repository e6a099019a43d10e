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
      let found = ShownText.list(inputs.map(\.description))
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
