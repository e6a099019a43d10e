import TensorFlowLiteCommon

/// The environment of models, for compatibility with LiteRT. It has no effect.
public final class Environment: Sendable {
  /// An option of an environment. All options are accepted and have no effect, because there are no plug-ins,
  /// compilation caches, or accelerators.
  public enum Option {
    /// The directory of compiler plug-ins.
    case compilerPluginLibraryDir(String)
    /// The directory of accelerator libraries.
    case dispatchLibraryDir(String)
    /// The directory of the compilation cache.
    case compilerCacheDir(String)
    /// The directory of the runtime libraries.
    case runtimeLibraryDir(String)
    /// The accelerators to register automatically.
    case autoRegisterAccelerators(Int64)
    /// The minimum severity of log messages.
    case minLoggerSeverity(Int64)
    /// The maximum number of compiled configurations per model.
    case compilerCacheMaxConfigsPerModel(Int64)
    /// The maximum total size of compiled code in bytes.
    case compilerCacheMaxTotalSize(Int64)
    /// A Metal device.
    case metalDevice(UnsafeRawPointer)
    /// A Metal command queue.
    case metalCommandQueue(UnsafeRawPointer)
  }

  /// Creates an environment. This never fails.
  public init(options: [Option] = []) throws {}

  /// The handler of messages for developers, in addition to thrown errors. It receives the engine's description of each
  /// failure, and one warning if a model runs on the CPU although another accelerator was requested. The default
  /// handler writes to standard error; `nil` discards messages.
  ///
  /// This is an addition to LiteRT's API.
  public static var messageHandler: (@Sendable (String) -> Void)? {
    get { DeveloperMessages.handler }
    set { DeveloperMessages.handler = newValue }
  }

  /// Returns whether a GPU supports 16-bit floating-point numbers: `false`, because there is no GPU support.
  public func supportsFP16() throws -> Bool { false }
  /// Returns whether there is a GPU environment: `false`.
  public func hasGpuEnvironment() -> Bool { false }
  /// Returns whether OpenCL and OpenGL share memory: `false`.
  public func supportsClGlInterop() throws -> Bool { false }
  /// Returns whether Android hardware buffers and OpenCL share memory: `false`.
  public func supportsAhwbClInterop() throws -> Bool { false }
  /// Returns whether Android hardware buffers and OpenGL share memory: `false`.
  public func supportsAhwbGlInterop() throws -> Bool { false }
}
