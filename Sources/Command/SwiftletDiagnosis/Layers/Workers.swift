import Dispatch
import SwiftletBase
import SwiftletEngine

/// Runs workers on inputs side by side.
enum Workers {
  /// The memory that all workers of a diagnosis may take. One worker may take more.
  private static let maximumByteCount = 1 << 30

  private struct Progress {
    var next = 0
    var done = 0
    var error: (any Error)?
  }

  /// Workers that other threads use, each of them one.
  private struct Moved<Worker>: @unchecked Sendable {
    let workers: [Worker]
  }

  /// Runs each input on one of several workers.
  ///
  /// - Parameters:
  ///   - make: Creates a worker.
  ///   - byteCount: Returns the memory of a worker. There are as many as the threads of the options, if their memory is
  ///     moderate.
  ///   - run: Runs a worker on an input.
  /// - Returns: The workers; one if there are no inputs.
  /// - Throws: The first error, and the end of the current call.
  static func run<Worker>(
    _ inputs: [DiagnosisInput], options: RuntimeOptions, progress: (@Sendable (Double) -> Void)?,
    make: () throws -> Worker, byteCount: (Worker) -> Int,
    run: @escaping @Sendable (Worker, DiagnosisInput) throws -> Void
  ) throws -> [Worker] {
    var workers = [try make()]
    let room = maximumByteCount / max(1, byteCount(workers[0]))
    while workers.count < min(options.threads, inputs.count, room) { workers.append(try make()) }
    let state = Mutex(Progress())
    let context = CallContext.current
    let moved = Moved(workers: workers)
    @Sendable func work(_ worker: Int) throws {
      while true {
        let next = state.withLock { state -> Int? in
          guard state.error == nil, state.next < inputs.count else { return nil }
          defer { state.next += 1 }
          return state.next
        }
        guard let next else { return }
        try run(moved.workers[worker], inputs[next])
        let done = state.withLock { state in
          state.done += 1
          return state.done
        }
        progress?(Double(done) / Double(inputs.count))
      }
    }
    DispatchQueue.concurrentPerform(iterations: moved.workers.count) { index in
      do {
        guard let context else { return try work(index) }
        try context.carry { try work(index) }
      } catch {
        state.withLock { if $0.error == nil { $0.error = error } }
      }
    }
    if let error = state.withLock({ $0.error }) { throw error }
    return workers
  }
}
