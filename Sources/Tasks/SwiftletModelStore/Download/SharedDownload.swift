import Foundation
import SwiftletBase

/// A transfer in progress, with all listeners to its progress.
final class SharedDownload: Sendable {
  typealias Updates = AsyncThrowingStream<DownloadProgress, any Error>

  private struct Content {
    var listeners: [Int: Updates.Continuation] = [:]
    var nextID = 0
    var progress = DownloadProgress.checking
    var task: Task<Void, Never>?
    /// Whether nobody can join any more, because the download has finished or its last listener has left.
    var isOver = false
  }

  private let content = Mutex(Content())

  /// The last step, or `nil` if the download is over.
  var progress: DownloadProgress? { content.withLock { $0.isOver ? nil : $0.progress } }

  /// Returns the steps from now on, or `nil` if the download is over and another one must be started.
  ///
  /// A listener leaves the download by releasing the sequence, or if it is cancelled while it waits for the next step.
  func join() -> Updates? {
    // Buffer only the newest step, which is all that a slow listener needs, so that memory is bounded.
    let (updates, continuation) = Updates.makeStream(bufferingPolicy: .bufferingNewest(1))
    let id: Int? = content.withLock { content in
      guard !content.isOver else { return nil }
      content.nextID += 1
      content.listeners[content.nextID] = continuation
      continuation.yield(content.progress)
      return content.nextID
    }
    guard let id else { return nil }
    continuation.onTermination = { _ in self.leave(id) }
    return updates
  }

  /// Starts the work. Called once.
  func start(_ work: @escaping @Sendable () async -> Void) {
    content.withLock { content in
      content.task = Task { await work() }
      if content.isOver { content.task?.cancel() }
    }
  }

  /// Removes a listener, and cancels the work if it was the last one.
  private func leave(_ id: Int) {
    let task = content.withLock { content -> Task<Void, Never>? in
      guard content.listeners.removeValue(forKey: id) != nil, content.listeners.isEmpty else { return nil }
      content.isOver = true
      return content.task
    }
    task?.cancel()
  }

  func report(_ progress: DownloadProgress) {
    content.withLock { content in
      content.progress = progress
      for listener in content.listeners.values { listener.yield(progress) }
    }
  }

  /// Ends the download for all remaining listeners.
  func finish(_ outcome: Result<InstalledModel, ModelStoreError>) {
    let listeners = content.withLock { content in
      content.isOver = true
      defer { content.listeners = [:] }
      return content.listeners.sorted { $0.key < $1.key }.map(\.value)
    }
    for listener in listeners {
      switch outcome {
      case .success(let model):
        listener.yield(.installed(model))
        listener.finish()
      case .failure(let error): listener.finish(throwing: error)
      }
    }
  }
}
