import SwiftletBase

/// A WordPiece tokenizer: splits a text into word pieces, and returns the token IDs.
///
/// ASCII letters are lowercased, others are not changed. The text is split at ASCII whitespace, and every punctuation
/// mark and ideograph is a word of its own. Each word is split from left to right into the longest pieces in the
/// vocabulary; continuation pieces start with `##`. Words of more than 100 bytes, and words that cannot be split, map
/// to the unknown token.
///
/// - Source: MediaPipe's BERT tokenizer. Unlike there, a text does not end at its first NUL.
struct WordPieceTokenizer: Sendable {
  /// The maximum length of a word that is split, in bytes.
  private static let maximumWord = 100
  private static let hash = UInt8(ascii: "#")

  private let vocabulary: Vocabulary
  /// The token that starts every text.
  let classifier: Int32
  /// The token that ends every text.
  let separator: Int32
  private let unknown: Int32

  init(vocabulary: Vocabulary) {
    self.vocabulary = vocabulary
    classifier = vocabulary["[CLS]"] ?? 0
    separator = vocabulary["[SEP]"] ?? 0
    unknown = vocabulary["[UNK]"] ?? 0
  }

  /// Appends the token IDs of a text.
  ///
  /// - Parameter limit: The maximum number of tokens.
  /// - Throws: `TaskError` after the deadline of the call.
  func append(_ text: UnsafeBufferPointer<UInt8>, limit: Int, to ids: inout [Int32]) throws(TaskError) {
    var steps = StepCounter()
    // For models with dynamic length, the limit is the largest integer, so avoid an overflow.
    let limit = ids.count + min(max(0, limit), .max - ids.count)
    var (start, position) = (0, 0)
    while position < text.count, ids.count < limit {
      let (scalar, length) = UTF8Scalars.scalar(in: text, at: position)
      let isSpace = Self.isSpace(scalar)
      // A word may be looked up once for each of its bytes, so count steps by its length.
      let wordLength = min(position - start, Self.maximumWord)
      try steps.step(1 + wordLength / 8)
      if isSpace || Self.isWord(scalar) {
        append(word: UnsafeBufferPointer(rebasing: text[start..<position]), to: &ids)
        start = position + length
        if !isSpace { append(word: UnsafeBufferPointer(rebasing: text[position..<start]), to: &ids) }
      }
      position += length
    }
    if ids.count < limit { append(word: UnsafeBufferPointer(rebasing: text[start..<position]), to: &ids) }
    if ids.count > limit { ids.removeLast(ids.count - limit) }
  }

  /// Appends the token IDs of a word.
  private func append(word: UnsafeBufferPointer<UInt8>, to ids: inout [Int32]) {
    guard !word.isEmpty else { return }
    guard word.count <= Self.maximumWord else {
      ids.append(unknown)
      return
    }
    let first = ids.count
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 + word.count) { letters in
      letters[0] = Self.hash
      letters[1] = Self.hash
      for (index, byte) in word.enumerated() { letters[2 + index] = Self.lowercased(byte) }
      var start = 2
      while start < letters.count {
        // Write the continuation mark over letters that are already processed.
        let pieceStart = start == 2 ? 2 : start - 2
        if start > 2 { (letters[start - 2], letters[start - 1]) = (Self.hash, Self.hash) }
        guard let (end, id) = maximumPiece(letters, from: pieceStart, behind: start) else {
          ids.removeLast(ids.count - first)
          ids.append(unknown)
          return
        }
        ids.append(id)
        start = end
      }
    }
  }

  /// Returns the end and the ID of the longest piece that begins at `start` and extends beyond `least`.
  private func maximumPiece(
    _ letters: UnsafeMutableBufferPointer<UInt8>, from start: Int, behind least: Int
  ) -> (end: Int, id: Int32)? {
    var end = min(letters.count, start + vocabulary.maximumWord)
    while end > least {
      // Pieces end at character boundaries.
      if end == letters.count || letters[end] & 0xC0 != 0x80,
        let id = vocabulary[UnsafeBufferPointer(rebasing: letters[start..<end])]
      {
        return (end, id)
      }
      end -= 1
    }
    return nil
  }

  // MARK: Characters

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
  }

  private static func isSpace(_ scalar: UInt32) -> Bool {
    scalar == 0x20 || scalar == 0x09 || scalar == 0x0A || scalar == 0x0C || scalar == 0x0D
  }

  /// Returns whether a character is a word of its own.
  private static func isWord(_ scalar: UInt32) -> Bool {
    if scalar < 0x80 {
      return switch scalar {
      case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
      default: false
      }
    }
    return switch scalar {
    case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
      true
    default: isPunctuation(scalar)
    }
  }

  private static func isPunctuation(_ scalar: UInt32) -> Bool {
    switch Unicode.Scalar(scalar)?.properties.generalCategory {
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation,
      .finalPunctuation, .otherPunctuation:
      true
    default: false
    }
  }
}
