import CSwiftletBase

#if canImport(os)
  import os

  /// A value that is used by one thread at a time, as `Synchronization.Mutex` is.
  ///
  /// Unchecked `Sendable` because the lock is what makes it so: the value is handed over at creation, and can only be
  /// reached while the lock is held.
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

// A lock around a value and an atomic word under the names that the standard `Synchronization` module gives them.
//
// On Apple's platforms that module needs macOS 15 and iOS 18, newer ones than this package asks for, so there `Mutex` and
// `Atomic` are those of this module, with the members that are in use. Everywhere else they are the standard ones.
#if !canImport(os)
  package import Synchronization

  package typealias Atomic<Value: AtomicRepresentable> = Synchronization.Atomic<Value>
  package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif

/// Waits for some tens of nanoseconds, for a loop that looks for what another thread writes.
///
/// Two threads often share a core, in the cloud nearly always where there are two of them: a loop without such waits
/// takes half of the core from the thread that it waits for.
package func spinWait() { swiftlet_spin_wait() }
