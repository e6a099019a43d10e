import SwiftletBase
import SwiftletTasks

/// The elements of a mask, written once and then immutable.
///
/// The memory is allocated separately, and not as an array. Several threads can thus fill a mask without zeroing it
/// first, and a pointer to its elements stays valid as long as the object is retained. The memory may also belong to a
/// caller that guarantees the same.
///
/// Unchecked `Sendable` because of the pointers: the creator fills the memory before it shares the object, and
/// afterwards it is only read.
@_spi(Facades) public final class MaskPixels<Number: BitwiseCopyable & Equatable>: @unchecked Sendable {
  /// The elements in row-major order, without padding.
  public let numbers: UnsafeBufferPointer<Number>
  /// A pointer to the first of ``numbers``.
  public let first: UnsafePointer<Number>
  /// The memory, which the creator must fill completely before it shares the object. Empty if the memory belongs to the
  /// caller.
  let memory: UnsafeMutableBufferPointer<Number>
  private let block: MaskBlock<Number>?
  /// The pool that the memory returns to after use. The reference is weak, so that a retained mask doesn't retain the
  /// memory of other masks.
  private weak var pool: MaskPool<Number>?

  /// Creates uninitialized elements in memory from a pool, which gets the memory back.
  init(from pool: MaskPool<Number>) {
    let block = pool.take()
    self.block = block
    self.pool = pool
    (memory, numbers, first) = (block.memory, UnsafeBufferPointer(block.memory), UnsafePointer(block.first))
  }

  init(count: Int) {
    let block = MaskBlock<Number>(count: count)
    self.block = block
    (memory, numbers, first) = (block.memory, UnsafeBufferPointer(block.memory), UnsafePointer(block.first))
  }

  /// Creates elements in memory of the caller, which must stay valid and unchanged as long as this object exists.
  public init(borrowing first: UnsafePointer<Number>, count: Int) {
    block = nil
    memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    numbers = UnsafeBufferPointer(start: first, count: count)
    self.first = first
  }

  deinit {
    if let block { pool?.giveBack(block) }
  }

  /// Creates a copy of the given elements.
  public convenience init(_ values: some Collection<Number>) {
    self.init(count: values.count)
    _ = memory.initialize(from: values)
  }

  /// Checks the size of a mask.
  ///
  /// - Throws: `TaskError` (`invalidArgument`) unless there are `width · height` elements and both sides are positive.
  static func check(count: Int, _ width: Int, _ height: Int) throws(TaskError) {
    let (expected, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count == expected else {
      throw TaskError(
        .invalidArgument, "a mask of \(width) × \(height) pixels requires one number per pixel, got \(count)")
    }
  }

  func pixel(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Number? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    return withExtendedLifetime(self) { numbers[y * width + x] }
  }

  func isEqual(to other: MaskPixels) -> Bool {
    withExtendedLifetime((self, other)) { numbers.elementsEqual(other.numbers) }
  }

  /// Returns the elements with every row reversed.
  func mirrored(width: Int) -> MaskPixels {
    let copy = MaskPixels(count: numbers.count)
    for start in stride(from: 0, to: numbers.count, by: max(width, 1)) {
      for column in 0..<width { copy.memory[start + column] = numbers[start + width - 1 - column] }
    }
    return copy
  }
}

/// Memory for masks of one size. The memory of released masks is reused for the masks of the next image.
///
/// The system zeroes fresh memory page by page. For the masks of a large image, this takes longer than filling them.
///
/// - Thread safety: callable concurrently.
final class MaskPool<Number: BitwiseCopyable & Equatable>: Sendable {
  /// The number of elements in a mask.
  private let count: Int
  /// The maximum number of unused blocks that are kept: the masks of one image.
  private let maximumBlocks: Int
  private let unused = Mutex<[MaskBlock<Number>]>([])

  init(count: Int, maximumBlocks: Int) {
    self.count = count
    self.maximumBlocks = maximumBlocks
  }

  /// Returns the memory of a released mask, or new memory. Its contents are undefined.
  func take() -> MaskBlock<Number> { unused.withLock { $0.popLast() } ?? MaskBlock(count: count) }

  /// Keeps unused memory, unless there is enough.
  func giveBack(_ block: MaskBlock<Number>) {
    unused.withLock { if $0.count < maximumBlocks { $0.append(block) } }
  }
}

/// Memory for the elements of one mask.
///
/// Unchecked `Sendable` because of the pointers: it has one user at a time, the ``MaskPixels`` of a mask.
final class MaskBlock<Number: BitwiseCopyable & Equatable>: @unchecked Sendable {
  let first: UnsafeMutablePointer<Number>
  let memory: UnsafeMutableBufferPointer<Number>

  init(count: Int) {
    first = .allocate(capacity: count)
    memory = UnsafeMutableBufferPointer(start: first, count: count)
  }

  deinit { first.deallocate() }
}
