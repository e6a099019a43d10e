import TensorFlowLiteCommon

/// A delegate that replaces the CPU.
///
/// All are accepted, and none is used: models run on the processor, with the processor's numbers.
public protocol Delegate: AnyObject {}

extension Delegate {
  /// Says once for each kind of delegate that it is not used.
  func warn() { DeveloperMessages.warnOfProcessor(insteadOf: "\(type(of: self))") }
}

/// Asks for Apple's neural engine. Accepted on every platform; the model runs on the processor.
public final class CoreMLDelegate: Delegate, Sendable {
  /// The requested options.
  public let options: Options

  /// Creates a delegate with these options. It is failable as the original's is, and never `nil`.
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

  /// The options for the neural engine. None of it changes how the processor computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// The devices that it is meant for.
    public var enabledDevices = EnabledDevices.neuralEngine
    /// The version of Core ML; 0 for the newest.
    public var coreMLVersion = 0
    /// The most parts of the graph that are given away; 0 for no limit.
    public var maxDelegatedPartitions = 0
    /// The fewest nodes of a part that is given away.
    public var minNodesPerPartition = 2

    /// Creates options with their default values.
    public init() {}
  }
}

/// Asks for the GPU. Accepted on every platform; the model runs on the processor.
public final class MetalDelegate: Delegate, Sendable {
  /// The requested options.
  public let options: Options

  /// Creates a delegate with these options.
  public init(options: Options = Options()) { self.options = options }
}

extension MetalDelegate {
  /// The options for the GPU. None of it changes how the processor computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// Whether 16-bit numbers may stand in for 32-bit ones.
    public var isPrecisionLossAllowed = false
    /// The older name of ``isPrecisionLossAllowed``.
    @available(*, deprecated, renamed: "isPrecisionLossAllowed")
    public var allowsPrecisionLoss: Bool {
      get { isPrecisionLossAllowed }
      set { isPrecisionLossAllowed = newValue }
    }
    /// The way in which the caller waits for results.
    public var waitType = ThreadWaitType.passive
    /// Whether quantized models are taken.
    public var isQuantizationEnabled = true

    /// Creates options with their default values.
    public init() {}
  }
}

/// The way in which a caller waits for the GPU.
public enum ThreadWaitType: Equatable, Hashable, Sendable {
  /// Not at all.
  case none
  /// It sleeps.
  case passive
  /// It looks again and again.
  case active
  /// It looks again and again, and keeps the GPU busy meanwhile.
  case aggressive
}
