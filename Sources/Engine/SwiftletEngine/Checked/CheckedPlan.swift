import SwiftletBase

/// The memory that each step of a program may access in checked mode.
struct CheckedPlan: Sendable {
  struct Step: Sendable {
    var reads: [TensorSlot]
    var writes: [TensorSlot]
    /// The outputs and scratch memory whose contents are undefined at the start of the step.
    var fresh: [TensorSlot]
    var workerScratchBytes: Int

    /// Creates the access of a stage from its declarations, or from the requests of its node's `prepare` if it declares
    /// none.
    init(_ stage: PreparedOperator.Stage, _ access: NodeAccess, isFirst: Bool) {
      reads = stage.reads ?? access.reads.filter(access.asked.contains)
      writes = stage.writes ?? access.writes.filter { access.asked.contains($0) }
      fresh = isFirst ? access.fresh : []
      workerScratchBytes = access.workerScratchBytes
    }
  }

  private(set) var steps: [Step] = []
  /// The values that the caller writes before a run.
  let inputs: BitSet
  /// The values that are read after the program, by callers or by later programs of the run.
  let kept: BitSet
  /// The slots that kernels read past the end of.
  let slack: BitSet

  /// Creates a plan.
  ///
  /// - Parameter stages: The stages of all nodes, in order.
  init(
    _ stages: [PreparedOperator.Stage], accesses: [NodeAccess], inputs: BitSet, kept: BitSet, slack: BitSet
  ) {
    self.inputs = inputs
    self.kept = kept
    self.slack = slack
    for access in accesses {
      for position in access.steps {
        steps.append(Step(stages[position], access, isFirst: position == access.steps.lowerBound))
      }
    }
  }
}

/// One step with the memory that it may access.
struct CheckedStep {
  let stage: PreparedOperator.Stage
  let location: RuntimeError.Location
  var reads: [GuardedPages]
  var writes: [GuardedPages]
  var fresh: [GuardedPages]
  var workerScratch: GuardedPages?

  /// Runs the tiles one after the other while only the step's own memory is open.
  ///
  /// Outputs that are written for the first time and scratch memory are filled with a pattern, so that reading them
  /// changes results. If the step accesses any other memory, the process ends with a signal.
  ///
  /// - Parameters:
  ///   - pointers: The table of addresses.
  ///   - nowhere: The address of worker scratch memory if the step has none.
  ///   - seed: The seed for the order of tiles.
  ///   - check: Called before every tile. Throws an error to stop the run.
  /// - Throws: The error of a tile, or `limitExceeded` if the system can't protect pages.
  func run(
    _ pointers: UnsafePointer<UnsafeMutableRawPointer>, nowhere: UnsafeMutableRawPointer, seed: Int,
    check: () throws -> Void
  ) throws {
    CheckedReport.begin(location)
    let written = writes + (workerScratch.map { [$0] } ?? [])
    defer {
      for pages in reads + written + fresh { _ = pages.allow(.none) }
      CheckedReport.end()
    }
    for pages in fresh where !reads.contains(where: { $0 === pages }) {
      try CheckedMemory.change(pages, to: .readWrite)
      pages.spoil()
      try CheckedMemory.change(pages, to: .none)
    }
    for pages in reads { try CheckedMemory.change(pages, to: .read) }
    for pages in written { try CheckedMemory.change(pages, to: .readWrite) }
    let context = RunContext(pointers: pointers, workerScratch: workerScratch?.bytes.baseAddress ?? nowhere)
    for tile in Self.order(of: stage.tileCount, seed: seed) {
      try check()
      workerScratch?.spoil()
      try stage.run(context, tile)
    }
    for pages in written where !pages.hasCleanMargins { pages.violate() }
  }

  /// Returns the numbers below `count` in an order determined by `seed`. Results must not depend on the order.
  static func order(of count: Int, seed: Int) -> [Int] {
    var state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1
    var order = Array(0..<count)
    for position in stride(from: count - 1, to: 0, by: -1) {
      // A linear congruential generator. Its upper bits are random enough to shuffle the order.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      order.swapAt(position, Int((state >> 33) % UInt64(position + 1)))
    }
    return order
  }
}

/// The current activity of checked mode, in a form that a signal handler can read.
///
/// A violation ends the process with the signal of the access. The library installs no signal handler. A program that
/// needs the name of the operator reads `text` in its own handler. If several sessions run at the same time, the text
/// is from the session that started a step last.
package enum CheckedReport {
  private static let capacity = 160

  /// The text, zero-terminated printable ASCII: `operator 12 CONV_2D`, or empty if no operator is running.
  package nonisolated(unsafe) static let text: UnsafeMutablePointer<UInt8> = {
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    text.initialize(repeating: 0, count: capacity)
    return text
  }()

  /// The lock for writing `text`, because several sessions may run at the same time. A handler reads without the lock,
  /// because a step never ends the process while the lock is held.
  private static let writing = Mutex(())

  /// Sets the operator that runs from now on.
  static func begin(_ location: RuntimeError.Location) {
    // Write the terminator first, so that a handler never reads past it.
    let name = location.operatorName ?? "unknown"
    let bytes = Array("operator \(location.operatorIndex.map(String.init) ?? "") \(name)".utf8.prefix(capacity - 1))
    writing.withLock { _ in
      (text + bytes.count).pointee = 0
      // Names come from the file and may be printed to a terminal.
      for (position, byte) in bytes.enumerated() {
        (text + position).pointee = (32..<127).contains(byte) ? byte : UInt8(ascii: "?")
      }
    }
  }

  static func end() { writing.withLock { _ in text.pointee = 0 } }
}
