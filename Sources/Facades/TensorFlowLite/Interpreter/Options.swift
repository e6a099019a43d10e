extension Interpreter {
  /// How a model is run.
  public struct Options: Equatable, Hashable, Sendable {
    /// The most threads that a run uses; `nil` or no positive number for as many as the engine chooses.
    public var threadCount: Int?
    /// Whether the original uses XNNPACK. Accepted, and without effect: the kernels here are always as fast.
    public var isXNNPackEnabled = false

    /// Options with their default values.
    public init() {}
  }
}

/// The older name of `Interpreter.Options`.
@available(*, deprecated, renamed: "Interpreter.Options")
public typealias InterpreterOptions = Interpreter.Options
