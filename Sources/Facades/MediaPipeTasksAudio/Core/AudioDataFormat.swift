public import Foundation

/// The number of channels of a sound, and its sample rate. Two are equal when both are.
public final class AudioDataFormat: NSObject, Sendable {
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

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(channelCount)
    hasher.combine(sampleRate)
    return hasher.finalize()
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? AudioDataFormat else { return false }
    return channelCount == other.channelCount && sampleRate == other.sampleRate
  }
}
