import SwiftletEngine
import SwiftletSchema

/// SKIP_GRAM: sequences of words in a text that are adjacent or separated by a limited number of words.
///
/// - Shapes: a text in one string, or in the first of several; output `[sequences]`, each with its words separated by
///   spaces.
/// - Throws: `limitExceeded` in a run if the sequences take more bytes than a tensor may contain, or far more than the
///   text.
/// - Source: operator 30 of the model format. If a text begins with a space, the reference removes everything before
///   the next space, or nothing if there is none. This operator does the same.
struct SkipGramOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.skipGram, versions: 1...1, types: .one(.string, to: .string))
  }

  private let size: Int
  private let largestSkip: Int
  private let includesShorter: Bool

  /// The maximum number of bytes in all sequences per byte of text, which allows hundreds of sequences per word. A
  /// short text is treated as having `fewestBytes` bytes.
  private static let maximumBytesPerByte = 1 << 10
  private static let fewestBytes = 1 << 10

  /// The time to assemble a byte of a sequence in nanoseconds.
  private static let workPerByte = 5.0

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 1...1)
    size = try node.options[SkipGramOptions.ngramSize]
    largestSkip = try node.options[SkipGramOptions.maximumSkipSize]
    includesShorter = try node.options[SkipGramOptions.includeAllNgrams]
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    let text = try call.firstString(try call.arguments()[0]) ?? []
    let words = Self.words(text)
    var output: [UInt64] = []
    // Equal strings are stored once, but all of them are created.
    let most = min(call.limits.tensorBytes, max(text.count, Self.fewestBytes) * Self.maximumBytesPerByte)
    var room = most
    // With fewer words than requested, there is no result, even if shorter sequences are included.
    if size > 0, words.count >= size {
      try forEachSequence(words.count) { positions in
        let sequence = [UInt8](positions.map { words[$0] }.joined(separator: [UInt8(ascii: " ")]))
        room -= sequence.count + MemoryLayout<UInt64>.size
        guard room >= 0 else {
          throw RuntimeError(
            .limitExceeded,
            "gives strings of more than \(most) bytes: a byte of text may become \(Self.maximumBytesPerByte), as far as RuntimeOptions.limits.tensorBytes allows",
            location: call.location)
        }
        try call.check()
        try call.spend(ControlCall.workPerString + Double(sequence.count) * Self.workPerByte)
        output.append(try call.number(of: sequence))
      }
    }
    return [try call.result(0, shape: [output.count], output)]
  }

  /// Returns the words separated by white space.
  static func words(_ text: [UInt8]) -> [ArraySlice<UInt8>] {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }
    var words: [ArraySlice<UInt8>] = []
    var start = 0
    for position in text.indices.dropFirst() where isSpace(text[position]) {
      if position > start, !isSpace(text[start]) { words.append(text[start..<position]) }
      start = position + 1
    }
    if start < text.count { words.append(text[start...]) }
    return words
  }

  /// Calls `body` with the word positions of every sequence, ordered by the first word, then by the second, and so on.
  /// A sequence comes after the sequences that extend it.
  private func forEachSequence(_ wordCount: Int, _ body: ([Int]) throws -> Void) rethrows {
    for first in 0..<wordCount {
      // The words so far, and for each the next candidate after it.
      var sequence = [first], next = [first + 1]
      while let last = sequence.last, let candidate = next.last {
        // If only complete sequences count, skip words that leave too few after them.
        let missing = includesShorter ? 1 : size - sequence.count
        if sequence.count < size, candidate - last <= largestSkip + 1, wordCount - candidate >= missing {
          next[next.count - 1] += 1
          sequence.append(candidate)
          next.append(candidate + 1)
        } else {
          if includesShorter || sequence.count == size { try body(sequence) }
          sequence.removeLast()
          next.removeLast()
        }
      }
    }
  }
}
