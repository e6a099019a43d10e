/// Asks for Apple's neural engine. Accepted on every platform; the model runs on the processor.
public final class CoreMLDelegate: Delegate, Sendable {
  /// What was asked for.
  public let options: Options

  /// A delegate with these options. It is failable as the original's is, and never `nil`.
  public init?(options: Options = Options()) { self.options = options }
}

extension CoreMLDelegate {
  /// On which devices the original makes a delegate.
  public enum EnabledDevices: Equatable, Hashable, Sendable {
    /// On those with a neural engine.
    case neuralEngine
    /// On all.
    case all
  }

  /// How the neural engine would be used. None of it changes how the processor computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// The devices that it is meant for.
    public var enabledDevices = EnabledDevices.neuralEngine
    /// The version of Core ML; 0 for the newest.
    public var coreMLVersion = 0
    /// The most parts of the graph that are given away; 0 for no limit.
    public var maxDelegatedPartitions = 0
    /// The fewest nodes of a part that is given away.
    public var minNodesPerPartition = 2

    /// Options with their default values.
    public init() {}
  }
}
