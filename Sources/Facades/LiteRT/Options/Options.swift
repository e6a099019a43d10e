public import CLiteRT

/// An accelerator that a model may run on.
public enum Accelerator: Int32, Sendable {
  /// Nothing.
  case none = 0
  /// The processor.
  case cpu = 1
  /// The GPU. Accepted; the model runs on the processor.
  case gpu = 2
  /// A NPU. Accepted; the model runs on the processor.
  case npu = 4
}

/// The options for compiling and running a model.
///
/// - Thread safety: one caller at a time.
public final class Options {
  private var accelerators: Set<Accelerator> = []
  private var opaque: OpaqueOptions?
  /// Memory of the app that inputs are read from.
  private(set) var bindings: [ExternalTensorBinding] = []

  /// Creates options that ask for nothing.
  public init() throws {}

  /// Sets the accelerators that the model may run on.
  public func setHardwareAccelerators(_ accelerators: Set<Accelerator>) throws {
    self.accelerators = accelerators.filter { $0 != .none }
  }

  /// The accelerators that the model may run on; never has `.none`.
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

/// Options that the library does not know: a name and a pointer, in a chain.
///
/// - Thread safety: one caller at a time.
public final class OpaqueOptions {
  /// What the chain holds from here on, first link first.
  private var links: [Link]

  /// One pointer with its name; gives the pointer back at the end.
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

  /// Creates a chain of one link.
  ///
  /// - Parameters:
  ///   - identifier: says what the payload is.
  ///   - payload: what the link carries.
  ///   - destructor: called with the payload when nobody needs the link any more.
  public init(
    identifier: String, payload: UnsafeMutableRawPointer,
    destructor: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in }
  ) throws {
    links = [Link(identifier, payload, destructor)]
  }

  private init(_ links: [Link]) { self.links = links }

  /// The name of the first link; empty for an empty chain.
  public var identifier: String { links.first?.identifier ?? "" }

  /// The pointer of the first link; `nil` for an empty chain.
  public var data: UnsafeMutableRawPointer? { links.first?.payload }

  /// The pointer of the first link of a name; `nil` without one.
  public func findData(identifier: String) -> UnsafeMutableRawPointer? {
    links.first { $0.identifier == identifier }?.payload
  }

  /// The chain behind the first link; `nil` at the end.
  public func next() -> OpaqueOptions? { links.count > 1 ? OpaqueOptions(Array(links.dropFirst())) : nil }

  /// Puts another chain behind this one.
  ///
  /// - Throws: `LiteRtError`: `runtimeFailure` when this one is empty, `invalidArgument` when the other one is.
  public func append(_ other: OpaqueOptions) throws {
    guard !links.isEmpty else { throw LiteRtError.runtimeFailure }
    guard !other.links.isEmpty else { throw LiteRtError.invalidArgument }
    links += other.links
  }

  /// Takes the last link away.
  ///
  /// - Throws: `LiteRtError.runtimeFailure` for an empty chain.
  public func pop() throws {
    guard links.popLast() != nil else { throw LiteRtError.runtimeFailure }
  }
}
