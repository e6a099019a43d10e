import Foundation
import SwiftletTestSupport
import Testing

@testable import LiteRT

@Suite("LiteRT CompiledModel")
struct CompiledModelTests {
  private func error(_ body: () throws -> Void) -> LiteRtError? { thrownError(body) }

  private func model(_ bytes: [UInt8], _ options: Options? = nil) throws -> CompiledModel {
    try CompiledModel(data: Data(bytes), environment: try Environment(), options: options)
  }

  /// Returns the sum of `[1, 2]` and `[10, 20]`.
  private func sum(_ run: (CompiledModel, [TensorBuffer]) throws -> [TensorBuffer]) throws -> [Float] {
    let model = try model(SmallModels.sum)
    let inputs = try model.createInputBuffers()
    try inputs[0].write([1, 2] as [Float])
    try inputs[1].write([10, 20] as [Float])
    return try run(model, inputs)[0].read()
  }

  // MARK: Creation

  @Test("is created from a path, a part of an open file, and bytes, with options for the CPU by default")
  func making() throws {
    let environment = try Environment(options: [
      .compilerCacheMaxConfigsPerModel(5), .compilerCacheMaxTotalSize(1 << 20), .autoRegisterAccelerators(1),
      .runtimeLibraryDir("/nowhere"),
    ])
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    try Data([1, 2, 3] + SmallModels.sum).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    let file = try #require(FileHandle(forReadingAtPath: path))
    let count = SmallModels.sum.count
    let part = try CompiledModel(fd: file.fileDescriptor, offset: 3, size: count, environment: environment)
    #expect(try part.inputCount() == 2 && part.options?.hardwareAccelerators() == [.cpu])
    #expect(try file.offset() == 0)
    for (offset, size) in [(3, count + 1), (1 << 40, 4)] {
      #expect(
        error { _ = try CompiledModel(fd: file.fileDescriptor, offset: offset, size: size, environment: environment) }
          == .fileIO)
    }
    for (offset, size) in [(-1, 4), (0, 0), (0, -5)] {
      #expect(
        error { _ = try CompiledModel(fd: file.fileDescriptor, offset: offset, size: size, environment: environment) }
          == .invalidArgument)
    }
    #expect(error { _ = try CompiledModel(fd: -1, offset: 0, size: .max, environment: environment) } == .fileIO)
    try Data(SmallModels.sum).write(to: URL(fileURLWithPath: path))
    let options = try Options()
    let whole = try CompiledModel(filePath: path, environment: environment, options: options)
    #expect(whole.options === options && whole.environment === environment)
    #expect(try options.hardwareAccelerators() == [])
  }

  @Test("invalid model files are reported by kind")
  func noModel() throws {
    let environment = try Environment()
    #expect(error { _ = try CompiledModel(filePath: "/no/such/file", environment: environment) } == .fileIO)
    #expect(error { _ = try model([]) } == .invalidArgument)
    #expect(error { _ = try model([UInt8](repeating: 3, count: 99)) } == .invalidFlatbuffer)
    #expect(error { _ = try model(SmallModels.unknownOperator) } == .compilation)
  }

  // MARK: Signatures

  @Test("a model without signatures has one for its main graph")
  func defaultSignature() throws {
    let model = try model(SmallModels.sum)
    #expect(try model.signatureKeys() == ["<placeholder signature>"])
    #expect(try model.inputCount() == 2 && model.outputCount() == 1)
    #expect(try model.inputName(inputIndex: 0) == "t0" && model.inputName(inputIndex: 1) == "t1")
    #expect(try model.outputName(outputIndex: 0) == "t2")
    #expect(try model.isFullyAccelerated())
  }

  @Test("names, types, and runs belong to a signature")
  func signatures() throws {
    let model = try model(SmallModels.addAndSub)
    #expect(try model.signatureKeys() == ["add", "sub"])
    for (index, expected) in [(0, Float(12)), (1, 8)] {
      #expect(try model.inputName(inputIndex: 0, signatureIndex: index) == "x")
      #expect(try model.outputName(outputIndex: 0, signatureIndex: index) == "output_0")
      let inputs = try model.createInputBuffers(signatureIndex: index)
      try inputs[0].write([Float(10)])
      let outputs = try model.run(inputs: inputs, signatureIndex: index)
      #expect(try outputs[0].read() == [expected])
    }
  }

  @Test("indices out of range are errors everywhere")
  func indices() throws {
    let model = try model(SmallModels.sum)
    for index in [2, -1, .max, .min] {
      let calls: [() throws -> Void] = [
        { _ = try model.inputCount(signatureIndex: index) }, { _ = try model.outputCount(signatureIndex: index) },
        { _ = try model.inputName(inputIndex: index) }, { _ = try model.outputName(outputIndex: index) },
        { _ = try model.getInputTensorType(inputIndex: index) },
        { _ = try model.getOutputTensorType(outputIndex: index) },
        { _ = try model.getInputTensorLayout(inputIndex: index) },
        { _ = try model.getOutputTensorLayouts(signatureIndex: index) },
        { _ = try model.getInputBufferRequirements(inputIndex: index) },
        { _ = try model.getOutputBufferRequirements(outputIndex: index) },
        { _ = try model.createInputBuffers(signatureIndex: index) },
        { _ = try model.createOutputBuffers(signatureIndex: index) },
        { try model.resizeInputTensor(inputIndex: index, dimensions: [2]) },
        { try model.resizeInputTensorNonStrict(inputIndex: index, dimensions: [2]) },
        { try model.run(inputs: [], outputs: [], signatureIndex: index) },
      ]
      for call in calls { #expect(error(call) == .indexOutOfBounds) }
    }
  }

  // MARK: Runs

  @Test("supports every form of a run")
  func running() throws {
    var isAsync = [true, true]
    let results = [
      try sum { try $0.run(inputs: $1) },
      try sum { try $0.run(inputs: $1, options: try Options()) },
      try sum { model, inputs in
        let outputs = try model.createOutputBuffers()
        try model.run(inputs: inputs, outputs: outputs)
        return outputs
      },
      try sum { model, inputs in
        let outputs = try model.createOutputBuffers()
        isAsync[0] = try model.dispatch(inputs: inputs, outputs: outputs)
        return outputs
      },
      try sum { model, inputs in
        let result = try model.dispatch(inputs: inputs)
        isAsync[1] = result.isAsync
        return result.buffers
      },
    ]
    #expect(results.allSatisfy { $0 == [11, 22] } && isAsync == [false, false])
  }

  @Test("code of the page adds numbers")
  func guide() throws {
    let path = NSTemporaryDirectory() + "swiftlet-\(UUID().uuidString).tflite"
    try Data(SmallModels.sum).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try LiteRTTests.sum([1, 2], [10, 20], modelPath: path) == [11, 22])
  }

  @Test("too few, too many, and too small buffers are errors")
  func buffers() throws {
    let model = try model(SmallModels.sum)
    let inputs = try model.createInputBuffers(), outputs = try model.createOutputBuffers()
    let small = try TensorBuffer(
      environment: model.environment, bufferType: .hostMemory,
      tensorType: TensorType(elementType: .float32, layout: Layout(dimensions: [1])), size: 4)
    for (given, taken) in [
      ([inputs[0]], outputs), (inputs + inputs, outputs), (inputs, []), (inputs, outputs + outputs),
      ([inputs[0], small], outputs), (inputs, [small]),
    ] {
      #expect(error { try model.run(inputs: given, outputs: taken) } == .invalidArgument)
    }
    try model.run(inputs: inputs, outputs: outputs)
  }

  @Test("a run that fails is an error, and the next one may succeed")
  func failingRun() throws {
    let model = try model(SmallModels.choice)
    let inputs = try model.createInputBuffers()
    try inputs[0].write([Int32(7)])
    #expect(error { _ = try model.run(inputs: inputs) } == .runtimeFailure)
    try inputs[0].write([Int32(1)])
    #expect(try model.run(inputs: inputs)[0].read() == [Float(20)])
  }

  @Test("calls a cancellation function with its pointer")
  func cancellation() throws {
    let model = try model(SmallModels.sum)
    let inputs = try model.createInputBuffers()
    let answer = UnsafeMutablePointer<Bool>.allocate(capacity: 1)
    defer { answer.deallocate() }
    answer.initialize(to: true)
    try model.setCancellationFunction(userData: answer) { $0?.load(as: Bool.self) ?? false }
    #expect(error { _ = try model.run(inputs: inputs) } == .cancelled)
    answer.pointee = false
    _ = try model.run(inputs: inputs)
    try model.setCancellationFunction { _ in true }
    #expect(error { _ = try model.run(inputs: inputs) } == .cancelled)
  }

  @Test("reads an input from memory that options bind to it")
  func externalBinding() throws {
    let options = try Options()
    var weights: [Float] = [100, 200]
    try weights.withUnsafeMutableBytes { bytes in
      let start = try #require(bytes.baseAddress)
      try options.addExternalTensorBinding(
        signatureName: "<placeholder signature>", tensorName: "t1", data: start, sizeBytes: bytes.count)
      let model = try model(SmallModels.sum, options)
      let inputs = try model.createInputBuffers()
      try inputs[0].write([1, 2] as [Float])
      #expect(try model.run(inputs: inputs)[0].read() == [Float(101), 202])
      let unknown = try Options()
      try unknown.addExternalTensorBinding(signatureName: "no", tensorName: "t1", data: start, sizeBytes: 8)
      #expect(error { _ = try self.model(SmallModels.sum, unknown) } == .invalidArgument)
      #expect(
        error { try unknown.addExternalTensorBinding(signatureName: "", tensorName: "", data: start, sizeBytes: -1) }
          == .invalidArgument)
      let short = try Options()
      try short.addExternalTensorBinding(
        signatureName: "<placeholder signature>", tensorName: "t1", data: start, sizeBytes: 4)
      let starved = try self.model(SmallModels.sum, short)
      #expect(error { _ = try starved.run(inputs: inputs) } == .invalidArgument)
    }
  }

  // MARK: Types and sizes

  @Test("reports types and sizes")
  func types() throws {
    let model = try model(SmallModels.sum)
    let expected = TensorType(elementType: .float32, layout: Layout(dimensions: [2]))
    for index in 0..<2 { #expect(try model.getInputTensorType(inputIndex: index) == expected) }
    #expect(try model.getOutputTensorType(outputIndex: 0) == expected)
    #expect(try model.getInputTensorLayout(inputIndex: 0).dimensions == [2])
    #expect(try model.getOutputTensorLayouts().map(\.dimensions) == [[2]])
    let requirements = try model.getInputBufferRequirements(inputIndex: 0)
    #expect(requirements.bufferSize == 8 && requirements.alignment == 64 && requirements.strides == [])
    #expect(requirements.supportedTypes == [.hostMemory])
    #expect(try model.getOutputBufferRequirements(outputIndex: 0).bufferSize == 8)
  }

  @Test("dynamic sizes are negative in types, and follow resizes in layouts")
  func openSizes() throws {
    let model = try model(SmallModels.openSum)
    try model.resizeInputTensor(inputIndex: 0, dimensions: [4, 2, 3])
    try model.resizeInputTensor(inputIndex: 1, dimensions: [3, 2, 3])
    #expect(error { _ = try model.createOutputBuffers() } == .runtimeFailure)
    try model.resizeInputTensor(inputIndex: 1, dimensions: [4, 2, 3])
    #expect(try model.getInputTensorType(inputIndex: 0).layout.dimensions == [-1, 2, 3])
    #expect(try model.getOutputTensorType(outputIndex: 0).layout.dimensions == [-1, 2, 3])
    #expect(try model.getInputTensorLayout(inputIndex: 0).dimensions == [4, 2, 3])
    let inputs = try model.createInputBuffers()
    #expect(inputs.map(\.size) == [96, 96] && inputs[0].tensorType?.layout.dimensions == [-1, 2, 3])
    let outputs = try model.createOutputBuffers()
    #expect(outputs[0].size == 96 && outputs[0].tensorType?.layout.dimensions == [4, 2, 3])
    for buffer in inputs { try buffer.write([Float](repeating: 1.5, count: 24)) }
    try model.run(inputs: inputs, outputs: outputs)
    #expect(try outputs[0].read() == [Float](repeating: 3, count: 24))
  }

  @Test("only dynamic sizes may be changed, unless the call is not strict")
  func strictness() throws {
    let model = try model(SmallModels.openSum)
    for dimensions in [[], [4, 2], [4, 2, 4], [-1, 2, 3], [Int.max, 2, 3]] {
      #expect(error { try model.resizeInputTensor(inputIndex: 0, dimensions: dimensions) } == .invalidArgument)
    }
    for dimensions in [[], [-1]] {
      #expect(error { try model.resizeInputTensorNonStrict(inputIndex: 0, dimensions: dimensions) } == .invalidArgument)
    }
    for index in 0..<2 { try model.resizeInputTensorNonStrict(inputIndex: index, dimensions: [5]) }
    #expect(try model.createOutputBuffers()[0].tensorType?.layout.dimensions == [5])
  }

  @Test("dynamic sizes follow the buffers of a run")
  func adoption() throws {
    let model = try model(SmallModels.openSum)
    let type = TensorType(elementType: .float32, layout: Layout(dimensions: [2, 2, 3]))
    func buffer() throws -> TensorBuffer {
      try TensorBuffer(environment: model.environment, bufferType: .hostMemory, tensorType: type, size: 48)
    }
    let inputs = [try buffer(), try buffer()], output = try buffer()
    for input in inputs { try input.write((0..<12).map(Float.init)) }
    try model.run(inputs: inputs, outputs: [output])
    #expect(try output.read() == (0..<12).map { Float(2 * $0) })
    #expect(try model.getOutputTensorLayouts().map(\.dimensions) == [[2, 2, 3]])
  }

  @Test(
    "buffers with unsupported sizes leave the model unchanged",
    arguments: [[12], [2, 2, 4], [-1, 2, 3], [1, 2, 3]])
  func notAdopted(dimensions: [Int]) throws {
    let model = try model(SmallModels.openSum)
    let type = TensorType(elementType: .float32, layout: Layout(dimensions: dimensions))
    func buffer() throws -> TensorBuffer {
      try TensorBuffer(environment: model.environment, bufferType: .hostMemory, tensorType: type, size: 64)
    }
    let inputs = [try buffer(), try buffer()], output = try buffer()
    for input in inputs { try input.write((0..<6).map(Float.init)) }
    try model.run(inputs: inputs, outputs: [output])
    let sums: [Float] = try output.read()
    #expect(Array(sums.prefix(6)) == (0..<6).map { Float(2 * $0) })
    #expect(try model.getOutputTensorLayouts().map(\.dimensions) == [[1, 2, 3]])
  }

  @Test("sizes known only after a run are dynamic before it")
  func unknownSizes() throws {
    let model = try model(SmallModels.positions)
    #expect(try model.getOutputTensorLayouts().map(\.dimensions) == [[-1, 1]])
    #expect(error { _ = try model.createOutputBuffers() } == .invalidArgument)
    let inputs = try model.createInputBuffers()
    try inputs[0].write([0, 1, 0, 2] as [Float])
    let output = try TensorBuffer(
      environment: model.environment, bufferType: .hostMemory,
      tensorType: TensorType(elementType: .int64, layout: Layout(dimensions: [4, 1])), size: 32)
    try model.run(inputs: inputs, outputs: [output])
    #expect(try model.getOutputTensorLayouts().map(\.dimensions) == [[2, 1]])
    #expect(try output.read() == [Int64(1), 3, 0, 0])
  }

  // MARK: Metadata and messages

  @Test("finds metadata of the file, and added metadata")
  func metadata() throws {
    let model = try model(TestGraph.bytes([TestGraph.binary(.add)], metadata: [1, 2, 3]))
    #expect(try model.metadata(key: "TFLITE_METADATA") == Data([1, 2, 3]))
    #expect(error { _ = try model.metadata(key: "key") } == .notFound)
    try model.addMetadata(key: "key", data: Data("value".utf8))
    #expect(try model.metadata(key: "key") == Data("value".utf8))
    for key in ["key", "TFLITE_METADATA"] {
      #expect(error { try model.addMetadata(key: key, data: Data()) } == .alreadyExists)
    }
  }

  @Test("has no message buffer")
  func messages() throws {
    let model = try model(SmallModels.sum)
    #expect(error { try model.clearErrors() } == .unsupported)
    #expect(error { _ = try model.getErrorMessages() } == .unsupported)
  }

  @Test("other accelerators are accepted")
  func accelerators() throws {
    let options = try Options()
    try options.setHardwareAccelerators([.gpu, .npu, .none])
    #expect(try options.hardwareAccelerators() == [.gpu, .npu])
    let model = try model(SmallModels.sum, options)
    #expect(try !model.isFullyAccelerated())
    _ = try model.run(inputs: try model.createInputBuffers())
  }
}
