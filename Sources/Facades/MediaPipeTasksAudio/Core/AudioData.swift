public import Foundation
import SwiftletAudio

/// The newest samples of a sound, as many as fit in.
///
/// ```swift
/// let clip = AudioData(format: AudioDataFormat(sampleRate: 16_000), sampleCount: 15_600)
/// try clip.load(buffer: FloatBuffer(samples), offset: 0, length: UInt(samples.count))
/// ```
#if canImport(ObjectiveC)
  @objc(MPPAudioData) @objcMembers
#endif
open class AudioData: NSObject {
  /// How many channels the samples are interleaved from, and their rate.
  public let format: AudioDataFormat
  private var samples: RecentSamples

  /// Silence.
  ///
  /// - Parameters:
  ///   - format: how many channels the samples have, and their rate.
  ///   - sampleCount: how many samples of each channel there is room for; of all channels together at most
  ///     ``FloatBuffer/mostElements``.
  public init(format: AudioDataFormat, sampleCount: UInt) {
    self.format = format
    let (length, overflows) = sampleCount.multipliedReportingOverflow(by: format.channelCount)
    samples = RecentSamples(length: overflows ? .max : length)
  }

  /// A copy of the samples, the newest at the end.
  public var buffer: FloatBuffer { FloatBuffer(samples.values) }

  /// How many samples of all channels together there is room for.
  public var bufferLength: UInt { UInt(samples.values.count) }

  /// Appends samples; old ones are forgotten where there is no room.
  ///
  /// - Parameters:
  ///   - buffer: samples, interleaved where there are several channels.
  ///   - offset: the first that is taken.
  ///   - length: how many are taken.
  /// - Throws: an `NSError` of the tasks' domain when the buffer does not have so many.
  #if canImport(ObjectiveC)
    @objc(loadBuffer:offset:length:error:)
  #endif
  public func load(buffer: FloatBuffer, offset: UInt, length: UInt) throws {
    try reportingTasksErrors { try samples.load(buffer, offset: offset, length: length) }
  }

  /// Appends what a record holds; old samples are forgotten where there is no room.
  ///
  /// - Throws: an `NSError` of the tasks' domain when the record has another format or nothing is being recorded.
  #if canImport(ObjectiveC)
    @objc(loadAudioRecord:error:)
  #endif
  public func load(audioRecord: AudioRecord) throws {
    guard audioRecord.audioDataFormat.isEqual(format) else {
      throw NSError.tasks(TasksFailure(misuse: "The provided audio record has incompatible audio format"))
    }
    let buffer = try audioRecord.read(offset: 0, length: audioRecord.bufferLength)
    try load(buffer: buffer, offset: 0, length: buffer.length)
  }

  /// - Throws: `TaskError` for what is no sound.
  func clip() throws(TaskError) -> AudioClip {
    try AudioClip(
      samples: samples.values, channelCount: Int(clamping: format.channelCount), sampleRate: format.sampleRate)
  }
}
