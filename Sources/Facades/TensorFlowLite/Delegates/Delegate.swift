import TensorFlowLiteCommon

/// A delegate that replaces the CPU.
///
/// All delegates are accepted, and none is used: models run on the CPU, with the CPU's numerics.
public protocol Delegate: AnyObject {}

extension Delegate {
  /// Warns once for each kind of delegate that it is not used.
  func warn() { DeveloperMessages.warnOfProcessor(insteadOf: "\(type(of: self))") }
}

/// A delegate for the Apple Neural Engine. Accepted on every platform; the model runs on the CPU.
public final class CoreMLDelegate: Delegate, Sendable {
  /// The requested options.
  public let options: Options

  /// Creates a delegate with the given options. Like TensorFlow Lite's, the initializer is failable, but it never
  /// returns `nil`.
  public init?(options: Options = Options()) { self.options = options }
}

extension CoreMLDelegate {
  /// The devices on which TensorFlow Lite creates a delegate.
  public enum EnabledDevices: Equatable, Hashable, Sendable {
    /// Devices with a Neural Engine.
    case neuralEngine
    /// All devices.
    case all
  }

  /// The options for the Neural Engine. They don't change how the CPU computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// The devices on which to use the delegate.
    public var enabledDevices = EnabledDevices.neuralEngine
    /// The version of Core ML; 0 for the newest.
    public var coreMLVersion = 0
    /// The maximum number of delegated partitions; 0 for no limit.
    public var maxDelegatedPartitions = 0
    /// The minimum number of nodes in a delegated partition.
    public var minNodesPerPartition = 2

    /// Creates options with their default values.
    public init() {}
  }
}

/// A delegate for the GPU. Accepted on every platform; the model runs on the CPU.
public final class MetalDelegate: Delegate, Sendable {
  /// The requested options.
  public let options: Options

  /// Creates a delegate with the given options.
  public init(options: Options = Options()) { self.options = options }
}

extension MetalDelegate {
  /// The options for the GPU. They don't change how the CPU computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// A Boolean value that indicates whether 16-bit floating-point numbers may replace 32-bit ones.
    public var isPrecisionLossAllowed = false
    /// The former name of ``isPrecisionLossAllowed``.
    @available(*, deprecated, renamed: "isPrecisionLossAllowed")
    public var allowsPrecisionLoss: Bool {
      get { isPrecisionLossAllowed }
      set { isPrecisionLossAllowed = newValue }
    }
    /// The way in which the caller waits for results.
    public var waitType = ThreadWaitType.passive
    /// A Boolean value that indicates whether quantized models are allowed.
    public var isQuantizationEnabled = true

    /// Creates options with their default values.
    public init() {}
  }
}

/// The way in which a caller waits for the GPU.
public enum ThreadWaitType: Equatable, Hashable, Sendable {
  /// The caller doesn't wait.
  case none
  /// The caller sleeps.
  case passive
  /// The caller polls.
  case active
  /// The caller polls, and keeps the GPU busy meanwhile.
  case aggressive
}
