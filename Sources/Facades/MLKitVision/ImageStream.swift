import SwiftletBase
package import SwiftletImage
package import SwiftletTasks
@_spi(Facades) package import SwiftletVision

/// The frames of a camera or a video for a task. The stream starts over if a timestamp is not later than the last one,
/// as in ML Kit, and if the size or the orientation of the frames changes.
///
/// - Thread safety: callable concurrently; frames are processed one by one.
package final class ImageStream<SomeTask: VisionTask>: Sendable {
  /// The size and orientation of a frame.
  private struct Format: Sendable, Equatable {
    var width: Int
    var height: Int
    var orientation: ImageOrientation

    init(_ image: InputImage) { (width, height, orientation) = (image.width, image.height, image.orientation) }
  }

  private struct State: Sendable {
    var session: VideoSession<SomeTask>
    var last: (format: Format, time: Duration)?
  }

  private let task: SomeTask
  private let state: Mutex<State>

  /// Creates a stream without frames.
  package init(_ task: SomeTask) {
    self.task = task
    state = Mutex(State(session: task.video()))
  }

  /// Returns the output of the task for the next frame.
  package func output(for image: InputImage, at time: Duration) throws(TaskError) -> SomeTask.Output {
    try state.withLock { state throws(TaskError) in
      let format = Format(image)
      if let last = state.last, time <= last.time || format != last.format { state.session = task.video() }
      state.last = (format, time)
      return try state.session.output(for: image, at: time)
    }
  }
}
