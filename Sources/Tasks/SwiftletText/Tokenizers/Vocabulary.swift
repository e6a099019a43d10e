import SwiftletBase
import SwiftletSchema

/// The vocabulary of a model: its words with their IDs.
///
/// Words are looked up by their bytes, without allocating memory. If a word occurs several times, the last entry
/// counts.
struct Vocabulary: Sendable {
  private struct Entry: Sendable {
    /// The bytes of the word in the file.
    var bytes: Range<Int>
    var id: Int32
  }

  private let file: [UInt8]
  private var entries: [Entry] = []
  /// A hash table with the indices of entries; -1 for empty slots. At most half of the slots are used.
  private var slots: [Int32] = []
  /// The length of the longest word, in bytes.
  private(set) var maximumWord = 0

  /// Creates a vocabulary from a file with one word per line. The ID of a word is the number of its line, not counting
  /// empty lines.
  ///
  /// - Throws: `TaskError` if the file has no words, or too many.
  init(lines file: ByteRegion, name: String) throws(TaskError) {
    try self.init(file, name: name) { (_, bytes, count) throws(TaskError) in (bytes, Int32(count)) }
  }

  /// Creates a vocabulary from a file whose lines have a word, a space, and its ID. Text after another space is
  /// ignored.
  ///
  /// - Throws: `TaskError` if the file has no words, or too many, and for malformed lines.
  init(numberedLines file: ByteRegion, name: String) throws(TaskError) {
    try self.init(file, name: name) { (file, bytes, count) throws(TaskError) in
      let fields = file[bytes].split(separator: UInt8(ascii: " "), maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count > 1, let id = Int32(String(decoding: fields[1], as: UTF8.self)), id >= 0 else {
        throw .invalidModel(
          "line \(count + 1) of the vocabulary \"\(name.excerpt)\" must be a word, a space and the word's number, got \"\(String(decoding: file[bytes].prefix(80), as: UTF8.self))\""
        )
      }
      return (fields[0].startIndex..<fields[0].endIndex, id)
    }
  }

  /// Creates a vocabulary.
  ///
  /// - Parameter entry: Returns the word and the ID of a nonempty line, given the number of nonempty lines before it.
  private init(
    _ region: ByteRegion, name: String,
    entry: (_ file: [UInt8], _ line: Range<Int>, _ count: Int) throws(TaskError) -> (Range<Int>, Int32)
  ) throws(TaskError) {
    file = [UInt8](region.bytes.prefix(LabelFile.longest + 1))
    withExtendedLifetime(region) {}
    guard file.count <= LabelFile.longest else {
      throw TaskError(
        .limitExceeded,
        "the vocabulary \"\(name.excerpt)\" has \(region.count) bytes; the limit is \(LabelFile.longest)")
    }
    var start = 0
    var steps = StepCounter(every: 1024)
    while start < file.count {
      try steps.step()
      var end = file[start...].firstIndex(of: UInt8(ascii: "\n")) ?? file.count
      let next = end + 1
      if end > start {
        if file[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        guard entries.count < LabelFile.maximumLines else {
          throw TaskError(
            .limitExceeded,
            "the vocabulary \"\(name.excerpt)\" has more words than \(LabelFile.maximumLines), the limit")
        }
        let (word, id) = try entry(file, start..<end, entries.count)
        entries.append(Entry(bytes: word, id: id))
        maximumWord = max(maximumWord, word.count)
      }
      start = next
    }
    guard !entries.isEmpty else { throw .invalidModel("the vocabulary \"\(name.excerpt)\" has no words") }
    fillSlots()
  }

  private mutating func fillSlots() {
    var size = 4
    while size < 2 * entries.count { size *= 2 }
    slots = [Int32](repeating: -1, count: size)
    file.withUnsafeBufferPointer { file in
      for (index, entry) in entries.enumerated() {
        let slot = slot(of: UnsafeBufferPointer(rebasing: file[entry.bytes]), in: file)
        slots[slot] = Int32(index)
      }
    }
  }

  /// Returns the slot of a word, whether it is present or not.
  ///
  /// The hash has a different seed in every process, so that a file cannot be crafted for collisions.
  private func slot(of word: UnsafeBufferPointer<UInt8>, in file: UnsafeBufferPointer<UInt8>) -> Int {
    var hasher = Hasher()
    hasher.combine(bytes: UnsafeRawBufferPointer(word))
    var slot = hasher.finalize() & (slots.count - 1)
    while slots[slot] >= 0, !word.elementsEqual(file[entries[Int(slots[slot])].bytes]) {
      slot = (slot + 1) & (slots.count - 1)
    }
    return slot
  }

  /// The ID of a word; `nil` for an unknown word.
  subscript(_ word: UnsafeBufferPointer<UInt8>) -> Int32? {
    guard word.count <= maximumWord else { return nil }
    return file.withUnsafeBufferPointer { file in
      let entry = slots[slot(of: word, in: file)]
      return entry < 0 ? nil : entries[Int(entry)].id
    }
  }

  /// The ID of a word; `nil` for an unknown word.
  subscript(_ word: String) -> Int32? {
    var word = word
    return word.withUTF8 { self[$0] }
  }
}

extension Vocabulary {
  /// Returns the bytes and the name of the first of a tokenizer's files.
  ///
  /// - Throws: `TaskError`: `missingMetadata` if the tokenizer refers to no file, or to one that is not in the model,
  ///   `limitExceeded` if there is no room for its words.
  static func file(_ files: [AssociatedFile], of model: TaskModel) throws(TaskError) -> (ByteRegion, String) {
    guard let name = files.first?.name else {
      throw TaskError(.missingMetadata, "the model's metadata names a tokenizer, but no vocabulary for it")
    }
    let bytes = try TaskError.wrapping(
      as: .invalidModel, missingMember: .missingMetadata, about: "the model's vocabulary"
    ) {
      try (model.files ?? .empty).contents(of: name, atMost: LabelFile.longest)
    }
    let lineCount = bytes.withBytes { bytes in bytes.count { $0 == UInt8(ascii: "\n") } } + 1
    // Each entry has at most four slots.
    let byteCount = MemoryLayout<Entry>.stride + 4 * MemoryLayout<Int32>.stride
    try model.results.keep(lineCount, each: byteCount, for: "vocabularies")
    try model.results.keep(bytes.count, for: "vocabularies")
    return (bytes, name)
  }
}

/// A regex tokenizer: splits a text where a pattern matches, and returns the token IDs.
///
/// Case is preserved. Unlike in MediaPipe, where a text ends at its first NUL, NUL is an ordinary character.
///
/// - Thread safety: one caller at a time.
///
/// - Source: MediaPipe's regex tokenizer, and its conversion of tokens to a model's input.
struct PatternWordTokenizer {
  private let delimiter: Delimiter
  private let vocabulary: Vocabulary
  /// The token that starts every text, if the vocabulary has it.
  private let start: Int32?
  private let unknown: Int32
  private let padding: Int32

  /// Creates a tokenizer.
  ///
  /// - Throws: `TaskError` if the pattern is invalid.
  init(delimiter pattern: String, vocabulary: Vocabulary) throws(TaskError) {
    delimiter = try Delimiter(pattern)
    self.vocabulary = vocabulary
    start = vocabulary["<START>"]
    unknown = vocabulary["<UNKNOWN>"] ?? 0
    padding = vocabulary["<PAD>"] ?? 0
  }

  /// Creates a tokenizer from metadata.
  ///
  /// - Throws: `TaskError` if the metadata is incomplete, one of its files is damaged, or the pattern is invalid.
  init(_ metadata: PatternTokenizer, of model: TaskModel) throws(TaskError) {
    guard let pattern = metadata.delimiter else {
      throw TaskError(.missingMetadata, "the model's metadata names a regex tokenizer, but no pattern for it")
    }
    let (file, name) = try Vocabulary.file(metadata.vocabulary, of: model)
    try self.init(delimiter: pattern, vocabulary: try Vocabulary(numberedLines: file, name: name))
  }

  /// Writes the token IDs of a text, truncated to the size of `ids` or padded.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if the tokenizer takes too long.
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
