public import Foundation

/// The number of channels of a sound, and its sample rate. Two are equal when both are.
#if canImport(ObjectiveC)
  @objc(MPPAudioDataFormat) @objcMembers
#endif
open class AudioDataFormat: NSObject, @unchecked Sendable {
  // Unchecked because an open class cannot be checked: this one has constants only, all of them Sendable.

  /// How many channels there are.
  public let channelCount: UInt
  /// Frames per second.
  public let sampleRate: Double

  /// A format of these values.
  public init(channelCount: UInt, sampleRate: Double) {
    self.channelCount = channelCount
    self.sampleRate = sampleRate
  }

  /// The format of a sound with one channel.
  public convenience init(sampleRate: Double) { self.init(channelCount: 1, sampleRate: sampleRate) }

  /// Of the number of channels and the rate.
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
