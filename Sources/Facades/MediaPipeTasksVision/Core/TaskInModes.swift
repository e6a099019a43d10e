import Foundation
import SwiftletBase
import SwiftletImage
import SwiftletTasks
@_spi(Facades) import SwiftletVision

/// A task in one of MediaPipe's running modes. It rejects calls of other modes and mirrored images with MediaPipe's
/// error texts, and generates timestamps for single images.
///
/// - Thread safety: callable concurrently.
final class TaskInModes<Task: VisionTask>: Sendable {
  /// Receives an output with its timestamp in milliseconds, or an error with `Int.min`, MediaPipe's value for no
  /// timestamp.
  typealias Receive<Receiver> = @Sendable (Receiver, (output: Task.Output, time: Duration)?, Int, (any Error)?) -> Void

  let task: Task
  private let mode: RunningMode
  private let still: @Sendable (Task, InputImage, NormalizedRect?) throws -> Task.Output
  /// Whether single images are processed as frames of a video, one second apart.
  private let tracksImages: Bool
  private let times = ImageTimes()
  private let video: VideoSession<Task>
  /// The session of live-stream mode.
  private let live = Mutex<LiveSession<Task>?>(nil)

  /// Creates a task in a mode.
  ///
  /// - Parameter still: Returns the task's output for a single image, or a part of it.
  init(
    _ task: Task, _ mode: RunningMode, tracksImages: Bool = false,
    still: @escaping @Sendable (Task, InputImage, NormalizedRect?) throws -> Task.Output
  ) {
    (self.task, self.mode, self.still, self.tracksImages) = (task, mode, still, tracksImages)
    video = task.video()
  }

  /// The number of frames of the live stream that were dropped because the task was busy.
  var droppedFrameCount: Int { live.withLock { $0 }?.droppedFrameCount ?? 0 }

  /// Returns the output for a single image, and its synthetic timestamp.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text in another mode and for a mirrored image, and the task's error.
  func image(_ image: MPImage, region: NormalizedRect? = nil) throws -> (output: Task.Output, time: Duration) {
    let input = try accept(image, in: .image)
    let time = times.tick()
    let output =
      tracksImages ? try video.output(for: input, region: region, at: time) : try still(task, input, region)
    return (output, time)
  }

  /// Returns the output for a frame of a video, and its timestamp.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text in another mode and for a mirrored image, and the task's error.
  func frame(
    _ image: MPImage, region: NormalizedRect? = nil, at milliseconds: Int
  ) throws -> (output: Task.Output, time: Duration) {
    let (input, time) = (try accept(image, in: .video), Duration.milliseconds(milliseconds))
    return (try video.output(for: input, region: region, at: time), time)
  }

  /// Submits a frame of the live stream.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text in another mode and for a mirrored image, and the task's error.
  func send(_ image: MPImage, region: NormalizedRect? = nil, at milliseconds: Int) throws {
    let input = try accept(image, in: .liveStream)
    try live.withLock { $0 }?.send(input, inRegion: region, at: .milliseconds(milliseconds))
  }

  private func accept(_ image: MPImage, in mode: RunningMode) throws -> InputImage {
    let input = try image.inputImage()
    guard mode == self.mode else {
      throw TasksFailure(task: "vision", calledFor: "\(mode.name) mode", current: self.mode.name)
    }
    guard !input.orientation.isMirrored else { throw TasksFailure(mirroredOrientation: "\(input.orientation)") }
    return input
  }

  /// Delivers the results of the live stream to `receiver`, one by one, until `receiver` is released.
  ///
  /// - Parameter queue: A serial queue; `nil` for the session's own.
  func deliver<Receiver: AnyObject & Sendable>(
    to receiver: Receiver, on queue: DispatchQueue?, _ receive: @escaping Receive<Receiver>
  ) {
    guard mode == .liveStream else { return }
    let session = task.live { [weak receiver] frame in
      let deliver: @Sendable () -> Void = { [weak receiver] in
        guard let receiver else { return }
        switch frame.result {
        case .success(let output): receive(receiver, (output, frame.time), frame.time.inMilliseconds, nil)
        case .failure(let error): receive(receiver, nil, Int.min, NSError.tasks(error))
        }
      }
      if let queue { queue.async(execute: deliver) } else { deliver() }
    }
    live.withLock { $0 = session }
  }
}

/// The running mode of a vision task.
#if canImport(ObjectiveC)
  @objc(MPPRunningMode)
#endif
public enum RunningMode: UInt, Sendable {
  /// Independent images; a call returns the result.
  case image = 0
  /// Frames of a video, each with its timestamp; a call returns the result.
  case video = 1
  /// Frames of a camera, each with its timestamp; a call returns immediately, and the delegate receives the results.
  case liveStream = 2
}

extension RunningMode {
  /// The name of the mode in messages: `image`, `video`, or `live stream`.
  var name: String {
    switch self {
    case .image: "image"
    case .video: "video"
    case .liveStream: "live stream"
    }
  }

  /// Checks the delegate.
  ///
  /// - Throws: `TasksFailure` if a live stream has no delegate, or a task in another mode has one.
  func requireDelegate(_ delegate: AnyObject?) throws(TasksFailure) {
    switch (self, delegate) {
    case (.liveStream, nil):
      throw TasksFailure(
        misuse:
          "The vision task is in live stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
      )
    case (.image, _?), (.video, _?):
      throw TasksFailure(
        misuse: "The vision task is in image or video mode. The delegate must not be set in the task's options.")
    case (.liveStream, _?), (.image, nil), (.video, nil): break
    }
  }
}
