import SwiftletBase

/// A pattern compiled to instructions for a machine that follows all paths in parallel.
///
/// - Source: Ken Thompson's construction.
struct PatternProgram: Sendable {
  enum Instruction: Sendable, Hashable {
    /// Consumes a scalar of the set, and continues with the next instruction.
    case scalar(set: Int)
    /// Continues with the next instruction if the condition is true.
    case assertion(PatternAssertion)
    case jump(to: Int)
    /// Continues with both targets; `first` has priority.
    case fork(first: Int, second: Int)
    case match
  }

  /// The maximum number of instructions, because nested repetitions multiply.
  static let longest = 10_000

  private(set) var instructions: [Instruction] = []
  private(set) var sets: [ScalarSet] = []
  private var setIndices: [ScalarSet: Int] = [:]
  private var steps = StepCounter(every: 1024)

  static let tooLong = TaskError.invalidModel(
    "the tokenizer's pattern has more than \(longest) instructions: it has too many characters, or repetitions that multiply"
  )

  /// Compiles a pattern.
  ///
  /// - Throws: `TaskError` if it would have more instructions than ``longest``, and after the deadline of the call.
  init(_ node: PatternNode) throws(TaskError) {
    try add(node)
    try append(.match)
  }

  private mutating func append(_ instruction: Instruction) throws(TaskError) {
    guard instructions.count < Self.longest else { throw Self.tooLong }
    try steps.step()
    instructions.append(instruction)
  }

  private mutating func add(_ node: PatternNode) throws(TaskError) {
    switch node {
    case .empty: break
    case .set(let set):
      let index = setIndices[set] ?? sets.count
      if index == sets.count {
        sets.append(set)
        setIndices[set] = index
      }
      try append(.scalar(set: index))
    case .assertion(let assertion): try append(.assertion(assertion))
    case .sequence(let parts): for part in parts { try add(part) }
    case .choice(let parts): try addChoice(parts)
    case .repetition(let part, let least, let most, let isGreedy):
      try addRepetition(part, least: least, most: most, isGreedy: isGreedy)
    }
  }

  private mutating func addChoice(_ parts: [PatternNode]) throws(TaskError) {
    var ends: [Int] = []
    for part in parts.dropLast() {
      let fork = instructions.count
      try append(.fork(first: fork + 1, second: fork + 1))
      try add(part)
      ends.append(instructions.count)
      try append(.jump(to: 0))
      instructions[fork] = .fork(first: fork + 1, second: instructions.count)
    }
    if let last = parts.last { try add(last) }
    for end in ends { instructions[end] = .jump(to: instructions.count) }
  }

  private mutating func addRepetition(
    _ part: PatternNode, least: Int, most: Int?, isGreedy: Bool
  ) throws(TaskError) {
    for _ in 0..<least { try add(part) }
    guard let most else {
      let fork = try addFork()
      try add(part)
      try append(.jump(to: fork))
      setFork(fork, end: instructions.count, isGreedy)
      return
    }
    var forks: [Int] = []
    for _ in least..<max(least, most) {
      forks.append(try addFork())
      try add(part)
    }
    for fork in forks { setFork(fork, end: instructions.count, isGreedy) }
  }

  private mutating func addFork() throws(TaskError) -> Int {
    try append(.jump(to: 0))
    return instructions.count - 1
  }

  /// Sets a fork to the part after it or to the end of that part, in the order that greediness requires.
  private mutating func setFork(_ fork: Int, end: Int, _ isGreedy: Bool) {
    instructions[fork] = isGreedy ? .fork(first: fork + 1, second: end) : .fork(first: end, second: fork + 1)
  }
}

/// A pattern as a tree. The parser creates ``empty`` nodes and nodes that become at least one instruction. The maximum
/// size of a program therefore bounds the work of compiling it.
indirect enum PatternNode: Sendable, Hashable {
  case empty
  case set(ScalarSet)
  case assertion(PatternAssertion)
  case sequence([PatternNode])
  /// Alternatives; the first one that leads to a match has priority.
  case choice([PatternNode])
  /// A repetition. `most` is `nil` for no maximum. Greedy repetitions match as often as possible, others as rarely.
  case repetition(PatternNode, least: Int, most: Int?, isGreedy: Bool)

  /// Whether the pattern can match the empty string.
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

/// A condition on a position in a text.
enum PatternAssertion: Sendable, Hashable {
  case start
  case end
  case wordBoundary
  case notWordBoundary

  /// Returns whether the condition is true at a position.
  ///
  /// - Parameters:
  ///   - before: The scalar before the position; `nil` at the start.
  ///   - after: The scalar after the position; `nil` at the end.
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
