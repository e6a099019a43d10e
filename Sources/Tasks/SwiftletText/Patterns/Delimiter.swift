import SwiftletBase

/// A regular expression that matches the delimiters between words.
///
/// - Thread safety: one caller at a time.
struct Delimiter {
  private enum Search {
    /// The pattern is a set of characters, possibly repeated.
    case set(ScalarSet)
    case pattern(PatternMatcher)
  }

  private let search: Search

  /// Creates a delimiter.
  ///
  /// - Parameter maximumSteps: The maximum number of steps for all searches in one text.
  /// - Throws: `TaskError` if the pattern is invalid, or matches the empty string, which cannot separate words.
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

  /// Calls `body` with the bytes of each word until it returns `false`. There is no word between adjacent delimiters.
  ///
  /// - Throws: `TaskError` (`limitExceeded`) if the search takes too long, and after the deadline of the call.
  func forEachWord(
    of text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> Bool
  ) throws(TaskError) {
    switch search {
    case .set(let set): try Self.forEachWord(of: text, between: set, body)
    case .pattern(let matcher):
      var (start, steps) = (0, 0)
      // Each search counts its own steps. This counter also covers many short searches.
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

  /// The number of bytes of text between two checks of the deadline.
  private static let lookInterval = 4096

  private static func part(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: text[range])
  }
}
