import CSwiftletBase

#if canImport(os)
  import os

  /// A value that only one thread uses at a time, like `Synchronization.Mutex`.
  ///
  /// Unchecked `Sendable` because the lock protects the value: the value is passed in at creation, and is accessible
  /// only while the lock is held.
  package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    private let lock = OSAllocatedUnfairLock()
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ value: consuming sending Value) { self.value.initialize(to: value) }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
    }

    package borrowing func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      lock.lock()
      defer { lock.unlock() }
      return try body(&value.pointee)
    }
  }
#endif

// A mutex and an atomic type with the names of the standard `Synchronization` module.
//
// On Apple platforms, that module requires macOS 15 and iOS 18, which are newer than the minimum versions of this
// package. There, `Mutex` and `Atomic` are this module's types, with only the members in use. On all other platforms
// they are the standard types.
#if !canImport(os)
  package import Synchronization

  package typealias Atomic<Value: AtomicRepresentable> = Synchronization.Atomic<Value>
  package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif

/// Waits for tens of nanoseconds, for a loop that polls for a write of another thread.
///
/// Two threads often share a core, and nearly always on cloud machines with two virtual CPUs. Without such waits, the
/// loop takes half of the core from the thread that it waits for.
package func spinWait() { swiftlet_spin_wait() }
