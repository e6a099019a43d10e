import SwiftletEngine
import SwiftletSchema

/// SKIP_GRAM: sequences of words of a text that follow each other, or nearly so.
///
/// - Shapes: a text in one string, or in the first of several; output `[sequences]`, each of words with a space between
///   them.
/// - Throws: `limitExceeded` in a run when the sequences take more bytes than a tensor may hold, or far more than the
///   text.
/// - Source: operator 30 of the model format. Of a text that begins with a space, the reference leaves out what stands
///   before the next one, and takes the text as it is where there is none; so does this.
struct SkipGramOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(.skipGram, versions: 1...1, types: .one(.string, to: .string))
  }

  private let size: Int
  private let largestSkip: Int
  private let includesShorter: Bool

  /// Bytes of all sequences that a byte of text may become: hundreds of sequences from each word on. Texts of few bytes
  /// may become as much as one of `fewestBytes`.
  private static let maximumBytesPerByte = 1 << 10
  private static let fewestBytes = 1 << 10

  /// What it takes to put a byte of a sequence together, in nanoseconds.
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
    // Equal strings are stored once, but all are made.
    let most = min(call.limits.tensorBytes, max(text.count, Self.fewestBytes) * Self.maximumBytesPerByte)
    var room = most
    // Fewer words than asked for give nothing, also where shorter sequences are wanted.
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

  /// Returns the words between white space.
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

  /// Calls `body` with the positions of the words of every sequence: by the first word, then by the second and so on, a
  /// sequence behind those that go on from it.
  private func forEachSequence(_ wordCount: Int, _ body: ([Int]) throws -> Void) rethrows {
    for first in 0..<wordCount {
      // The words so far, and for each the next one to try behind it.
      var sequence = [first], next = [first + 1]
      while let last = sequence.last, let candidate = next.last {
        // Where only whole sequences count, words that leave too few behind them are not tried.
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
