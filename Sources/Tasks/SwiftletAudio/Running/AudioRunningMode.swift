/// How sound comes to a task.
public enum AudioRunningMode: Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// Clips that have nothing to do with each other; a call returns what is in all of a clip.
  case audioClips
  /// Blocks of one continuous sound, such as a microphone's; results come as soon as a window is full.
  case audioStream

  /// As messages name it.
  public var description: String {
    switch self {
    case .audioClips: "audio clips"
    case .audioStream: "audio stream"
    }
  }
}
