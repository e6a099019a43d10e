/// The numbers of a mask, written once and then never changed.
///
/// Memory of its own instead of an array, so that masks are filled by several threads without being zeroed first, and a pointer into
/// one stays valid as long as it is held.
///
/// Unchecked `Sendable` because pointers never are: whoever makes one fills it before anyone else has it, and from then on it is only read.
package final class MaskPixels<Number: BitwiseCopyable>: @unchecked Sendable {
  /// Row after row, without padding.
  package var numbers: UnsafeBufferPointer<Number> { UnsafeBufferPointer(memory) }
  /// To be filled by the maker, completely, before anyone else gets the object.
  let memory: UnsafeMutableBufferPointer<Number>

  init(count: Int) { memory = .allocate(capacity: count) }

  deinit { memory.deallocate() }

  /// A copy of an array.
  convenience init(_ values: [Number]) {
    self.init(count: values.count)
    _ = memory.initialize(from: values)
  }
}
