import TensorFlowLiteCommon

/// The environment of models. Nothing of it is needed here: it is accepted as LiteRT's is.
public final class Environment: Sendable {
  /// An option of an environment. All are accepted and none has an effect, as there are no plug-ins, no caches of
  /// compiled code and no accelerators.
  public enum Option {
    /// The directory of compiler plug-ins.
    case compilerPluginLibraryDir(String)
    /// The directory of libraries for accelerators.
    case dispatchLibraryDir(String)
    /// The directory of compiled code.
    case compilerCacheDir(String)
    /// The directory of the runtime's libraries.
    case runtimeLibraryDir(String)
    /// The accelerators to look for.
    case autoRegisterAccelerators(Int64)
    /// From which severity on messages are written.
    case minLoggerSeverity(Int64)
    /// The maximum number of compiled configurations per model.
    case compilerCacheMaxConfigsPerModel(Int64)
    /// The maximum total size of compiled code in bytes.
    case compilerCacheMaxTotalSize(Int64)
    /// A device of Metal.
    case metalDevice(UnsafeRawPointer)
    /// A command queue of Metal.
    case metalCommandQueue(UnsafeRawPointer)
  }

  /// Creates an environment; it is made in any case.
  public init(options: [Option] = []) throws {}

  /// Receives what is told to developers besides the errors that are thrown: why a call failed, in the engine's words,
  /// and once that a model runs on the processor although another accelerator was asked for. By default it is written
  /// to the standard error output; `nil` for silence.
  ///
  /// An addition to LiteRT's interface.
  public static var messageHandler: (@Sendable (String) -> Void)? {
    get { DeveloperMessages.handler }
    set { DeveloperMessages.handler = newValue }
  }

  /// Whether a GPU computes with 16-bit numbers: `false`, there is none.
  public func supportsFP16() throws -> Bool { false }
  /// Whether there is a GPU: `false`.
  public func hasGpuEnvironment() -> Bool { false }
  /// Whether OpenCL and OpenGL share memory: `false`.
  public func supportsClGlInterop() throws -> Bool { false }
  /// Whether Android's hardware buffers and OpenCL share memory: `false`.
  public func supportsAhwbClInterop() throws -> Bool { false }
  /// Whether Android's hardware buffers and OpenGL share memory: `false`.
  public func supportsAhwbGlInterop() throws -> Bool { false }
}
