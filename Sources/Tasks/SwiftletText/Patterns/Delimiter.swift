import SwiftletBase

/// What separates the words of a text: a regular expression.
///
/// One caller at a time.
struct Delimiter {
  private enum Search {
    /// The pattern is one set of characters, or any number of them.
    case set(ScalarSet)
    case pattern(PatternMatcher)
  }

  private let search: Search

  /// - Parameter maximumSteps: what the searches in one text may take.
  /// - Throws: `TaskError` when the pattern cannot be read, or may match nothing, which separates no words.
  init(_ pattern: String, maximumSteps: Int = PatternMatcher.maximumSteps) throws(TaskError) {
    let node = try PatternParser.parse(pattern)
    guard !node.matchesNothing else {
      throw .invalidModel(
        "the tokenizer's pattern \"\(pattern.excerpt)\" also matches no characters, so it separates no words")
    }
    search =
      switch node {
      case .set(let set), .repetition(.set(let set), least: 1, most: nil, isGreedy: _): .set(set)
      default: .pattern(PatternMatcher(try PatternProgram(node), maximumSteps: maximumSteps))
      }
  }

  /// Calls `body` with the bytes of every word, until it gives false. Between two delimiters that touch there is none.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if the search takes too long, and after the deadline of the call.
  func forEachWord(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(TaskError) {
    switch search {
    case .set(let set): try Self.forEachWord(of: text, between: set, body)
    case .pattern(let matcher):
      var (start, steps) = (0, 0)
      // That of a search does not see searches that are many and short.
      var searches = StepCounter(every: 256)
      while let match = try matcher.firstMatch(in: text, from: start, steps: &steps) {
        try searches.step()
        if match.lowerBound > start, !body(Self.part(text, start..<match.lowerBound)) { return }
        start = match.upperBound
      }
      if start < text.count { _ = body(Self.part(text, start..<text.count)) }
    }
  }

  private static func forEachWord(
    of text: UnsafeBufferPointer<UInt8>, between set: ScalarSet, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(TaskError) {
    var (start, position) = (0, 0)
    var steps = StepCounter()
    var nextLook = lookInterval
    while position < text.count {
      if position >= nextLook {
        nextLook = position + Self.lookInterval
        try steps.step(Self.lookInterval)
      }
      let (scalar, length) = UTF8Scalars.scalar(in: text, at: position)
      if set.contains(scalar) {
        if position > start, !body(part(text, start..<position)) { return }
        start = position + length
      }
      position += length
    }
    if start < text.count { _ = body(part(text, start..<text.count)) }
  }

  /// The bytes of text between two looks at the deadline.
  private static let lookInterval = 4096

  private static func part(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[range])
  }
}
