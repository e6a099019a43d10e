import SwiftletBase

/// Detects the matches of a pattern in texts. A search reads every character once and follows all paths through the
/// pattern in parallel. Its memory is reused for the next search.
///
/// - Thread safety: one caller at a time.
///
/// - Source: Rob Pike's virtual machine, with RE2's semantics: the leftmost match, and of those the one that a
///   backtracking search would find first.
final class PatternMatcher {
  private struct Thread {
    var instruction: Int
    /// The start of the thread's match.
    var start: Int
  }

  /// The default maximum number of steps for all searches in one text, which takes a second or two.
  static let maximumSteps = 1 << 28

  private let program: PatternProgram
  private let maximumSteps: Int
  private var current: [Thread] = []
  private var next: [Thread] = []
  private var stack: [Thread] = []
  /// For each instruction, the last visit in which it was reached.
  private var visits: [Int]
  private var visit = 0

  init(_ program: PatternProgram, maximumSteps: Int = PatternMatcher.maximumSteps) {
    self.program = program
    self.maximumSteps = maximumSteps
    visits = [Int](repeating: 0, count: program.instructions.count)
  }

  /// Returns the first match at or after `start`; `nil` if there is none. The text counts as beginning at `start`.
  ///
  /// - Parameter steps: A counter that is increased by the steps of the search.
  /// - Throws: `TaskError` (`limitExceeded`) if `steps` exceeds the maximum, and after the deadline of the call.
  func firstMatch(
    in text: UnsafeBufferPointer<UInt8>, from start: Int, steps: inout Int
  ) throws(TaskError) -> Range<Int>? {
    var found: Range<Int>?
    var position = start
    var before: UInt32?
    next.removeAll(keepingCapacity: true)
    var counter = StepCounter(every: 16_384)
    while true {
      let (scalar, length) =
        position < text.count ? UTF8Scalars.scalar(in: text, at: position) : (value: UInt32?.none, length: 0)
      // Earlier starts have priority, so a new start comes last.
      if found == nil { next.append(Thread(instruction: 0, start: position)) }
      guard !next.isEmpty else { return found }
      let taken = expand(before: before, after: scalar)
      steps += taken
      try counter.step(taken)
      guard steps <= maximumSteps else {
        throw TaskError(
          .limitExceeded,
          "tokenizing the text takes more than \(maximumSteps) steps; shorten the text, or simplify the tokenizer's pattern"
        )
      }
      step(scalar, at: position, &found)
      guard scalar != nil else { return found }
      before = scalar
      position += length
    }
  }

  /// Advances every thread of `next`, in order of priority, to the instructions that consume a scalar or match, and
  /// adds these threads to `current`.
  ///
  /// - Returns: The number of instructions that were processed.
  private func expand(before: UInt32?, after: UInt32?) -> Int {
    var steps = 0
    visit &+= 1
    current.removeAll(keepingCapacity: true)
    for thread in next {
      stack.append(thread)
      while let thread = stack.popLast() {
        steps += 1
        guard visits[thread.instruction] != visit else { continue }
        visits[thread.instruction] = visit
        let behind = thread.instruction + 1
        switch program.instructions[thread.instruction] {
        case .scalar, .match: current.append(thread)
        case .jump(let target): stack.append(Thread(instruction: target, start: thread.start))
        case .fork(let first, let second):
          stack.append(Thread(instruction: second, start: thread.start))
          stack.append(Thread(instruction: first, start: thread.start))
        case .assertion(let assertion):
          if assertion.holds(before: before, after: after) {
            stack.append(Thread(instruction: behind, start: thread.start))
          }
        }
      }
    }
    return steps
  }

  /// Consumes a scalar with the threads of `current` and adds the remaining threads to `next`, up to the first match.
  private func step(_ scalar: UInt32?, at position: Int, _ found: inout Range<Int>?) {
    next.removeAll(keepingCapacity: true)
    let category = scalar.map { $0 < 128 || current.isEmpty ? 0 : ScalarSet.category(of: $0) } ?? 0
    for thread in current {
      switch program.instructions[thread.instruction] {
      case .match:
        found = thread.start..<position
        return
      case .scalar(let set):
        if let scalar, program.sets[set].contains(scalar, category: category) {
          next.append(Thread(instruction: thread.instruction + 1, start: thread.start))
        }
      case .assertion, .jump, .fork: break
      }
    }
  }
}
