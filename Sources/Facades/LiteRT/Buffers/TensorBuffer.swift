import SwiftletBase
import SwiftletEngine

/// A buffer for the elements of a tensor, which runs read or write.
///
/// - Thread safety: one caller at a time; a run counts as one.
public final class TensorBuffer {
  static let alignment = 64

  private enum Memory {
    /// Memory that the buffer allocates and frees.
    case owned(UnsafeMutableRawPointer)
    /// Memory of the app.
    case host(UnsafeMutableRawPointer)
    /// A handle to a Metal buffer, whose contents only Metal can access.
    case metal(UnsafeMutableRawPointer)
  }

  private let memory: Memory
  /// The size of the memory in bytes.
  public let bufferSize: Int
  /// The offset of the elements in the memory; always 0.
  public var offset: Int { 0 }
  /// The kind of memory.
  public let type: TensorBufferType
  /// The type of the tensor that the buffer is for.
  public let tensorType: TensorType?

  /// The size of the elements in bytes, packed; the size of the memory if the type has dynamic dimensions.
  public var size: Int { tensorType?.byteCount ?? bufferSize }

  /// Creates a buffer with its own zeroed memory.
  ///
  /// - Throws: `LiteRtError`: `unsupported` for anything but host memory, `invalidArgument` if the size is 0 or too
  ///   small for the type, `memoryAllocationFailure`.
  public convenience init(
    environment: Environment, bufferType: TensorBufferType, tensorType: TensorType, size: Int
  ) throws {
    guard bufferType == .hostMemory else { throw LiteRtError.unsupported }
    try self.init(tensorType: tensorType, size: size)
  }

  init(tensorType: TensorType, size: Int) throws {
    guard size > 0, (tensorType.byteCount ?? 0) <= size else { throw LiteRtError.invalidArgument }
    var start: UnsafeMutableRawPointer?
    // No model takes larger tensors, and a system with overcommit might promise memory that it does not have.
    guard size <= RuntimeOptions.Limits().tensorBytes else { throw LiteRtError.memoryAllocationFailure }
    guard posix_memalign(&start, Self.alignment, size) == 0, let start else {
      throw LiteRtError.memoryAllocationFailure
    }
    start.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    memory = .owned(start)
    bufferSize = size
    type = .hostMemory
    self.tensorType = tensorType
  }

  /// Creates a buffer over memory of the app, which must stay valid as long as the buffer. Any alignment is accepted.
  /// (The doubled word in the label is LiteRT's.)
  ///
  /// - Throws: `LiteRtError.invalidArgument` if the size is 0 or too small for the type.
  public convenience init(
    hostBufferAddressAddress: UnsafeMutableRawPointer, size: Int, tensorType: TensorType
  ) throws {
    try self.init(.host(hostBufferAddressAddress), size, tensorType, .hostMemory)
  }

  /// Creates a buffer over a Metal buffer. It can be passed on, but no model runs on it.
  ///
  /// - Throws: `LiteRtError.invalidArgument` if the size is 0 or too small for the type.
  public convenience init(
    metalBuffer: UnsafeMutableRawPointer, size: Int, tensorType: TensorType, bufferType: TensorBufferType,
    environment: Environment
  ) throws {
    try self.init(.metal(metalBuffer), size, tensorType, bufferType)
  }

  private init(_ memory: Memory, _ size: Int, _ tensorType: TensorType, _ type: TensorBufferType) throws {
    guard size > 0, (tensorType.byteCount ?? 0) <= size else { throw LiteRtError.invalidArgument }
    self.memory = memory
    bufferSize = size
    self.type = type
    self.tensorType = tensorType
  }

  deinit {
    if case .owned(let start) = memory { free(start) }
  }

  // MARK: Elements

  /// Writes elements to the beginning of the buffer. The rest of the buffer doesn't change.
  ///
  /// - Parameter data: The elements, of a trivial type such as a number. The type is not compared with the tensor's
  ///   element type.
  /// - Throws: `LiteRtError`: `invalidArgument` for more than ``size`` bytes and for a nontrivial type, `unsupported`
  ///   for Metal memory.
  public func write<T>(_ data: [T]) throws {
    guard _isPOD(T.self) else { throw LiteRtError.invalidArgument }
    let target = try bytes()
    try data.withUnsafeBytes { source in
      guard source.count <= size else { throw LiteRtError.invalidArgument }
      target.copyMemory(from: source)
    }
  }

  /// Reads as many elements as fit in ``size`` bytes. The element type is inferred from the result.
  ///
  /// - Throws: `LiteRtError`: `invalidArgument` for a nontrivial type, `unsupported` for Metal memory.
  public func read<T>() throws -> [T] {
    guard _isPOD(T.self) else { throw LiteRtError.invalidArgument }
    let source = UnsafeRawBufferPointer(try bytes())
    let count = size / MemoryLayout<T>.stride
    return [T](unsafeUninitializedCapacity: count) { values, initializedCount in
      UnsafeMutableRawBufferPointer(values).copyMemory(
        from: UnsafeRawBufferPointer(rebasing: source.prefix(count * MemoryLayout<T>.stride)))
      initializedCount = count
    }
  }

  /// Returns the memory, ``bufferSize`` bytes, for access until ``unlock()``.
  ///
  /// - Throws: `LiteRtError.unsupported` for Metal memory.
  public func lock(mode: TensorBufferLockMode) throws -> UnsafeMutableRawPointer {
    switch memory {
    case .owned(let start), .host(let start): return start
    case .metal: throw LiteRtError.unsupported
    }
  }

  /// Unlocks the memory.
  public func unlock() throws {}

  /// Returns the Metal handle.
  ///
  /// - Throws: `LiteRtError.unsupported` for other memory.
  public func metalMemory() throws -> UnsafeMutableRawPointer {
    guard case .metal(let handle) = memory else { throw LiteRtError.unsupported }
    return handle
  }

  /// Returns the whole memory.
  ///
  /// - Throws: `LiteRtError.unsupported` for Metal memory.
  func bytes() throws -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: try lock(mode: .readWrite), count: bufferSize)
  }
}
