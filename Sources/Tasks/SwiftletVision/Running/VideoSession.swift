public import SwiftletImage
public import SwiftletTasks

/// A task that processes images.
public protocol VisionTask: Sendable {
  /// The output for an image.
  associatedtype Output: Sendable

  /// Opens a session for the frames of one video.
  func video() -> VideoSession<Self>
}

/// A vision task that can process a part of an image.
public protocol RegionTask: VisionTask {}

/// A session for the frames of one video, which are processed in order.
///
/// A session owns the clock of the video and, for landmark tasks, the tracking state. Sessions of one task share its
/// models and are independent of each other.
///
/// ```swift
/// let video = landmarker.video()
/// for (frame, time) in frames { show(try video.hands(in: frame, at: time)) }
/// ```
/// - Thread safety: callable concurrently; frames are processed one by one.
public final class VideoSession<SomeTask: VisionTask>: Sendable {
  let frames: FrameSession<VisionInput, SomeTask.Output>

  init(_ frames: FrameSession<VisionInput, SomeTask.Output>) { self.frames = frames }

  /// Returns the output for the next frame; the public methods of each task are defined next to the task.
  @_spi(Facades)
  public func output(
    for frame: InputImage, region: NormalizedRect? = nil, at time: Duration
  ) throws(TaskError) -> SomeTask.Output {
    try frames.output(for: VisionInput(frame, region: region), at: time)
  }

  func output(
    for frame: InputImage, region: NormalizedRect? = nil, at time: Duration, priority: TaskPriority
  ) async throws -> SomeTask.Output {
    try await frames.output(for: VisionInput(frame, region: region), at: time, priority: priority)
  }
}

/// The input of a vision task: an image, or a part of it.
package struct VisionInput: Sendable {
  package var image: InputImage
  /// The part, in coordinates of the stored image; `nil` for the whole image. It may be rotated.
  package var region: NormalizedRect?

  package init(_ image: InputImage, region: NormalizedRect? = nil) {
    self.image = image
    self.region = region
  }
}

/// A vision task's steps from an image to its output.
typealias VisionPipeline = TaskPipeline
