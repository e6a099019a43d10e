/// A pattern as a tree. Every node but ``empty`` that the parser makes takes at least one instruction, so that the size of
/// a program bounds the work of making it.
indirect enum PatternNode: Sendable, Hashable {
  case empty
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  /// The first that leads to a match counts.
  case choice([PatternNode])
  /// `most` is `nil` for any number. Greedy ones take as many as they can, others as few.
  case repetition(PatternNode, least: Int, most: Int?, isGreedy: Bool)

  /// Whether it may match no characters at all.
  var matchesNothing: Bool {
    switch self {
    case .empty, .assertion: true
    case .set: false
    case .sequence(let parts): parts.allSatisfy(\.matchesNothing)
    case .choice(let parts): parts.contains(where: \.matchesNothing)
    case .repetition(let part, let least, _, _): least == 0 || part.matchesNothing
    }
  }
}

/// A condition on a place in a text.
enum PatternAssertion: Sendable, Hashable {
  case start
  case end
  case wordBoundary
  case notWordBoundary

  /// - Parameters:
  ///   - before: the scalar before the place; `nil` at the start.
  ///   - after: the scalar behind it; `nil` at the end.
  func holds(before: UInt32?, after: UInt32?) -> Bool {
    switch self {
    case .start: before == nil
    case .end: after == nil
    case .wordBoundary: Self.isWord(before) != Self.isWord(after)
    case .notWordBoundary: Self.isWord(before) == Self.isWord(after)
    }
  }

  private static func isWord(_ scalar: UInt32?) -> Bool {
    guard let scalar else { return false }
    return ScalarSet.words.contains(scalar)
  }
}
