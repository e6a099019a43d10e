import Foundation

#if canImport(FoundationNetworking)
  // Unchecked because its base class is; `condition` protects all mutable state.

  /// A bounded queue for the calls of a session's delegate. Without it, Foundation on Linux buffers without limit if a
  /// server sends faster than the delegate can process.
  ///
  /// Adding to a full queue blocks. The session adds from the queue on which it reads the connection, so reading from
  /// the connection pauses, too.
  final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    private let capacity: Int
    // Protected by `condition`.
    private var waitingCount = 0
    private var isDropping = false
    private let condition = NSCondition()

    /// Creates a queue.
    ///
    /// - Parameter capacity: The maximum number of waiting calls. A call delivers up to 16 KB.
    init(capacity: Int = 64) {
      self.capacity = capacity
      super.init()
      maxConcurrentOperationCount = 1
    }

    override func addOperation(_ block: @escaping @Sendable () -> Void) {
      condition.lock()
      while waitingCount >= capacity, !isDropping { condition.wait() }
      guard !isDropping else { return condition.unlock() }
      waitingCount += 1
      condition.unlock()
      super.addOperation { [self] in
        block()
        condition.lock()
        waitingCount -= 1
        condition.signal()
        condition.unlock()
      }
    }

    /// Calls `body`, and drops all calls that are added meanwhile.
    ///
    /// A task is cancelled on the queue on which the session reads. The cancellation can run only if that queue is not
    /// blocked by the delegate.
    func dropping(while body: () -> Void) {
      setDropping(true)
      body()
      setDropping(false)
    }

    private func setDropping(_ isDropping: Bool) {
      condition.lock()
      self.isDropping = isDropping
      condition.broadcast()
      condition.unlock()
    }
  }
#endif
