import CLiteRT
import SwiftletTestSupport
import Testing

@testable import LiteRT

@Suite("LiteRT types")
struct TypeTests {
  @Test("layouts count their elements")
  func layouts() {
    #expect(Layout(dimensions: [2, 3, 4]).elementCount == 24)
    #expect(Layout(dimensions: [2, -1, 4]).elementCount == nil)
    #expect(Layout(dimensions: []).elementCount == 1 && Layout(dimensions: [0, 3]).elementCount == 0)
    #expect(Layout(dimensions: [.max, 3]).elementCount == nil)
    let strided = Layout(dimensions: [2, 3], strides: [4, 1])
    #expect(strided.rank == 2 && strided.hasStrides && strided != Layout(dimensions: [2, 3]))
    #expect(!Layout(dimensions: [2]).hasStrides)
  }

  @Test("element types have the numbers of the C API")
  func elementTypes() {
    for (type, cType) in [
      (.float32, kLiteRtElementTypeFloat32), (.int8, kLiteRtElementTypeInt8), (.int4, kLiteRtElementTypeInt4),
      (.tfString, kLiteRtElementTypeTfString), (.none, kLiteRtElementTypeNone), (.bfloat16, kLiteRtElementTypeBFloat16),
    ] as [(ElementType, LiteRtElementType)] {
      #expect(type.cType == cType && ElementType(cType: cType) == type)
    }
    #expect(ElementType(cType: kLiteRtElementTypeFloat8E5M2) == nil)
  }

  @Test("buffer kinds and modes have the numbers of the C API")
  func bufferTypes() {
    #expect(TensorBufferType(cType: kLiteRtTensorBufferTypeMetalBuffer) == .metalBuffer)
    #expect(TensorBufferType.vulkanBufferPacked.cType == kLiteRtTensorBufferTypeVulkanBufferPacked)
    #expect(TensorBufferType(cType: LiteRtTensorBufferType(rawValue: .max)) == .unknown)
    #expect(TensorBufferLockMode.readWrite.cMode == kLiteRtTensorBufferLockModeReadWrite)
  }

  @Test("errors match the statuses of the C API")
  func errors() {
    #expect(LiteRtError(status: kLiteRtStatusCancelled) == .cancelled)
    #expect(LiteRtError(status: kLiteRtStatusErrorIndexOOB) == .indexOutOfBounds)
    #expect(LiteRtError(status: LiteRtStatus(rawValue: 77)) == .unknown)
    #expect("\(LiteRtError.fileIO)" == "File I/O error" && "\(LiteRtError.notFound)" == "Not found")
  }

  @Test("an environment has no accelerators")
  func environment() throws {
    let environment = try Environment()
    #expect(try !environment.supportsFP16() && !environment.hasGpuEnvironment())
    #expect(try !environment.supportsClGlInterop())
    #expect(try !environment.supportsAhwbClInterop() && !environment.supportsAhwbGlInterop())
  }

  @Test("kernels of operators are accepted")
  func kernels() throws {
    var kernel = LiteRtCustomOpKernel()
    try Options().addCustomOpKernel(name: "CustomOp", version: 1, kernel: &kernel)
  }
}
