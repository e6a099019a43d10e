import Foundation
import SwiftletMeasurement
import SwiftletBase

@_silgen_name("backtrace")
private func takeBacktrace(_ frames: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ capacity: Int32) -> Int32

@_silgen_name("backtrace_symbols_fd")
private func printBacktrace(
  _ frames: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ count: Int32, _ descriptor: Int32)

/// Terminates the process if a case takes too long or too much memory, after printing its stack.
package final class CaseWatch: Sendable {
  /// The exit status of the process; signals have their own.
  package enum Verdict: Int32, Sendable, CaseIterable {
    case pastDeadline = 71
    case pastMemory = 72
  }

  private struct State {
    /// The CPU time at the start of the case; `nil` between cases.
    var start: Double?
  }

  private let state = Mutex(State())
  private let milliseconds: Double
  private let bytes: Int
  private let watched: pthread_t

  /// Creates a watch.
  ///
  /// - Parameters:
  ///   - milliseconds: The maximum CPU time of a case, for all threads together.
  ///   - bytes: The maximum resident memory of the process.
  package init(milliseconds: Double, bytes: Int) {
    self.milliseconds = milliseconds
    self.bytes = bytes
    watched = pthread_self()
    Self.installHandlers()
    Thread { [self] in watch() }.start()
  }

  package func begin() { state.withLock { $0.start = ProcessorTime.spent() } }

  /// Ends a case. Memory that it has already released counts too.
  package func end() {
    state.withLock { $0.start = nil }
    if ProcessMemory.peakResidentBytes() > bytes { _exit(Verdict.pastMemory.rawValue) }
  }

  private func watch() {
    while true {
      usleep(20_000)
      guard let start = state.withLock({ $0.start }) else { continue }
      if ProcessorTime.spent() - start > milliseconds { stop(.pastDeadline) }
      if ProcessMemory.peakResidentBytes() > bytes { stop(.pastMemory) }
    }
  }

  /// Makes the thread of the case print its stack.
  private func stop(_ verdict: Verdict) {
    pthread_kill(watched, verdict == .pastDeadline ? SIGUSR1 : SIGUSR2)
    sleep(2)
    _exit(verdict.rawValue)
  }

  /// Installs handlers that print stacks on standard error, unless a sanitizer prints its own.
  private static func installHandlers() {
    for (signal, status) in [(SIGUSR1, Verdict.pastDeadline), (SIGUSR2, .pastMemory)] as [(Int32, Verdict)]
    where status.rawValue > 0 {
      handle(signal) { number in
        CaseWatch.printStack()
        _exit(number == SIGUSR1 ? Verdict.pastDeadline.rawValue : Verdict.pastMemory.rawValue)
      }
    }
    #if !FUZZING
      for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP] {
        handle(signal) { number in
          CaseWatch.printStack()
          var action = sigaction()
          sigaction(number, &action, nil)
          kill(getpid(), number)
        }
      }
    #endif
  }

  private static func handle(_ signal: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    // The handler needs a stack of its own after a stack overflow.
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = Int32(SA_ONSTACK) | Int32(bitPattern: UInt32(SA_RESETHAND)) | Int32(SA_NODEFER)
    sigaction(signal, &action, nil)
  }

  private static func printStack() {
    withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: 64) { frames in
      guard let base = frames.baseAddress else { return }
      printBacktrace(base, takeBacktrace(base, 64), 2)
    }
  }
}
