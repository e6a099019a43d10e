public import CLiteRT

/// The kind of memory of a buffer. Swiftlet supports host memory only.
public enum TensorBufferType: Int32, Sendable {
  /// An unknown kind.
  case unknown = 0
  /// CPU memory.
  case hostMemory = 1
  /// An Android hardware buffer.
  case ahwb = 2
  /// Android ION memory.
  case ion = 3
  /// A Linux DMA buffer.
  case dmaBuf = 4
  /// Qualcomm FastRPC memory.
  case fastRpc = 5
  /// An OpenGL buffer.
  case glBuffer = 6
  /// An OpenGL texture.
  case glTexture = 7
  /// An OpenCL buffer.
  case openClBuffer = 10
  /// An OpenCL buffer with 16-bit elements.
  case openClBufferFp16 = 11
  /// An OpenCL texture.
  case openClTexture = 12
  /// An OpenCL texture with 16-bit elements.
  case openClTextureFp16 = 13
  /// A packed OpenCL buffer.
  case openClBufferPacked = 14
  /// An OpenCL image buffer.
  case openClImageBuffer = 15
  /// An OpenCL image buffer with 16-bit elements.
  case openClImageBufferFp16 = 16
  /// A WebGPU buffer.
  case webGpuBuffer = 20
  /// A WebGPU buffer with 16-bit elements.
  case webGpuBufferFp16 = 21
  /// A WebGPU texture.
  case webGpuTexture = 22
  /// A WebGPU texture with 16-bit elements.
  case webGpuTextureFp16 = 23
  /// A WebGPU image buffer.
  case webGpuImageBuffer = 24
  /// A WebGPU image buffer with 16-bit elements.
  case webGpuImageBufferFp16 = 25
  /// A packed WebGPU buffer.
  case webGpuBufferPacked = 26
  /// A Metal buffer.
  case metalBuffer = 30
  /// A Metal buffer with 16-bit elements.
  case metalBufferFp16 = 31
  /// A Metal texture.
  case metalTexture = 32
  /// A Metal texture with 16-bit elements.
  case metalTextureFp16 = 33
  /// A packed Metal buffer.
  case metalBufferPacked = 34
  /// A Vulkan buffer.
  case vulkanBuffer = 40
  /// A Vulkan buffer with 16-bit elements.
  case vulkanBufferFp16 = 41
  /// A Vulkan texture.
  case vulkanTexture = 42
  /// A Vulkan texture with 16-bit elements.
  case vulkanTextureFp16 = 43
  /// A Vulkan image buffer.
  case vulkanImageBuffer = 44
  /// A Vulkan image buffer with 16-bit elements.
  case vulkanImageBufferFp16 = 45
  /// A packed Vulkan buffer.
  case vulkanBufferPacked = 46

  /// Creates the kind that corresponds to the C type; `unknown` if the Swift API has no such kind.
  public init(cType: LiteRtTensorBufferType) {
    self = Int32(exactly: cType.rawValue).flatMap(Self.init(rawValue:)) ?? .unknown
  }

  /// The corresponding C type.
  public var cType: LiteRtTensorBufferType { LiteRtTensorBufferType(rawValue: UInt32(rawValue)) }
}

/// The access for which a buffer's memory is locked.
public enum TensorBufferLockMode: Sendable {
  /// Read access.
  case read
  /// Write access.
  case write
  /// Read and write access.
  case readWrite

  /// The corresponding C mode.
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
  /// The supported kinds of memory, best first.
  public let supportedTypes = [TensorBufferType.hostMemory]
  /// The strides; empty because rows are contiguous.
  public let strides: [Int] = []

  init(bufferSize: Int) { self.bufferSize = bufferSize }
}
