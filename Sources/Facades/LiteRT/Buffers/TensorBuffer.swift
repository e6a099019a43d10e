import SwiftletBase
import SwiftletEngine

/// Memory for the values of a tensor, which runs read or write.
///
/// - Thread safety: one caller at a time; a run counts as one.
public final class TensorBuffer {
  static let alignment = 64

  private enum Memory {
    /// Made with the buffer, and given back with it.
    case owned(UnsafeMutableRawPointer)
    /// The app's.
    case host(UnsafeMutableRawPointer)
    /// A handle that only Metal can read through.
    case metal(UnsafeMutableRawPointer)
  }

  private let memory: Memory
  /// The bytes of the memory.
  public let bufferSize: Int
  /// The offset of the values in memory: at its first byte.
  public var offset: Int { 0 }
  /// The kind of the memory.
  public let type: TensorBufferType
  /// The type of the tensor that the buffer is for.
  public let tensorType: TensorType?

  /// The bytes of the values, one after the other; those of the memory while the type leaves sizes open.
  public var size: Int { tensorType?.byteCount ?? bufferSize }

  /// Creates a buffer with memory of its own, which holds zeros.
  ///
  /// - Throws: `LiteRtError`: `unsupported` for anything but host memory, `invalidArgument` for no size and for one that
  ///   the type does not fit in, `memoryAllocationFailure`.
  public convenience init(
    environment: Environment, bufferType: TensorBufferType, tensorType: TensorType, size: Int
  ) throws {
    guard bufferType == .hostMemory else { throw LiteRtError.unsupported }
    try self.init(tensorType: tensorType, size: size)
  }

  init(tensorType: TensorType, size: Int) throws {
    guard size > 0, (tensorType.byteCount ?? 0) <= size else { throw LiteRtError.invalidArgument }
    var start: UnsafeMutableRawPointer?
    // No model takes larger tensors, and a system may give memory that it does not have.
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

  /// Creates a buffer over memory of the app's, which must stay as long as the buffer. Any address will do. (The
  /// doubled word is the original's.)
  ///
  /// - Throws: `LiteRtError.invalidArgument` for no size and for one that the type does not fit in.
  public convenience init(
    hostBufferAddressAddress: UnsafeMutableRawPointer, size: Int, tensorType: TensorType
  ) throws {
    try self.init(.host(hostBufferAddressAddress), size, tensorType, .hostMemory)
  }

  /// Creates a buffer over memory of Metal's. It can be handed on, but no model runs on it.
  ///
  /// - Throws: `LiteRtError.invalidArgument` for no size and for one that the type does not fit in.
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

  // MARK: Values

  /// Writes values to the beginning of the buffer; what lies behind them stays.
  ///
  /// - Parameter data: values of a type that is nothing but its bytes, such as a number. Whether it is that of the
  ///   tensor's elements is not checked.
  /// - Throws: `LiteRtError`: `invalidArgument` for more than ``size`` bytes and for a type with references in it,
  ///   `unsupported` for memory of Metal's.
  public func write<T>(_ data: [T]) throws {
    guard _isPOD(T.self) else { throw LiteRtError.invalidArgument }
    let target = try bytes()
    try data.withUnsafeBytes { source in
      guard source.count <= size else { throw LiteRtError.invalidArgument }
      target.copyMemory(from: source)
    }
  }

  /// Reads as many values as fit in ``size`` bytes, of the type that the result is assigned to.
  ///
  /// - Throws: `LiteRtError`: `invalidArgument` for a type with references in it, `unsupported` for memory of Metal's.
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

  /// The memory, until ``unlock()``; ``bufferSize`` bytes of it.
  ///
  /// - Throws: `LiteRtError.unsupported` for memory of Metal's.
  public func lock(mode: TensorBufferLockMode) throws -> UnsafeMutableRawPointer {
    switch memory {
    case .owned(let start), .host(let start): return start
    case .metal: throw LiteRtError.unsupported
    }
  }

  /// Unlocks the memory.
  public func unlock() throws {}

  /// The handle of Metal's memory.
  ///
  /// - Throws: `LiteRtError.unsupported` for other memory.
  public func metalMemory() throws -> UnsafeMutableRawPointer {
    guard case .metal(let handle) = memory else { throw LiteRtError.unsupported }
    return handle
  }

  /// The whole memory.
  ///
  /// - Throws: `LiteRtError.unsupported` for memory of Metal's.
  func bytes() throws -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(start: try lock(mode: .readWrite), count: bufferSize)
  }
}
