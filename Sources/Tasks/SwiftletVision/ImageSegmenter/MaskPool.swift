import SwiftletBase

/// Memory for masks of one size: what masks give back when they go away is used for those of the next picture.
///
/// The system clears fresh memory page by page. For the masks of a large picture that takes longer than filling them.
///
/// - Thread safety: callable concurrently.
final class MaskPool<Number: BitwiseCopyable & Equatable>: Sendable {
  /// How many numbers a mask has.
  private let count: Int
  /// How much is kept: the masks of one picture.
  private let mostBlocks: Int
  private let unused = Mutex<[MaskBlock<Number>]>([])

  init(count: Int, mostBlocks: Int) {
    self.count = count
    self.mostBlocks = mostBlocks
  }

  /// Memory of a mask that is gone, or new memory. Its contents are undefined.
  func take() -> MaskBlock<Number> { unused.withLock { $0.popLast() } ?? MaskBlock(count: count) }

  /// Keeps memory that nobody uses any more, unless there is enough.
  func giveBack(_ block: MaskBlock<Number>) {
    unused.withLock { if $0.count < mostBlocks { $0.append(block) } }
  }
}

/// Memory for the numbers of one mask.
///
/// Unchecked `Sendable` because pointers never are: it has one user at a time, a mask's ``MaskPixels``.
final class MaskBlock<Number: BitwiseCopyable & Equatable>: @unchecked Sendable {
  let first: UnsafeMutablePointer<Number>
  let memory: UnsafeMutableBufferPointer<Number>

  init(count: Int) {
    first = .allocate(capacity: count)
    memory = UnsafeMutableBufferPointer(start: first, count: count)
  }

  deinit { first.deallocate() }
}
