import SwiftletBase

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
  ///   - pointers: the table of addresses.
  ///   - nowhere: the address of worker scratch where the step has none.
  ///   - seed: of the tiles' order.
  ///   - check: throws when the run is to stop; called before every tile.
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

  /// The numbers below `count` in an order that `seed` decides: results must not depend on it.
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
