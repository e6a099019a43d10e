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
  /// Refuses a call that is for the other mode. MediaPipe's texts name the two modes in different ways.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text.
  func require(_ mode: RunningMode) throws(TasksFailure) {
    guard mode == self else {
      throw TasksFailure(
        task: "audio", calledFor: mode == .audioClips ? "audio clips" : "audio stream mode",
        current: self == .audioClips ? "audio clips" : "audio stream")
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
