public import Foundation
import SwiftletAudio

/// A ring buffer with the newest samples of continuous audio.
///
/// ```swift
/// let clip = AudioData(format: AudioDataFormat(sampleRate: 16_000), sampleCount: 15_600)
/// try clip.load(buffer: FloatBuffer(samples), offset: 0, length: UInt(samples.count))
/// ```
#if canImport(ObjectiveC)
  @objc(MPPAudioData) @objcMembers
#endif
open class AudioData: NSObject {
  /// The format of the samples: the channel count and the sample rate.
  public let format: AudioDataFormat
  private var samples: RecentSamples

  /// Creates audio data with silence.
  ///
  /// - Parameters:
  ///   - format: The channel count and sample rate.
  ///   - sampleCount: The capacity in samples per channel; over all channels at most ``FloatBuffer/maximumElements``.
  public init(format: AudioDataFormat, sampleCount: UInt) {
    self.format = format
    let (length, overflows) = sampleCount.multipliedReportingOverflow(by: format.channelCount)
    samples = RecentSamples(length: overflows ? .max : length)
  }

  /// A copy of the samples, with the newest at the end.
  public var buffer: FloatBuffer { FloatBuffer(samples.values) }

  /// The capacity in samples, over all channels.
  public var bufferLength: UInt { UInt(samples.values.count) }

  /// Appends samples, and drops the oldest ones if there is no room.
  ///
  /// - Parameters:
  ///   - buffer: The samples, interleaved if there are several channels.
  ///   - offset: The index of the first sample to append.
  ///   - length: The number of samples to append.
  /// - Throws: An `NSError` in the tasks' domain if the range is out of the bounds of the buffer.
  #if canImport(ObjectiveC)
    @objc(loadBuffer:offset:length:error:)
  #endif
  public func load(buffer: FloatBuffer, offset: UInt, length: UInt) throws {
    try reportingTasksErrors { try samples.load(buffer, offset: offset, length: length) }
  }

  /// Appends the samples of an audio record, and drops the oldest ones if there is no room.
  ///
  /// - Throws: An `NSError` in the tasks' domain if the record has another format or nothing is being recorded.
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

  /// Returns the samples as a clip.
  ///
  /// - Throws: `TaskError` for invalid audio.
  func clip() throws(TaskError) -> AudioClip {
    try AudioClip(
      samples: samples.values, channelCount: Int(clamping: format.channelCount), sampleRate: format.sampleRate)
  }
}

/// The channel count and sample rate of audio. Two formats are equal if both values are.
#if canImport(ObjectiveC)
  @objc(MPPAudioDataFormat) @objcMembers
#endif
open class AudioDataFormat: NSObject, @unchecked Sendable {
  // Unchecked because the compiler cannot check an open class: this one has constants only, all of them `Sendable`.

  /// The number of channels.
  public let channelCount: UInt
  /// The sample rate: the number of frames per second.
  public let sampleRate: Double

  /// Creates a format.
  public init(channelCount: UInt, sampleRate: Double) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// Creates a mono format.
  public convenience init(sampleRate: Double) { self.init(channelCount: 1, sampleRate: sampleRate) }

  /// A hash of the channel count and the sample rate.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(channelCount)
    hasher.combine(sampleRate)
    return hasher.finalize()
  }

  /// Returns whether `object` is a format with the same channel count and sample rate.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AudioDataFormat else { return false }
    return channelCount == other.channelCount && sampleRate == other.sampleRate
  }
}

/// A buffer of floats with its own memory.
#if canImport(ObjectiveC)
  @objc(MPPFloatBuffer) @objcMembers
#endif
open class FloatBuffer: NSObject, NSCopying {
  /// The maximum number of floats in a buffer: 1 GB. Longer buffers are truncated.
  public static let maximumElements: UInt = 1 << 28

  /// The number of floats.
  public let length: UInt
  /// The floats; valid as long as the buffer exists.
  public let data: UnsafeMutablePointer<Float>

  /// Creates a buffer with a copy of `length` floats, or with zeros if `data` is `nil`.
  public init(data: UnsafePointer<Float>?, length: UInt) {
    self.length = min(length, Self.maximumElements)
    self.data = .allocate(capacity: Int(self.length))
    if let data {
      self.data.initialize(from: data, count: Int(self.length))
    } else {
      self.data.initialize(repeating: 0, count: Int(self.length))
    }
  }

  /// Creates a buffer of zeros.
  public convenience init(length: UInt) { self.init(data: nil, length: length) }

  /// Creates a buffer with a copy of an array. This is an addition to MediaPipe's API.
  public convenience init(_ values: [Float]) {
    self.init(length: UInt(values.count))
    for (index, value) in values.prefix(Int(length)).enumerated() { data[index] = value }
  }

  deinit { data.deallocate() }

  /// Sets all floats to zero.
  public func clear() { data.update(repeating: 0, count: Int(length)) }

  /// Returns a copy of the buffer.
  open func copy(with zone: NSZone? = nil) -> Any { FloatBuffer(data: data, length: length) }

  var values: [Float] { Array(UnsafeBufferPointer(start: data, count: Int(length))) }
}
