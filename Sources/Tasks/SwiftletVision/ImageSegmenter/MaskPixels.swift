/// The numbers of a mask, written once and then never changed.
///
/// Memory of its own instead of an array, so that masks are filled by several threads without being zeroed first, and a
/// pointer into one stays valid as long as it is held. The memory may also belong to a caller who guarantees the same.
///
/// Unchecked `Sendable` because pointers never are: the maker fills the memory before it shares the object, and
/// afterwards it is only read.
package final class MaskPixels<Number: BitwiseCopyable>: @unchecked Sendable {
  /// Row after row, without padding.
  package let numbers: UnsafeBufferPointer<Number>
  /// Where ``numbers`` begin.
  package let first: UnsafePointer<Number>
  /// To be filled by the maker, completely, before anyone else gets the object. Empty when the memory belongs to the
  /// caller.
  let memory: UnsafeMutableBufferPointer<Number>
  private let block: MaskBlock<Number>?
  /// Where the memory goes after use. Weak, so that a mask that somebody keeps does not keep the memory of others.
  private weak var pool: MaskPool<Number>?

  /// Numbers in the memory of a pool, which gets it back.
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

  /// Numbers that the caller keeps, valid and unchanged, as long as this is held.
  package init(borrowing first: UnsafePointer<Number>, count: Int) {
    block = nil
    memory = UnsafeMutableBufferPointer(start: nil, count: 0)
    numbers = UnsafeBufferPointer(start: first, count: count)
    self.first = first
  }

  deinit {
    if let block { pool?.giveBack(block) }
  }

  /// A copy of other numbers.
  package convenience init(_ values: some Collection<Number>) {
    self.init(count: values.count)
    _ = memory.initialize(from: values)
  }
}
