public import CLiteRT

/// The kind of memory of a buffer. Only host memory has a meaning here.
public enum TensorBufferType: Int32, Sendable {
  /// Not known.
  case unknown = 0
  /// The processor's memory.
  case hostMemory = 1
  /// A hardware buffer of Android's.
  case ahwb = 2
  /// ION memory of Android's.
  case ion = 3
  /// A DMA buffer of Linux.
  case dmaBuf = 4
  /// Memory of Qualcomm's FastRPC.
  case fastRpc = 5
  /// A buffer of OpenGL.
  case glBuffer = 6
  /// A texture of OpenGL.
  case glTexture = 7
  /// A buffer of OpenCL.
  case openClBuffer = 10
  /// A buffer of OpenCL with 16-bit numbers.
  case openClBufferFp16 = 11
  /// A texture of OpenCL.
  case openClTexture = 12
  /// A texture of OpenCL with 16-bit numbers.
  case openClTextureFp16 = 13
  /// A packed buffer of OpenCL.
  case openClBufferPacked = 14
  /// A buffer of OpenCL that is read as an image.
  case openClImageBuffer = 15
  /// A buffer of OpenCL that is read as an image, with 16-bit numbers.
  case openClImageBufferFp16 = 16
  /// A buffer of WebGPU.
  case webGpuBuffer = 20
  /// A buffer of WebGPU with 16-bit numbers.
  case webGpuBufferFp16 = 21
  /// A texture of WebGPU.
  case webGpuTexture = 22
  /// A texture of WebGPU with 16-bit numbers.
  case webGpuTextureFp16 = 23
  /// A buffer of WebGPU that is read as an image.
  case webGpuImageBuffer = 24
  /// A buffer of WebGPU that is read as an image, with 16-bit numbers.
  case webGpuImageBufferFp16 = 25
  /// A packed buffer of WebGPU.
  case webGpuBufferPacked = 26
  /// A buffer of Metal.
  case metalBuffer = 30
  /// A buffer of Metal with 16-bit numbers.
  case metalBufferFp16 = 31
  /// A texture of Metal.
  case metalTexture = 32
  /// A texture of Metal with 16-bit numbers.
  case metalTextureFp16 = 33
  /// A packed buffer of Metal.
  case metalBufferPacked = 34
  /// A buffer of Vulkan.
  case vulkanBuffer = 40
  /// A buffer of Vulkan with 16-bit numbers.
  case vulkanBufferFp16 = 41
  /// A texture of Vulkan.
  case vulkanTexture = 42
  /// A texture of Vulkan with 16-bit numbers.
  case vulkanTextureFp16 = 43
  /// A buffer of Vulkan that is read as an image.
  case vulkanImageBuffer = 44
  /// A buffer of Vulkan that is read as an image, with 16-bit numbers.
  case vulkanImageBufferFp16 = 45
  /// A packed buffer of Vulkan.
  case vulkanBufferPacked = 46

  /// Creates the kind of C's, `unknown` for one that Swift's interface does not have.
  public init(cType: LiteRtTensorBufferType) {
    self = Int32(exactly: cType.rawValue).flatMap(Self.init(rawValue:)) ?? .unknown
  }

  /// C's kind.
  public var cType: LiteRtTensorBufferType { LiteRtTensorBufferType(rawValue: UInt32(rawValue)) }
}

/// The access for which a buffer's memory is locked.
public enum TensorBufferLockMode: Sendable {
  /// It is read.
  case read
  /// It is written.
  case write
  /// It is read and written.
  case readWrite

  /// C's mode.
  public var cMode: LiteRtTensorBufferLockMode {
    switch self {
    case .read: kLiteRtTensorBufferLockModeRead
    case .write: kLiteRtTensorBufferLockModeWrite
    case .readWrite: kLiteRtTensorBufferLockModeReadWrite
    }
  }
}

/// The memory requirements of a tensor of a model.
public final class TensorBufferRequirements: Sendable {
  /// The size in bytes.
  public let bufferSize: Int
  /// The preferred alignment of the address.
  public let alignment = TensorBuffer.alignment
  /// The kinds of memory that are taken, the best first.
  public let supportedTypes = [TensorBufferType.hostMemory]
  /// Empty: rows follow each other.
  public let strides: [Int] = []

  init(bufferSize: Int) { self.bufferSize = bufferSize }
}
