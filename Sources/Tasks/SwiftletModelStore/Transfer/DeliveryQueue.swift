import Foundation

#if canImport(FoundationNetworking)
  // Unchecked because its base class is: what can change is guarded by `condition`.

  /// The queue on which a session's delegate is called, of bounded length: the Foundation of Linux otherwise keeps what
  /// a server sends faster than the delegate takes it, without a bound.
  ///
  /// Adding to a full queue waits. The session adds from the queue on which it reads the connection, so that the
  /// connection waits too.
  final class DeliveryQueue: OperationQueue, @unchecked Sendable {
    private let capacity: Int
    // Guarded by `condition`.
    private var waitingCount = 0
    private var isDropping = false
    private let condition = NSCondition()

    /// - Parameter capacity: how many calls may wait. A call brings up to 16 KB.
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

    /// Calls `body`, and forgets what is added meanwhile.
    ///
    /// A task is cancelled on the queue on which the session reads: the cancellation gets its turn only when that queue
    /// need not wait for the delegate.
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
