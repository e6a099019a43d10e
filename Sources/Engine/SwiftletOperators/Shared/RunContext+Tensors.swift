import SwiftletEngine

// Here and not in the engine: the compiler does not inline what another module declares for the package, and tiles ask
// for addresses all the time.
extension RunContext {
  /// The tensor's memory, aligned for its elements. Nothing behind its end may be read, unless
  /// `PrepareContext.requireSlack(behind:)` asked for that. Scratch memory is 64-byte aligned.
  @inline(__always)
  func pointer(_ slot: TensorSlot) -> UnsafeMutableRawPointer { pointers[slot.index] }

  /// The tensor's memory as elements of `type`, which must be the tensor's own type.
  @inline(__always)
  func pointer<T>(_ slot: TensorSlot, as type: T.Type) -> UnsafeMutablePointer<T> {
    pointers[slot.index].assumingMemoryBound(to: type)
  }
}
