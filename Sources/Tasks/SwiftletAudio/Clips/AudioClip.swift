public import SwiftletTasks

/// An audio clip: samples of one or more channels at a sample rate.
///
/// ```swift
/// let clip = try AudioClip(samples: microphone.samples, channelCount: 2, sampleRate: 44_100)
/// let recording = try AudioClip(contentsOf: "door.wav")
/// ```
/// Samples are usually in −1…1, but may be any finite numbers.
public struct AudioClip: Sendable, Hashable {
  /// The interleaved samples: the first sample of every channel, then the second sample of every channel, …
  public let samples: [Float]
  /// The number of channels, which is the number of samples per frame.
  public let channelCount: Int
  /// The sample rate: the number of frames per second.
  public let sampleRate: Double

  /// The maximum number of channels in a clip.
  public static var maximumChannels: Int { 1024 }

  /// Creates a clip from interleaved samples. It may be empty.
  ///
  /// - Throws: `TaskError` (`invalidAudio`) if the rate is not a positive number, the samples are not whole frames of
  ///   1…``maximumChannels`` channels, or a sample is not finite.
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

  /// Creates a clip from one array of samples per channel.
  ///
  /// - Throws: `TaskError` (`invalidAudio`) if the arrays differ in length, and the same errors as
  ///   ``init(samples:channelCount:sampleRate:)``.
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
      // The product of zero and a finite number is zero, but the product of zero and infinity or NaN is NaN. One sum
      // thus checks all samples, and the compiler vectorizes it.
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
