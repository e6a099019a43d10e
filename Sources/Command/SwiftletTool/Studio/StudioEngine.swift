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
  private struct Key: Hashable {
    var task: String
    var model: String
    var values: String
  }

  private struct Video {
    var key: Key
    var id: String
    let frames: VideoFrames
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

  private static let maximumTasks = 4
  private static let maximumVideos = 8
  /// The maximum time of loading a task, and of a run.
  static let timeout = Duration.seconds(20)

  private let loading = NSLock()
  private let tasks = Mutex<[(key: Key, runnable: StudioRunnable)]>([])
  private let videos = Mutex<[Video]>([])

  /// Returns a task, loaded if necessary.
  func runnable(_ task: StudioTask, _ model: StudioModel, _ values: StudioValues) throws -> StudioRunnable {
    try runnable(task, model, values, Key(task: task.id, model: model.id, values: values.key))
  }

  private func runnable(
    _ task: StudioTask, _ model: StudioModel, _ values: StudioValues, _ key: Key
  ) throws -> StudioRunnable {
    if let found = loaded(key) { return found }
    loading.lock()
    defer { loading.unlock() }
    if let found = loaded(key) { return found }
    let arguments = try values.arguments(for: task)
    var base = BaseOptions(
      model: model.source,
      RuntimeOptions(threads: arguments.int("threads") ?? StudioTask.cores, timeout: Self.timeout))
    if arguments.takes("input-mean") { base.inputNormalization = try TaskArguments.inputNormalization(arguments) }
    base.limits.resultBytes = 1 << 28
    let runnable = try task.load(arguments, base)
    tasks.withLock { tasks in
      if tasks.count >= Self.maximumTasks { tasks.removeFirst() }
      tasks.append((key, runnable))
    }
    return runnable
  }

  /// Returns a loaded task, and moves it to the end of the list.
  private func loaded(_ key: Key) -> StudioRunnable? {
    tasks.withLock { tasks in
      guard let index = tasks.firstIndex(where: { $0.key == key }) else { return nil }
      let found = tasks.remove(at: index)
      tasks.append(found)
      return found.runnable
    }
  }

  /// Returns the result of a frame of a video.
  ///
  /// - Parameter id: The name of the video, which the page chooses.
  /// - Throws: `UsageError` if the task has no videos.
  func result(
    _ image: InputImage, at time: Duration, video id: String, _ task: StudioTask, _ model: StudioModel,
    _ values: StudioValues
  ) throws -> StudioResult {
    let key = Key(task: task.id, model: model.id, values: values.key)
    if let video = open(id, key) { return try video.result(image, at: time) }
    guard let video = try runnable(task, model, values, key).video else {
      throw UsageError("\(task.id) has no video mode")
    }
    let frames = VideoFrames(video())
    videos.withLock { videos in
      videos.removeAll { $0.id == id }
      if videos.count >= Self.maximumVideos { videos.removeFirst() }
      videos.append(Video(key: key, id: id, frames: frames))
    }
    return try frames.result(image, at: time)
  }

  /// Returns an open video, and moves it to the end of the list.
  private func open(_ id: String, _ key: Key) -> VideoFrames? {
    videos.withLock { videos in
      guard let index = videos.firstIndex(where: { $0.id == id && $0.key == key }) else { return nil }
      let found = videos.remove(at: index)
      videos.append(found)
      return found.frames
    }
  }
}
