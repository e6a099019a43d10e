import SwiftletAudio

/// How sound comes to a task. A program that also imports the tasks on pictures says `MediaPipeTasksAudio.RunningMode`.
#if canImport(ObjectiveC)
  @objc(MPPAudioRunningMode)
#endif
public enum RunningMode: UInt, Sendable {
  /// Clips that have nothing to do with each other; a call returns the result.
  case audioClips = 0
  /// Blocks of one sound, such as a microphone's; a call returns at once, and the delegate receives the results.
  case audioStream = 1
}

extension RunningMode {
  var value: AudioRunningMode {
    switch self {
    case .audioClips: .audioClips
    case .audioStream: .audioStream
    }
  }

  /// - Throws: `TasksFailure` when a stream has no delegate, or a task in the other mode has one.
  func requireDelegate(_ delegate: AnyObject?) throws(TasksFailure) {
    switch (self, delegate) {
    case (.audioStream, nil):
      throw TasksFailure(
        misuse:
          "The audio task is in audio stream mode. An object must be set as the delegate of the task in its options to ensure asynchronous delivery of results."
      )
    case (.audioClips, _?):
      throw TasksFailure(
        misuse: "The audio task is in audio clips mode. The delegate must not be set in the task's options.")
    case (.audioStream, _?), (.audioClips, nil): break
    }
  }
}
