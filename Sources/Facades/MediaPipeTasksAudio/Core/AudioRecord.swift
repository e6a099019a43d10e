public import Foundation

/// The newest samples of a microphone.
///
/// Code that uses it compiles, but nothing is recorded: this package asks for no microphone. Record with the platform's
/// own classes, such as `AVAudioEngine`, and hand the samples to ``AudioData/load(buffer:offset:length:)``.
#if canImport(ObjectiveC)
  @objc(MPPAudioRecord) @objcMembers
#endif
open class AudioRecord: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  private static let channelCounts: ClosedRange<UInt> = 1...2

  /// The format of what is recorded.
  public let audioDataFormat: AudioDataFormat
  /// The capacity in samples of all channels together.
  public let bufferLength: UInt

  /// Creates a record with room for `bufferLength` samples, a multiple of the number of channels.
  ///
  /// - Throws: an `NSError` of the tasks' domain for other numbers of channels than 1 and 2, and for other lengths.
  public init(audioDataFormat: AudioDataFormat, bufferLength: UInt) throws {
    guard Self.channelCounts.contains(audioDataFormat.channelCount) else {
      throw NSError.tasks(
        TasksFailure(
          misuse:
            "The channel count provided does not match the supported channel count. Only channels counts in the range [1 : 2] are supported"
        ))
    }
    guard bufferLength.isMultiple(of: audioDataFormat.channelCount) else {
      throw NSError.tasks(
        TasksFailure(
          misuse:
            "The buffer length provided (\(bufferLength)) is not a multiple of channel count(\(audioDataFormat.channelCount))."
        ))
    }
    self.audioDataFormat = audioDataFormat
    self.bufferLength = bufferLength
  }

  /// Would begin to record.
  ///
  /// - Throws: always an `NSError` of the tasks' domain with the code of ``TasksErrorCode/unimplementedError``, which
  ///   says what to do instead.
  #if canImport(ObjectiveC)
    @objc(startRecordingWithError:)
  #endif
  public func startRecording() throws {
    throw NSError.tasks(
      TasksFailure(
        core: .unimplementedError,
        "AudioRecord does not record here: record with the platform's own classes, such as AVAudioEngine, and load the samples into AudioData."
      ))
  }

  /// Ends recording: nothing happens, as nothing was recorded.
  #if canImport(ObjectiveC)
    @objc(stopWithError:)
  #endif
  public func stop() throws {}

  /// Would give what was recorded.
  ///
  /// - Throws: always an `NSError` of the tasks' domain with the code of
  ///   ``TasksErrorCode/audioRecordNotTappingMicError``.
  #if canImport(ObjectiveC)
    @objc(readAtOffset:withLength:error:)
  #endif
  public func read(offset: UInt, length: UInt) throws -> FloatBuffer {
    throw NSError.tasks(
      TasksFailure(.audioRecordNotTappingMicError, "Nothing is being recorded: the microphone is not tapped."))
  }
}

/// The newest of the samples that were loaded, as many as there is room for; zeros where there were fewer.
struct RecentSamples {
  private(set) var values: [Float]

  /// - Parameter length: cut to what a buffer may have.
  init(length: UInt) { values = [Float](repeating: 0, count: Int(min(length, FloatBuffer.maximumElements))) }

  /// Appends samples and forgets as many old ones.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text for samples that the buffer does not have.
  mutating func load(_ buffer: FloatBuffer, offset: UInt, length: UInt) throws(TasksFailure) {
    let (end, overflows) = offset.addingReportingOverflow(length)
    guard !overflows, end <= buffer.length else {
      throw TasksFailure(
        misuse:
          "Index out of range. `offset` (\(offset)) + `length` (\(length)) must be <= `floatBuffer.length` (\(buffer.length))"
      )
    }
    let kept = min(Int(length), values.count)
    values.removeFirst(kept)
    // The end is at most the buffer's length, which fits.
    values += UnsafeBufferPointer(start: buffer.data + (Int(end) - kept), count: kept)
  }
}

/// How sound comes to a task. A program that also imports the tasks on images says `MediaPipeTasksAudio.RunningMode`.
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
