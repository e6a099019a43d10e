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
  /// The number of interleaved channels, and the sample rate.
  public let format: AudioDataFormat
  private var samples: RecentSamples

  /// Creates samples of silence.
  ///
  /// - Parameters:
  ///   - format: how many channels the samples have, and their rate.
  ///   - sampleCount: how many samples of each channel there is room for; of all channels together at most
  ///     ``FloatBuffer/maximumElements``.
  public init(format: AudioDataFormat, sampleCount: UInt) {
    self.format = format
    let (length, overflows) = sampleCount.multipliedReportingOverflow(by: format.channelCount)
    samples = RecentSamples(length: overflows ? .max : length)
  }

  /// A copy of the samples, the newest at the end.
  public var buffer: FloatBuffer { FloatBuffer(samples.values) }

  /// The capacity in samples of all channels together.
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

/// The number of channels of a sound, and its sample rate. Two are equal when both are.
#if canImport(ObjectiveC)
  @objc(MPPAudioDataFormat) @objcMembers
#endif
open class AudioDataFormat: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// The number of channels.
  public let channelCount: UInt
  /// Frames per second.
  public let sampleRate: Double

  /// Creates a format of these values.
  public init(channelCount: UInt, sampleRate: Double) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// Creates the format of a sound with one channel.
  public convenience init(sampleRate: Double) { self.init(channelCount: 1, sampleRate: sampleRate) }

  /// The format in channels and sample rate.
  open override var hash: Int {
    var hasher = Hasher()
    hasher.combine(channelCount)
    hasher.combine(sampleRate)
    return hasher.finalize()
  }

  /// Whether `object` is a format of as many channels and the same rate.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AudioDataFormat else { return false }
    return channelCount == other.channelCount && sampleRate == other.sampleRate
  }
}

/// Floats in memory of their own.
#if canImport(ObjectiveC)
  @objc(MPPFloatBuffer) @objcMembers
#endif
open class FloatBuffer: NSObject, NSCopying {
  /// The most floats that a buffer has: a gigabyte. A longer one is cut to it.
  public static let maximumElements: UInt = 1 << 28

  /// The number of floats.
  public let length: UInt
  /// The floats; valid for as long as the buffer is there.
  public let data: UnsafeMutablePointer<Float>

  /// Creates a buffer with a copy of `length` floats, or of zeros where `data` is `nil`.
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

  /// Creates a buffer with a copy of an array: an addition to MediaPipe's interface.
  public convenience init(_ values: [Float]) {
    self.init(length: UInt(values.count))
    for (index, value) in values.prefix(Int(length)).enumerated() { data[index] = value }
  }

  deinit { data.deallocate() }

  /// Sets all floats to zero.
  public func clear() { data.update(repeating: 0, count: Int(length)) }

  /// A buffer of the same floats in memory of its own.
  open func copy(with zone: NSZone? = nil) -> Any { FloatBuffer(data: data, length: length) }

  var values: [Float] { Array(UnsafeBufferPointer(start: data, count: Int(length))) }
}
