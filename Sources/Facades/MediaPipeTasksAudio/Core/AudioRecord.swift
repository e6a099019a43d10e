public import Foundation

/// A buffer for the newest samples of a microphone.
///
/// Code that uses this class compiles, but nothing is recorded, because this package doesn't access the microphone.
/// Record with the platform's own classes, such as `AVAudioEngine`, and pass the samples to
/// ``AudioData/load(buffer:offset:length:)``.
#if canImport(ObjectiveC)
  @objc(MPPAudioRecord) @objcMembers
#endif
open class AudioRecord: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  private static let channelCounts: ClosedRange<UInt> = 1...2

  /// The format of the recording.
  public let audioDataFormat: AudioDataFormat
  /// The capacity in samples, over all channels.
  public let bufferLength: UInt

  /// Creates a record with room for `bufferLength` samples, a multiple of the number of channels.
  ///
  /// - Throws: An `NSError` in the tasks' domain for other channel counts than 1 and 2, and for other lengths.
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

  /// Starts recording, which is not supported.
  ///
  /// - Throws: Always an `NSError` in the tasks' domain with the code of ``TasksErrorCode/unimplementedError`` and a
  ///   message with an alternative.
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

  /// Stops recording. This has no effect, because nothing is recorded.
  #if canImport(ObjectiveC)
    @objc(stopWithError:)
  #endif
  public func stop() throws {}

  /// Returns recorded samples, which is not supported.
  ///
  /// - Throws: Always an `NSError` in the tasks' domain with the code of
  ///   ``TasksErrorCode/audioRecordNotTappingMicError``.
  #if canImport(ObjectiveC)
    @objc(readAtOffset:withLength:error:)
  #endif
  public func read(offset: UInt, length: UInt) throws -> FloatBuffer {
    throw NSError.tasks(
      TasksFailure(.audioRecordNotTappingMicError, "Nothing is being recorded: the microphone is not tapped."))
  }
}

/// The newest samples that were loaded, up to the capacity, preceded by zeros if there were fewer.
struct RecentSamples {
  private(set) var values: [Float]

  /// Creates silence.
  ///
  /// - Parameter length: The number of samples, limited to the maximum size of a buffer.
  init(length: UInt) { values = [Float](repeating: 0, count: Int(min(length, FloatBuffer.maximumElements))) }

  /// Appends samples and drops as many old ones.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text if the range is out of the bounds of the buffer.
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
    // The end is at most the buffer's length, so the conversion doesn't overflow.
    values += UnsafeBufferPointer(start: buffer.data + (Int(end) - kept), count: kept)
  }
}

/// The running mode of an audio task. Programs that also import the vision tasks must write
/// `MediaPipeTasksAudio.RunningMode`.
#if canImport(ObjectiveC)
  @objc(MPPAudioRunningMode)
#endif
public enum RunningMode: UInt, Sendable {
  /// Independent clips; a call returns the result.
  case audioClips = 0
  /// Blocks of continuous audio, such as a microphone's; a call returns immediately, and the delegate receives the
  /// results.
  case audioStream = 1
}

extension RunningMode {
  /// Rejects a call that is for the other mode. MediaPipe's texts name the two modes in different ways.
  ///
  /// - Throws: `TasksFailure` with MediaPipe's text.
  func require(_ mode: RunningMode) throws(TasksFailure) {
    guard mode == self else {
      throw TasksFailure(
        task: "audio", calledFor: mode == .audioClips ? "audio clips" : "audio stream mode",
        current: self == .audioClips ? "audio clips" : "audio stream")
    }
  }

  /// Checks the delegate.
  ///
  /// - Throws: `TasksFailure` if a stream has no delegate, or a task in the other mode has one.
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
