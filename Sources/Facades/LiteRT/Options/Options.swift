public import CLiteRT

/// What a model may run on.
public enum Accelerator: Int32, Sendable {
  /// Nothing.
  case none = 0
  /// The processor.
  case cpu = 1
  /// The graphics processor. Accepted; the model runs on the processor.
  case gpu = 2
  /// A neural processor. Accepted; the model runs on the processor.
  case npu = 4
}

/// How a model is compiled and run.
///
/// - Thread safety: one caller at a time.
public final class Options {
  private var accelerators: Set<Accelerator> = []
  private var opaque: OpaqueOptions?
  /// Memory of the app that inputs are read from.
  private(set) var bindings: [ExternalTensorBinding] = []

  /// Options that ask for nothing.
  public init() throws {}

  /// Says what the model may run on.
  public func setHardwareAccelerators(_ accelerators: Set<Accelerator>) throws {
    self.accelerators = accelerators.filter { $0 != .none }
  }

  /// What the model may run on; never has `.none`.
  public func hardwareAccelerators() throws -> Set<Accelerator> { accelerators }

  /// Has an input read from memory of the app's, in every run, whatever the buffer holds that a run is given for it.
  ///
  /// The memory must stay as long as a model that was compiled with these options.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for a negative size. That there is such an input is checked when a model is
  ///   compiled.
  public func addExternalTensorBinding(
    signatureName: String, tensorName: String, data: UnsafeMutableRawPointer, sizeBytes: Int
  ) throws {
    guard sizeBytes >= 0 else { throw LiteRtError.invalidArgument }
    bindings.append(
      ExternalTensorBinding(
        signature: signatureName, input: tensorName,
        memory: UnsafeRawBufferPointer(start: data, count: sizeBytes)))
  }

  /// Accepted, but such operators are not run: a model with one of them does not compile. `Swiftlet` has operators of a
  /// program's own.
  public func addCustomOpKernel(
    name: String, version: Int, kernel: UnsafePointer<LiteRtCustomOpKernel>, userData: UnsafeMutableRawPointer? = nil
  ) throws {}

  /// Keeps options that this library does not know, at the end of those that it has.
  public func addOpaqueOptions(_ opaqueOptions: OpaqueOptions) throws {
    if let opaque { try opaque.append(opaqueOptions) } else { opaque = opaqueOptions }
  }

  /// The options that this library does not know; `nil` without any.
  public func opaqueOptions() throws -> OpaqueOptions? { opaque }
}

/// Memory of the app that an input is read from.
struct ExternalTensorBinding {
  var signature: String
  var input: String
  var memory: UnsafeRawBufferPointer
}
