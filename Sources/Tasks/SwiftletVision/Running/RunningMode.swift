/// How pictures come to a task.
public enum RunningMode: Int, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Pictures that have nothing to do with each other; a call returns the result.
  case image
  /// Frames of a video, each with its time; a call returns the result.
  case video
  /// Frames of a camera, each with its time; a call returns at once, and results are delivered as they come.
  case liveStream

  /// `image`, `video` or `live stream`.
  public var description: String {
    switch self {
    case .image: "image"
    case .video: "video"
    case .liveStream: "live stream"
    }
  }
}
