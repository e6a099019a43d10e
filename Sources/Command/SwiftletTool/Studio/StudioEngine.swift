import Foundation
import Swiftlet
import SwiftletBase
import SwiftletCommandLine
import SwiftletVision

/// The loaded tasks and open videos of the studio. Both are limited in number: the least recently used ones are closed.
///
/// - Thread safety: callable concurrently. Tasks load one at a time.
final class StudioEngine: Sendable {
  /// The identity of a loaded task.
  struct Key: Hashable {
    var task: String
    var model: String
    var values: String
  }

  /// A video, whose times increase.
  private final class VideoFrames: Sendable {
    private let run: StudioRunnable.Video
    private let last = Mutex(Duration.milliseconds(-1))

    init(_ run: @escaping StudioRunnable.Video) { self.run = run }

    /// Returns the result of the next frame. A time that doesn't increase is replaced by the next millisecond.
    func result(_ image: InputImage, at time: Duration) throws -> StudioResult {
      let time = last.withLock { last in
        last = max(time, last + .milliseconds(1))
        return last
      }
      return try run(image, time)
    }
  }

  /// The maximum time of loading a task, and of a run.
  static let timeout = Duration.seconds(20)

  private let loading = NSLock()
  private let tasks = Mutex(RecentlyUsed<Key, StudioRunnable>(capacity: 4))
  /// The open videos by their names, each with the task that it belongs to.
  private let videos = Mutex(RecentlyUsed<String, (key: Key, frames: VideoFrames)>(capacity: 8))

  /// Returns a task, loaded if necessary.
  func runnable(
    _ task: StudioTask, _ model: StudioModel, _ values: StudioValues, _ key: Key
  ) throws -> StudioRunnable {
    if let found = tasks.withLock({ $0[key] }) { return found }
    loading.lock()
    defer { loading.unlock() }
    if let found = tasks.withLock({ $0[key] }) { return found }
    let arguments = try values.arguments(for: task)
    var base = BaseOptions(
      model: model.source,
      RuntimeOptions(threads: arguments.int("threads") ?? StudioTask.cores, timeout: Self.timeout))
    if arguments.takes("input-mean") { base.inputNormalization = try TaskArguments.inputNormalization(arguments) }
    base.limits.resultBytes = 1 << 28
    let runnable = try task.load(arguments, base)
    tasks.withLock { $0[key] = runnable }
    return runnable
  }

  /// Returns the result of a frame of a video.
  ///
  /// - Parameters:
  ///   - id: The name of the video, which the page chooses.
  ///   - runnable: The task.
  ///   - key: The identity of the task. A video of another task starts over.
  /// - Throws: `UsageError` if the task has no videos.
  func result(
    _ image: InputImage, at time: Duration, video id: String, _ runnable: StudioRunnable, _ key: Key
  ) throws -> StudioResult {
    if let video = videos.withLock({ $0[id] }), video.key == key { return try video.frames.result(image, at: time) }
    guard let video = runnable.video else { throw UsageError("\(key.task) has no video mode") }
    let frames = VideoFrames(video())
    videos.withLock { $0[id] = (key, frames) }
    return try frames.result(image, at: time)
  }
}

/// A dictionary of limited size, which removes the least recently used value.
struct RecentlyUsed<Key: Hashable, Value> {
  let capacity: Int
  /// The values, the least recently used first.
  private var entries: [(key: Key, value: Value)] = []

  init(capacity: Int) { self.capacity = capacity }

  subscript(key: Key) -> Value? {
    mutating get {
      guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
      entries.append(entries.remove(at: index))
      return entries.last?.value
    }
    set {
      entries.removeAll { $0.key == key }
      guard let newValue else { return }
      if entries.count >= capacity { entries.removeFirst() }
      entries.append((key, newValue))
    }
  }
}
