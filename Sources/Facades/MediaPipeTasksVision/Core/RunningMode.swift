/// How pictures come to a task.
#if canImport(ObjectiveC)
  @objc(MPPRunningMode)
#endif
public enum RunningMode: UInt, Sendable {
  /// Pictures that have nothing to do with each other; a call returns the result.
  case image = 0
  /// Frames of a video, each with its time; a call returns the result.
  case video = 1
  /// Frames of a camera, each with its time; a call returns at once, and the delegate receives the results.
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

  /// - Throws: `TasksFailure` when a live stream has no delegate, or a task in another mode has one.
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
