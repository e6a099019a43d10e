import Foundation
import SwiftletBase

/// A download that is under way, and everybody who asked for it.
final class Download: Sendable {
  typealias Outcome = Result<LocalModel, ModelStoreError>

  private struct Waiter {
    var progress: Progress
    var completion: @Sendable (Outcome) -> Void
  }

  private struct Content {
    var waiters: [Int: Waiter] = [:]
    var nextID = 0
    var state = ModelDownloadState.checking
    var task: Task<Void, Never>?
    /// Nobody can join any more: it is done, or nobody wanted it.
    var isOver = false
  }

  private let content = Mutex(Content())

  var state: ModelDownloadState { content.withLock { $0.state } }

  /// Adds someone who wants the model.
  ///
  /// - Returns: a number to leave with, or `nil` when the download is over and another one has to be started.
  func join(_ progress: Progress, _ completion: @escaping @Sendable (Outcome) -> Void) -> Int? {
    content.withLock { content in
      guard !content.isOver else { return nil }
      content.nextID += 1
      content.waiters[content.nextID] = Waiter(progress: progress, completion: completion)
      return content.nextID
    }
  }

  /// The work begins; called once.
  func start(_ work: @escaping @Sendable () async -> Void) {
    content.withLock { content in
      content.task = Task { await work() }
      if content.isOver { content.task?.cancel() }
    }
  }

  /// Someone does not want the model any more. The work ends when nobody does.
  ///
  /// - Returns: whether it ends.
  func leave(_ id: Int) -> Bool {
    let (waiter, task) = content.withLock { content -> (Waiter?, Task<Void, Never>?) in
      guard let waiter = content.waiters.removeValue(forKey: id) else { return (nil, nil) }
      guard content.waiters.isEmpty else { return (waiter, nil) }
      content.isOver = true
      return (waiter, content.task)
    }
    task?.cancel()
    waiter?.completion(.failure(.cancelled))
    return content.withLock { $0.isOver }
  }

  func report(_ report: ModelFetch.Report) {
    switch report {
    case .state(let state): content.withLock { $0.state = state }
    case .bytes(let count, let total):
      for waiter in content.withLock({ Array($0.waiters.values) }) {
        // The Foundation of Linux ends the program where a number of units above 0 becomes 0.
        waiter.progress.totalUnitCount = total.map { $0 > 0 ? $0 : -1 } ?? -1
        // The last byte counts when the file is checked: a progress that has all of them is finished.
        waiter.progress.completedUnitCount = total.map { max(0, min(count, $0 - 1)) } ?? count
      }
    }
  }

  /// The work is done: tells everybody who is left.
  func finish(_ outcome: Outcome, byteCount: Int64?) {
    let waiters = content.withLock { content in
      content.isOver = true
      defer { content.waiters = [:] }
      return content.waiters.sorted { $0.key < $1.key }.map(\.value)
    }
    for waiter in waiters {
      if let byteCount, byteCount > 0 {
        waiter.progress.totalUnitCount = byteCount
        waiter.progress.completedUnitCount = byteCount
      }
      waiter.completion(outcome)
    }
  }
}
