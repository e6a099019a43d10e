package import SwiftletEngine

/// What the calls of a task may take: how many run at a time, how long each lasts, and how much each returns.
package struct CallLimits: Sendable {
  /// The most calls at a time, as `BaseOptions.maxConcurrentCalls`.
  package var concurrency: Int
  /// The time that loading the task's models, and each call, may take.
  package var timeout: Duration?
  /// What bounds the results of a call.
  package var limits: RuntimeOptions.Limits

  package init(
    concurrency: Int = 1, timeout: Duration? = nil, limits: RuntimeOptions.Limits = RuntimeOptions.Limits()
  ) {
    self.concurrency = concurrency
    self.timeout = timeout
    self.limits = limits
  }
}

extension BaseOptions {
  /// What these options say of calls.
  package var callLimits: CallLimits {
    CallLimits(concurrency: maxConcurrentCalls, timeout: timeout, limits: limits)
  }
}
