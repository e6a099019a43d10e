public import SwiftletTasks

/// A piece of sound: samples of one or more channels at a rate.
///
/// ```swift
/// let clip = try AudioClip(samples: microphone.samples, channelCount: 2, sampleRate: 44_100)
/// let recording = try AudioClip(contentsOf: "door.wav")
/// ```
/// Samples are usually in −1…1, but may be any finite numbers.
public struct AudioClip: Sendable, Hashable {
  /// The samples, frame after frame: the first of every channel, then the second of every channel, …
  public let samples: [Float]
  /// The number of channels: samples per frame.
  public let channelCount: Int
  /// Frames per second.
  public let sampleRate: Double

  /// The most channels that a clip may have.
  public static var maximumChannels: Int { 1024 }

  /// Creates a piece of sound from samples that are interleaved: frame after frame. It may be empty.
  ///
  /// - Throws: `TaskError` (`invalidAudio`) when the rate is not a positive number, the samples are not whole frames of
  ///   1…``maximumChannels`` channels, or one of them is not a finite number.
  public init(samples: [Float], channelCount: Int = 1, sampleRate: Double) throws(TaskError) {
    guard (1...Self.maximumChannels).contains(channelCount) else {
      throw TaskError(.invalidAudio, "sound has 1 to \(Self.maximumChannels) channels, got \(channelCount)")
    }
    guard sampleRate > 0, sampleRate.isFinite else {
      throw TaskError(.invalidAudio, "the sample rate is \(sampleRate); it must be a positive number of hertz")
    }
    guard samples.count.isMultiple(of: channelCount) else {
      throw TaskError(
        .invalidAudio, "\(samples.count) samples are not whole frames of \(channelCount) channels; some are missing")
    }
    if let index = Self.firstNotFinite(samples) {
      throw TaskError(
        .invalidAudio,
        "sample \(index / channelCount) of channel \(index % channelCount) is \(samples[index]); samples must be finite"
      )
    }
    self.samples = samples
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// Creates a piece of sound from an array for each channel.
  ///
  /// - Throws: `TaskError` (`invalidAudio`) when the arrays differ in length, and as ``init(samples:channelCount:sampleRate:)``.
  public init(channels: [[Float]], sampleRate: Double) throws(TaskError) {
    let frameCount = channels.first?.count ?? 0
    if let other = channels.first(where: { $0.count != frameCount }) {
      throw TaskError(.invalidAudio, "channels must be equally long, got \(frameCount) and \(other.count) samples")
    }
    var samples: [Float] = []
    samples.reserveCapacity(frameCount * channels.count)
    for frame in 0..<frameCount { for channel in channels { samples.append(channel[frame]) } }
    try self.init(samples: samples, channelCount: channels.count, sampleRate: sampleRate)
  }

  /// The number of samples per channel.
  public var frameCount: Int { samples.count / channelCount }

  private static func firstNotFinite(_ samples: [Float]) -> Int? {
    samples.withUnsafeBufferPointer { samples in
      // A number times zero is zero, infinity and NaN are not: one sum tells about all samples, and the compiler makes
      // vectors of it.
      var sums = SIMD8<Float>.zero
      var index = 0
      while index + 8 <= samples.count {
        for lane in 0..<8 { sums[lane] += samples[index + lane] * 0 }
        index += 8
      }
      while index < samples.count {
        sums[0] += samples[index] * 0
        index += 1
      }
      return sums == .zero ? nil : samples.firstIndex { !$0.isFinite }
    }
  }
}
