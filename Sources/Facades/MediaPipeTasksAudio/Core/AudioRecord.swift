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
  /// How many samples of all channels together there is room for.
  public let bufferLength: UInt

  /// A record with room for `bufferLength` samples, a multiple of the number of channels.
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
