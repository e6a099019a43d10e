import SwiftletBase
import SwiftletTasks

/// The numbers of a mask, written once and then never changed.
///
/// Memory of its own instead of an array, so that masks are filled by several threads without being zeroed first, and a
/// pointer into one stays valid as long as it is held. The memory may also belong to a caller who guarantees the same.
///
/// Unchecked `Sendable` because pointers never are: the maker fills the memory before it shares the object, and
/// afterwards it is only read.
@_spi(Facades) public final class MaskPixels<Number: BitwiseCopyable & Equatable>: @unchecked Sendable {
  /// Row after row, without padding.
  public let numbers: UnsafeBufferPointer<Number>
  /// The pointer to the first of ``numbers``.
  public let first: UnsafePointer<Number>
  /// To be filled by the maker, completely, before anyone else gets the object. Empty when the memory belongs to the
  /// caller.
  let memory: UnsafeMutableBufferPointer<Number>
  private let block: MaskBlock<Number>?
  /// Where the memory goes after use. Weak, so that a mask that somebody keeps does not keep the memory of others.
  private weak var pool: MaskPool<Number>?

  /// Creates numbers in the memory of a pool, which gets it back.
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

  /// Creates a mask from numbers that the caller keeps, valid and unchanged, as long as this is held.
  public init(borrowing first: UnsafePointer<Number>, count: Int) {
    block = nil
    memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    numbers = UnsafeBufferPointer(start: first, count: count)
    self.first = first
  }

  deinit {
    if let block { pool?.giveBack(block) }
  }

  /// Creates a copy of other numbers.
  public convenience init(_ values: some Collection<Number>) {
    self.init(count: values.count)
    _ = memory.initialize(from: values)
  }

  /// - Throws: `TaskError` (`invalidArgument`) unless there are `width · height` numbers and both sides are positive.
  static func check(count: Int, _ width: Int, _ height: Int) throws(TaskError) {
    let (expected, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, count == expected else {
      throw TaskError(
        .invalidArgument, "a mask of \(width) × \(height) pixels needs as many numbers, got \(count)")
    }
  }

  func pixel(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> Number? {
    guard x >= 0, y >= 0, x < width, y < height else { return nil }
    return withExtendedLifetime(self) { numbers[y * width + x] }
  }

  func isEqual(to other: MaskPixels) -> Bool {
    withExtendedLifetime((self, other)) { numbers.elementsEqual(other.numbers) }
  }

  /// The same rows, each from right to left.
  func mirrored(width: Int) -> MaskPixels {
    let copy = MaskPixels(count: numbers.count)
    for start in stride(from: 0, to: numbers.count, by: max(width, 1)) {
      for column in 0..<width { copy.memory[start + column] = numbers[start + width - 1 - column] }
    }
    return copy
  }
}

/// Memory for masks of one size: what masks give back when they go away is used for those of the next image.
///
/// The system clears fresh memory page by page. For the masks of a large image that takes longer than filling them.
///
/// - Thread safety: callable concurrently.
final class MaskPool<Number: BitwiseCopyable & Equatable>: Sendable {
  /// The number of numbers that a mask has.
  private let count: Int
  /// How much is kept: the masks of one image.
  private let maximumBlocks: Int
  private let unused = Mutex<[MaskBlock<Number>]>([])

  init(count: Int, maximumBlocks: Int) {
    self.count = count
    self.maximumBlocks = maximumBlocks
  }

  /// Memory of a mask that is gone, or new memory. Its contents are undefined.
  func take() -> MaskBlock<Number> { unused.withLock { $0.popLast() } ?? MaskBlock(count: count) }

  /// Keeps memory that nobody uses any more, unless there is enough.
  func giveBack(_ block: MaskBlock<Number>) {
    unused.withLock { if $0.count < maximumBlocks { $0.append(block) } }
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
