public import CLiteRT

/// An accelerator that a model may run on.
public enum Accelerator: Int32, Sendable {
  /// No accelerator.
  case none = 0
  /// The CPU.
  case cpu = 1
  /// A GPU. Accepted, but the model runs on the CPU.
  case gpu = 2
  /// An NPU. Accepted, but the model runs on the CPU.
  case npu = 4
}

/// The options for compiling and running a model.
///
/// - Thread safety: one caller at a time.
public final class Options {
  private var accelerators: Set<Accelerator> = []
  private var opaque: OpaqueOptions?
  /// The app's memory for inputs.
  private(set) var bindings: [ExternalTensorBinding] = []

  /// Creates options without accelerators and bindings.
  public init() throws {}

  /// Sets the accelerators that the model may run on.
  public func setHardwareAccelerators(_ accelerators: Set<Accelerator>) throws {
    self.accelerators = accelerators.filter { $0 != .none }
  }

  /// Returns the accelerators that the model may run on, without `.none`.
  public func hardwareAccelerators() throws -> Set<Accelerator> { accelerators }

  /// Binds an input to memory of the app. Every run reads the input from this memory and ignores its buffer.
  ///
  /// The memory must stay valid as long as a model that was compiled with these options.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for a negative size. Whether the input exists is checked when a model is
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

  /// Accepts a custom operator kernel, but doesn't run it: a model with such an operator doesn't compile. The
  /// `Swiftlet` module supports custom operators.
  public func addCustomOpKernel(
    name: String, version: Int, kernel: UnsafePointer<LiteRtCustomOpKernel>, userData: UnsafeMutableRawPointer? = nil
  ) throws {}

  /// Appends options that this library does not know.
  public func addOpaqueOptions(_ opaqueOptions: OpaqueOptions) throws {
    if let opaque { try opaque.append(opaqueOptions) } else { opaque = opaqueOptions }
  }

  /// Returns the options that this library does not know; `nil` if there are none.
  public func opaqueOptions() throws -> OpaqueOptions? { opaque }
}

/// A binding of an input to memory of the app.
struct ExternalTensorBinding {
  var signature: String
  var input: String
  var memory: UnsafeRawBufferPointer
}

/// A chain of options that the library does not know, each with an identifier and a pointer.
///
/// - Thread safety: one caller at a time.
public final class OpaqueOptions {
  /// The links of the chain from this one on.
  private var links: [Link]

  /// A pointer with its identifier. It calls the destructor when it is released.
  private final class Link {
    let identifier: String
    let payload: UnsafeMutableRawPointer
    private let destructor: @convention(c) (UnsafeMutableRawPointer?) -> Void

    init(
      _ identifier: String, _ payload: UnsafeMutableRawPointer,
      _ destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void
    ) {
      self.identifier = identifier
      self.payload = payload
      self.destructor = destructor
    }

    deinit { destructor(payload) }
  }

  /// Creates a chain with one link.
  ///
  /// - Parameters:
  ///   - identifier: The identifier of the payload.
  ///   - payload: The pointer to the options.
  ///   - destructor: Is called with the payload when the link is no longer needed.
  public init(
    identifier: String, payload: UnsafeMutableRawPointer,
    destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in }
  ) throws {
    links = [Link(identifier, payload, destructor)]
  }

  private init(_ links: [Link]) { self.links = links }

  /// The identifier of the first link; empty for an empty chain.
  public var identifier: String { links.first?.identifier ?? "" }

  /// The pointer of the first link; `nil` for an empty chain.
  public var data: UnsafeMutableRawPointer? { links.first?.payload }

  /// Returns the pointer of the first link with an identifier; `nil` if there is none.
  public func findData(identifier: String) -> UnsafeMutableRawPointer? {
    links.first { $0.identifier == identifier }?.payload
  }

  /// Returns the chain after the first link; `nil` at the end.
  public func next() -> OpaqueOptions? { links.count > 1 ? OpaqueOptions(Array(links.dropFirst())) : nil }

  /// Appends another chain.
  ///
  /// - Throws: `LiteRtError`: `runtimeFailure` if this chain is empty, `invalidArgument` if the other chain is.
  public func append(_ other: OpaqueOptions) throws {
    guard !links.isEmpty else { throw LiteRtError.runtimeFailure }
    guard !other.links.isEmpty else { throw LiteRtError.invalidArgument }
    links += other.links
  }

  /// Removes the last link.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` for an empty chain.
  public func pop() throws {
    guard links.popLast() != nil else { throw LiteRtError.runtimeFailure }
  }
}
