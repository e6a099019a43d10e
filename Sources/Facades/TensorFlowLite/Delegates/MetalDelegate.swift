/// Asks for the graphics processor. Accepted on every platform; the model runs on the processor.
public final class MetalDelegate: Delegate, Sendable {
  /// What was asked for.
  public let options: Options

  /// A delegate with these options.
  public init(options: Options = Options()) { self.options = options }
}

extension MetalDelegate {
  /// How the graphics processor would be used. None of it changes how the processor computes.
  public struct Options: Equatable, Hashable, Sendable {
    /// Whether 16-bit numbers may stand in for 32-bit ones.
    public var isPrecisionLossAllowed = false
    /// The older name of ``isPrecisionLossAllowed``.
    @available(*, deprecated, renamed: "isPrecisionLossAllowed")
    public var allowsPrecisionLoss: Bool {
      get { isPrecisionLossAllowed }
      set { isPrecisionLossAllowed = newValue }
    }
    /// How the caller waits for results.
    public var waitType = ThreadWaitType.passive
    /// Whether quantised models are taken.
    public var isQuantizationEnabled = true

    /// Options with their default values.
    public init() {}
  }
}

/// How a caller waits for the graphics processor.
public enum ThreadWaitType: Equatable, Hashable, Sendable {
  /// Not at all.
  case none
  /// It sleeps.
  case passive
  /// It looks again and again.
  case active
  /// It looks again and again, and keeps the graphics processor busy meanwhile.
  case aggressive
}
