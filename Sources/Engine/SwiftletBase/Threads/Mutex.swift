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
