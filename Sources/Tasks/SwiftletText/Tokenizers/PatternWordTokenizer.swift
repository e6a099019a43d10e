import SwiftletSchema

/// Cuts a text into words where a pattern matches, and gives their numbers in a vocabulary.
///
/// Case is kept. Unlike MediaPipe, which ends a text at its first NUL, this one takes it as any other character.
///
/// One caller at a time.
///
/// - Source: MediaPipe's regex tokenizer and what it makes of the tokens for a model.
struct PatternWordTokenizer {
  private let delimiter: Delimiter
  private let vocabulary: Vocabulary
  /// What every text begins with, if the vocabulary has it.
  private let start: Int32?
  private let unknown: Int32
  private let padding: Int32

  /// - Throws: `TaskError` when the pattern cannot be read.
  init(delimiter pattern: String, vocabulary: Vocabulary) throws(TaskError) {
    delimiter = try Delimiter(pattern)
    self.vocabulary = vocabulary
    start = vocabulary["<START>"]
    unknown = vocabulary["<UNKNOWN>"] ?? 0
    padding = vocabulary["<PAD>"] ?? 0
  }

  /// - Throws: `TaskError` when the metadata lacks something, a file of it is damaged, or the pattern cannot be read.
  init(_ metadata: PatternTokenizer, of model: TaskModel) throws(TaskError) {
    guard let pattern = metadata.delimiter else {
      throw TaskError(.missingMetadata, "the model's metadata names a regex tokenizer, but no pattern for it")
    }
    let (file, name) = try Vocabulary.file(metadata.vocabulary, of: model)
    try self.init(delimiter: pattern, vocabulary: try Vocabulary(numberedLines: file, name: name))
  }

  /// Writes the numbers of a text's first words, as many as there is room for, and fills up what is left.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) when cutting the text takes too long.
  func write(
    _ text: UnsafeBufferPointer<UInt8>, to ids: UnsafeMutableBufferPointer<Int32>
  ) throws(TaskError) {
    var count = 0
    func add(_ id: Int32) -> Bool {
      guard count < ids.count else { return false }
      ids[count] = id
      count += 1
      return count < ids.count
    }
    let hasRoom = start.map(add) ?? !ids.isEmpty
    if hasRoom {
      try delimiter.forEachWord(of: text) { [vocabulary, unknown] word in add(vocabulary[word] ?? unknown) }
    }
    for index in count..<ids.count { ids[index] = padding }
  }
}
