import CLiteRT
import Foundation
import SwiftletEngine
import SwiftletTestSupport
import Testing

@testable import LiteRT

@Suite("LiteRT codes")
struct CodeTests {
  /// LiteRT's status codes and their descriptions.
  static let errors: [(error: LiteRtError, status: UInt32, words: String)] = [
    (.invalidArgument, 1, "Invalid argument"), (.memoryAllocationFailure, 2, "Memory allocation failure"),
    (.runtimeFailure, 3, "Runtime failure"), (.missingInputTensor, 4, "Missing input tensor"),
    (.unsupported, 5, "Unsupported operation"), (.notFound, 6, "Not found"), (.timeoutExpired, 7, "Timeout expired"),
    (.wrongVersion, 8, "Wrong version"), (.unknown, 9, "Unknown error"), (.alreadyExists, 10, "Already exists"),
    (.cancelled, 100, "Cancelled"), (.fileIO, 500, "File I/O error"), (.invalidFlatbuffer, 501, "Invalid flatbuffer"),
    (.dynamicLoading, 502, "Dynamic loading error"), (.serialization, 503, "Serialization error"),
    (.compilation, 504, "Compilation error"), (.indexOutOfBounds, 1000, "Index out of bounds"),
    (.invalidIrType, 1001, "Invalid IR type"), (.invalidGraphInvariant, 1002, "Invalid graph invariant"),
    (.graphModification, 1003, "Graph modification error"), (.invalidToolConfig, 1500, "Invalid tool config"),
    (.legalizeNoMatch, 2000, "Legalize no match"), (.invalidLegalization, 2001, "Invalid legalization"),
    (.patternNoMatch, 3000, "Pattern no match"), (.invalidTransformation, 3001, "Invalid transformation"),
    (.unsupportedRuntimeVersion, 4000, "Unsupported runtime version"),
    (.unsupportedCompilerVersion, 4001, "Unsupported compiler version"),
    (.incompatibleByteCodeVersion, 4002, "Incompatible byte code version"),
    (.unsupportedOpShapeInferer, 5000, "Unsupported op shape inferer"),
    (.shapeInferenceFailed, 5001, "Shape inference failed"),
  ]

  @Test("errors have the documented statuses and messages", arguments: errors.indices)
  func error(index: Int) {
    let (error, status, words) = Self.errors[index]
    #expect(LiteRtError(status: LiteRtStatus(rawValue: status)) == error && "\(error)" == words)
  }

  @Test("statuses other than errors are unknown", arguments: [0, 11, 99, 101, 505, 5002] as [UInt32])
  func otherStatus(status: UInt32) {
    #expect(LiteRtError(status: LiteRtStatus(rawValue: status)) == .unknown)
  }

  /// LiteRT's numbers of element types, the engine's types, and the size of nine elements in bytes.
  static let elements: [(type: LiteRT.ElementType, number: UInt32, engine: SwiftletEngine.ElementType, bytes: Int?)] = [
    (.float32, 1, .float32, 36), (.int32, 2, .int32, 36), (.uint8, 3, .uint8, 9), (.int64, 4, .int64, 72),
    (.tfString, 5, .string, nil), (.bool, 6, .bool, 9), (.int16, 7, .int16, 18), (.complex64, 8, .complex64, 72),
    (.int8, 9, .int8, 9), (.float16, 10, .float16, 18), (.float64, 11, .float64, 72),
    (.complex128, 12, .complex128, 144), (.uint64, 13, .uint64, 72), (.tfResource, 14, .resource, 36),
    (.tfVariant, 15, .variant, nil), (.uint32, 16, .uint32, 36), (.uint16, 17, .uint16, 18), (.int4, 18, .int4, 5),
    (.bfloat16, 19, .bfloat16, 18), (.int2, 20, .int2, 3),
  ]

  @Test("element types have the documented numbers and sizes", arguments: elements.indices)
  func element(index: Int) {
    let (type, number, engine, bytes) = Self.elements[index]
    #expect(type.rawValue == number && type.cType.rawValue == number)
    #expect(LiteRT.ElementType(cType: LiteRtElementType(rawValue: number)) == type)
    #expect(LiteRT.ElementType(engine) == type)
    #expect(TensorType(elementType: type, layout: Layout(dimensions: [3, 3])).byteCount == bytes)
    #expect(TensorType(elementType: type, layout: Layout(dimensions: [-1, 3])).byteCount == nil)
  }

  @Test("an invalid element type has no bytes")
  func noElement() {
    #expect(LiteRT.ElementType.none.rawValue == 0 && LiteRT.ElementType(cType: kLiteRtElementTypeUInt4) == nil)
    #expect(TensorType(elementType: .none, layout: Layout(dimensions: [3])).byteCount == nil)
  }

  static let buffers: [(type: TensorBufferType, number: Int32)] = [
    (.unknown, 0), (.hostMemory, 1), (.ahwb, 2), (.ion, 3), (.dmaBuf, 4), (.fastRpc, 5), (.glBuffer, 6),
    (.glTexture, 7), (.openClBuffer, 10), (.openClBufferFp16, 11), (.openClTexture, 12), (.openClTextureFp16, 13),
    (.openClBufferPacked, 14), (.openClImageBuffer, 15), (.openClImageBufferFp16, 16), (.webGpuBuffer, 20),
    (.webGpuBufferFp16, 21), (.webGpuTexture, 22), (.webGpuTextureFp16, 23), (.webGpuImageBuffer, 24),
    (.webGpuImageBufferFp16, 25), (.webGpuBufferPacked, 26), (.metalBuffer, 30), (.metalBufferFp16, 31),
    (.metalTexture, 32), (.metalTextureFp16, 33), (.metalBufferPacked, 34), (.vulkanBuffer, 40),
    (.vulkanBufferFp16, 41), (.vulkanTexture, 42), (.vulkanTextureFp16, 43), (.vulkanImageBuffer, 44),
    (.vulkanImageBufferFp16, 45), (.vulkanBufferPacked, 46),
  ]

  @Test("buffer kinds have the documented numbers", arguments: buffers.indices)
  func buffer(index: Int) {
    let (type, number) = Self.buffers[index]
    #expect(type.rawValue == number && type.cType.rawValue == UInt32(number))
    #expect(TensorBufferType(cType: LiteRtTensorBufferType(rawValue: UInt32(number))) == type)
    for gap in [8, 9, 17, 27, 35, 47] as [UInt32] {
      #expect(TensorBufferType(cType: LiteRtTensorBufferType(rawValue: gap)) == .unknown)
    }
  }

  @Test("modes and accelerators have the documented numbers")
  func others() {
    #expect([TensorBufferLockMode.read, .write, .readWrite].map(\.cMode.rawValue) == [0, 1, 2])
    #expect([Accelerator.none, .cpu, .gpu, .npu].map(\.rawValue) == [0, 1, 2, 4])
    #expect(TensorBuffer.alignment == 64)
  }

  @Test(
    "engine errors are converted by kind, and others to a general failure",
    arguments: [
      (.unreadableFile, .fileIO), (.limitExceeded, .memoryAllocationFailure), (.deadlineExceeded, .timeoutExpired),
      (.invalidArgument, .compilation), (.unsupportedOperators, .compilation),
    ] as [(RuntimeError.Code, LiteRtError)])
  func engineError(code: RuntimeError.Code, expected: LiteRtError) {
    let error: LiteRtError? = thrownError {
      try reportingLiteRtErrors(.compilation) { throw RuntimeError(code, "words") }
    }
    #expect(error == expected)
  }

  private struct Oddity: Error {}

  @Test("LiteRT errors are unchanged, cancellation is an error, and results are passed on")
  func otherErrors() throws {
    let own: LiteRtError? = thrownError { try reportingLiteRtErrors(.unknown) { throw LiteRtError.notFound } }
    let cancelled: LiteRtError? = thrownError {
      try reportingLiteRtErrors(.unknown) { throw RuntimeError(.cancelled, "") }
    }
    let odd: LiteRtError? = thrownError { try reportingLiteRtErrors(.runtimeFailure) { throw Oddity() } }
    #expect(own == .notFound && cancelled == .cancelled && odd == .runtimeFailure)
    #expect(try reportingLiteRtErrors(.unknown) { 5 } == 5)
  }

  @Test("a part of a file is read completely, in pieces", arguments: [(0, 1), (3, 1_100_000)])
  func filePart(offset: Int, size: Int) throws {
    let bytes = (0..<1_100_003).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString)"
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try #require(FileHandle(forReadingAtPath: path))
    #expect(try FilePart.read(file.fileDescriptor, offset: offset, size: size) == Array(bytes[offset..<offset + size]))
    let error: LiteRtError? = thrownError {
      try FilePart.read(file.fileDescriptor, offset: bytes.count - size + 1, size: size)
    }
    #expect(error == .fileIO)
  }

  @Test("unnamed inputs and outputs are numbered")
  func unnamed() throws {
    var graph = TestGraph.binary(.add)
    for index in 0..<3 { graph.name(index, "") }
    let model = try CompiledModel(data: Data(TestGraph.bytes([graph])), environment: try Environment())
    #expect(try (0..<2).map { try model.inputName(inputIndex: $0) } == ["input_0", "input_1"])
    #expect(try model.outputName(outputIndex: 0) == "output_0")
  }

  /// Records messages. A lock protects it.
  private final class Heard: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [String] = []
    var texts: [String] { lock.withLock { all } }
    func add(_ text: String) { lock.withLock { all.append(text) } }
  }

  @Test("a handler receives the reason for a failed call, and missing accelerators")
  func messages() throws {
    let heard = Heard()
    try ProcessSettings.exclusively { () throws in
      let before = Environment.messageHandler
      Environment.messageHandler = { heard.add($0) }
      defer { Environment.messageHandler = before }
      #expect(Environment.messageHandler != nil)
      let error: LiteRtError? = thrownError {
        try reportingLiteRtErrors(.compilation) { throw RuntimeError(.invalidArgument, "heard by CodeTests") }
      }
      #expect(error == .compilation)
      let options = try Options()
      try options.setHardwareAccelerators([.cpu, .gpu])
      _ = try CompiledModel(data: Data(SmallModels.sum), environment: try Environment(), options: options)
    }
    #expect(heard.texts.contains { $0.hasPrefix("LiteRT: ") && $0.hasSuffix("heard by CodeTests") })
    #expect(
      heard.texts.contains(
        "the accelerator 'gpu' is accepted, but has no effect: the model runs on the CPU"))
    #expect(!heard.texts.contains { $0.contains("'cpu'") })
  }

  @Test("a buffer may have size 0")
  func emptyBuffers() throws {
    let environment = try Environment()
    let model = try CompiledModel(data: Data(SmallModels.openSum), environment: environment)
    let type = TensorType(elementType: .float32, layout: Layout(dimensions: [0, 2, 3]))
    let buffers = try (0..<3).map { _ in
      try TensorBuffer(environment: environment, bufferType: .hostMemory, tensorType: type, size: 64)
    }
    try model.run(inputs: Array(buffers[..<2]), outputs: [buffers[2]])
    #expect(try model.getOutputTensorLayouts().map(\.dimensions) == [[0, 2, 3]])
  }

  @Test("a binding must refer to an input of its signature")
  func bindings() throws {
    var number = Float(1)
    try withUnsafeMutableBytes(of: &number) { bytes in
      let start = try #require(bytes.baseAddress)
      for (signature, input, isFine) in [
        ("add", "x", true), ("sub", "x", true), ("add", "y", false), ("add", "output_0", false), ("other", "x", false),
      ] {
        let options = try Options()
        try options.addExternalTensorBinding(signatureName: signature, tensorName: input, data: start, sizeBytes: 4)
        let error: LiteRtError? = thrownError {
          try CompiledModel(
            data: Data(SmallModels.addAndSub), environment: try Environment(), options: options)
        }
        #expect(error == (isFine ? nil : .invalidArgument), "\(signature) \(input)")
      }
      let options = try Options()
      try options.addExternalTensorBinding(signatureName: "add", tensorName: "x", data: start, sizeBytes: 0)
      #expect(options.bindings.map(\.memory.count) == [0] && options.bindings[0].input == "x")
      #expect(options.bindings[0].signature == "add")
    }
  }

  @Test("a binding applies only to its signature, and the last of several wins")
  func bindingOfSignature() throws {
    var numbers: [Float] = [100, 200, 300]
    try numbers.withUnsafeMutableBytes { bytes in
      let start = try #require(bytes.baseAddress)
      let options = try Options()
      for (offset, signature) in [(0, "sub"), (4, "sub"), (8, "add")] {
        try options.addExternalTensorBinding(
          signatureName: signature, tensorName: "x", data: start + offset, sizeBytes: 4)
      }
      let model = try CompiledModel(
        data: Data(SmallModels.addAndSub), environment: try Environment(), options: options)
      for (index, expected) in [Float(302), 198].enumerated() {
        let inputs = try model.createInputBuffers(signatureIndex: index)
        #expect(try model.run(inputs: inputs, signatureIndex: index)[0].read() == [expected])
      }
    }
  }
}
