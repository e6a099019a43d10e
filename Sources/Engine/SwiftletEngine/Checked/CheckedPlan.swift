import SwiftletBase

/// What each step of a program may touch, for checked mode.
struct CheckedPlan: Sendable {
  struct Step: Sendable {
    var reads: [TensorSlot]
    var writes: [TensorSlot]
    /// Outputs and scratch whose contents are undefined when the step begins.
    var fresh: [TensorSlot]
    var workerScratchBytes: Int

    /// What the stage says of itself, and where it says nothing what its node's `prepare` has asked for.
    init(_ stage: PreparedOperator.Stage, _ access: NodeAccess, isFirst: Bool) {
      reads = stage.reads ?? access.reads.filter(access.asked.contains)
      writes = stage.writes ?? access.writes.filter { access.asked.contains($0) }
      fresh = isFirst ? access.fresh : []
      workerScratchBytes = access.workerScratchBytes
    }
  }

  private(set) var steps: [Step] = []
  /// Values that the caller writes before a run.
  let inputs: BitSet
  /// Values that are read after the program, by callers or by later programs of the run.
  let kept: BitSet
  /// Slots that kernels read a little past the end of.
  let slack: BitSet

  /// - Parameter stages: Of all nodes, in order.
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

/// One step with the memory that it may touch.
struct CheckedStep {
  let stage: PreparedOperator.Stage
  let location: RuntimeError.Location
  var reads: [GuardedPages]
  var writes: [GuardedPages]
  var fresh: [GuardedPages]
  var workerScratch: GuardedPages?

  /// Runs the tiles one after the other while nothing but the step's own memory is open.
  ///
  /// What is written for the first time, and scratch memory, holds a pattern before, so that reading it changes
  /// results. The process ends with a signal when the step touches anything else.
  ///
  /// - Parameters:
  ///   - pointers: The table of addresses.
  ///   - nowhere: The address of worker scratch where the step has none.
  ///   - seed: Of the tiles' order.
  ///   - check: Throws when the run is to stop; called before every tile.
  /// - Throws: what a tile throws, and `limitExceeded` when the system cannot protect pages.
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

  /// Returns the numbers below `count` in an order that `seed` decides: results must not depend on it.
  static func order(of count: Int, seed: Int) -> [Int] {
    var state = UInt64(bitPattern: Int64(seed)) &* 0x9E37_79B9_7F4A_7C15 | 1
    var order = Array(0..<count)
    for position in stride(from: count - 1, to: 0, by: -1) {
      // A multiplicative generator; its upper bits are good enough to mix an order.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      order.swapAt(position, Int((state >> 33) % UInt64(position + 1)))
    }
    return order
  }
}

/// What checked mode is doing, in a form that a signal handler can read.
///
/// A violation ends the process with the signal of the access. The library installs no handler; a program that wants to
/// say which operator it was reads `text` in its own. Where several sessions run at once, the text is that of the one
/// that began a step last.
package enum CheckedReport {
  private static let capacity = 160

  /// Bytes up to a zero, printable ASCII: `operator 12 CONV_2D`, or nothing where no operator is running.
  package nonisolated(unsafe) static let text: UnsafeMutablePointer<UInt8> = {
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    text.initialize(repeating: 0, count: capacity)
    return text
  }()

  /// Held by whoever writes `text`: sessions run at once. A handler reads without it, as a step never ends the process
  /// while it is held.
  private static let writing = Mutex(())

  /// Says which operator runs from here on.
  static func begin(_ location: RuntimeError.Location) {
    // The end comes first, so that a handler never reads past it.
    let name = location.operatorName ?? "unknown"
    let bytes = Array("operator \(location.operatorIndex.map(String.init) ?? "") \(name)".utf8.prefix(capacity - 1))
    writing.withLock { _ in
      (text + bytes.count).pointee = 0
      // Names come from the file and go to a terminal.
      for (position, byte) in bytes.enumerated() {
        (text + position).pointee = (32..<127).contains(byte) ? byte : UInt8(ascii: "?")
      }
    }
  }

  static func end() { writing.withLock { _ in text.pointee = 0 } }
}
