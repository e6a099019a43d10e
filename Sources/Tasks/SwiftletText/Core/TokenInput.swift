import SwiftletBase
import SwiftletEngine
import SwiftletSchema
import SwiftletTasks

/// A single input of token IDs from a regex tokenizer.
final class PatternWordInput: TextInput {
  private let tokenizer: PatternWordTokenizer

  /// Creates the conversion.
  ///
  /// - Throws: `TaskError` if the metadata specifies no tokenizer, or one that is not supported.
  init(_ model: TaskModel) throws(TaskError) {
    try TokenShape.check(model.inputs, shortest: 1)
    let units = model.metadata?.inputs.first?.processUnits ?? []
    let found = units.lazy.compactMap { unit in
      if case .patternTokenizer(let tokenizer) = unit { tokenizer } else { nil }
    }.first
    guard let found else {
      let isSentencePiece = (units + (model.metadata?.inputProcessUnits ?? [])).contains(.sentencePieceTokenizer)
      guard isSentencePiece else {
        throw TaskError(
          .missingMetadata,
          "the model takes token IDs, but its metadata has no regex tokenizer for its input; add one with its vocabulary"
        )
      }
      throw TaskError(.unsupportedModel, Self.sentencePieceMessage)
    }
    tokenizer = try PatternWordTokenizer(found, of: model)
  }

  static let sentencePieceMessage =
    "the model uses a SentencePiece tokenizer, which is not supported; models with a regex or BERT tokenizer, and models with string inputs, are"

  func write(_ text: String, to session: Session) throws {
    var text = text
    try text.withUTF8 { text in
      try session.withInput(0, as: Int32.self) { try tokenizer.write(text, to: $0) }
    }
  }
}

/// The three inputs of BERT: the token IDs, the segment IDs, and the mask.
final class WordPieceInput: TextInput {
  private let tokenizer: WordPieceTokenizer
  private let idsInput: Int
  private let segmentsInput: Int
  private let maskInput: Int
  /// The number of tokens; `nil` for a model with dynamic length.
  private let length: Int?
  private var ids: [Int32] = []

  /// Creates the conversion.
  ///
  /// - Throws: `TaskError` if the metadata specifies no tokenizer or doesn't name the inputs, or if the tokenizer is
  ///   not supported.
  init(_ model: TaskModel) throws(TaskError) {
    guard let unit = model.metadata?.inputProcessUnits.first else {
      throw TaskError(
        .missingMetadata,
        "the model takes WordPiece token IDs, but its metadata has no BERT tokenizer for its inputs; add one with its vocabulary"
      )
    }
    switch unit {
    case .wordPieceTokenizer(let vocabulary):
      let (file, name) = try Vocabulary.file(vocabulary, of: model)
      tokenizer = WordPieceTokenizer(vocabulary: try Vocabulary(lines: file, name: name))
    case .sentencePieceTokenizer: throw TaskError(.unsupportedModel, PatternWordInput.sentencePieceMessage)
    default:
      throw TaskError(
        .unsupportedModel, "the model has three inputs, so the first process unit of them must be a BERT tokenizer")
    }
    let positions = try NamedInputs.positions(of: ["ids", "segment_ids", "mask"], in: model)
    (idsInput, segmentsInput, maskInput) = (positions[0], positions[1], positions[2])
    let open = model.inputs.count { ($0.shapeSignature?.last ?? 0) < 0 }
    guard open == 0 || open == model.inputs.count else {
      throw .invalidModel("some of the model's inputs have an open length and others do not")
    }
    length = open == 0 ? model.inputs[0].shape.dimensions.last : nil
    try TokenShape.check(model.inputs, shortest: open == 0 ? 2 : 0)
  }

  func write(_ text: String, to session: Session) throws {
    ids.removeAll(keepingCapacity: true)
    ids.append(tokenizer.classifier)
    var text = text
    try text.withUTF8 { try tokenizer.append($0, limit: length.map { $0 - 2 } ?? .max, to: &ids) }
    ids.append(tokenizer.separator)
    if length == nil { try session.resizeInputs(to: [Shape](repeating: [1, ids.count], count: 3)) }
    try session.withInput(idsInput, as: Int32.self) { memory in
      for index in memory.indices { memory[index] = index < ids.count ? ids[index] : 0 }
    }
    try session.withInput(maskInput, as: Int32.self) { memory in
      for index in memory.indices { memory[index] = index < ids.count ? 1 : 0 }
    }
    try session.withInput(segmentsInput, as: Int32.self) { $0.update(repeating: 0) }
  }
}

/// The requirements on the shapes of token inputs.
private enum TokenShape {
  /// Checks the shapes of token inputs.
  ///
  /// - Throws: `TaskError` unless all inputs are `[1, n]` with the same `n`.
  static func check(_ inputs: [TensorSpec], shortest: Int) throws(TaskError) {
    for input in inputs {
      guard input.shape.rank == 2, input.shape[0] == 1, input.shape[1] >= shortest, input.shape == inputs[0].shape
      else {
        throw .invalidModel(
          "the inputs of a text model must all be of the same shape [1, n] with n of \(shortest) or more, got \(input)")
      }
    }
  }
}

/// Looks up inputs by their names in the metadata.
enum NamedInputs {
  /// Returns the indices of the named inputs.
  ///
  /// - Throws: `TaskError` (`missingMetadata`) unless each name belongs to a different input.
  static func positions(of names: [String], in model: TaskModel) throws(TaskError) -> [Int] {
    let known = (model.metadata?.inputs ?? []).prefix(model.inputs.count).map(\.name)
    let positions = names.compactMap { name in known.firstIndex(of: name) }
    guard positions.count == names.count else {
      throw TaskError(
        .missingMetadata,
        "the model's metadata must name its inputs \(names.joined(separator: ", ")), got \(SanitizedText.list(known.map { $0 ?? "none" }))"
      )
    }
    return positions
  }
}
