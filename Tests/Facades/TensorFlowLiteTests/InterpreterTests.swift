import Foundation
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import TensorFlowLite

@Suite("Interpreter")
struct InterpreterTests {
  private func error(_ body: () throws -> Void) -> InterpreterError? { thrownError(body) }

  /// Returns the tripling model, allocated for two elements.
  private func tripleOfTwo() throws -> Interpreter {
    let interpreter = try Interpreter(SmallModels.triple)
    try interpreter.resizeInput(at: 0, to: [2])
    try interpreter.allocateTensors()
    return interpreter
  }

  // MARK: Creation

  @Test("is created from a path and from bytes, and keeps options and delegates")
  func making() throws {
    try withFile(SmallModels.triple) { path in
      let plain = try Interpreter(modelPath: path)
      #expect(plain.options == nil && plain.delegates == nil)
      #expect(plain.inputTensorCount == 1 && plain.outputTensorCount == 1 && plain.signatureKeys == [])
      var options = Interpreter.Options()
      options.threadCount = 2
      let optional = try Interpreter(modelPath: path, options: options)
      #expect(optional.options == options && optional.delegates == nil)
      let fromBytes = try Interpreter(
        modelData: try Data(contentsOf: URL(fileURLWithPath: path)), options: options, delegates: [])
      #expect(fromBytes.options?.threadCount == 2 && fromBytes.delegates?.isEmpty == true)
    }
  }

  @Test("invalid models cannot be loaded")
  func noModel() throws {
    for path in ["/invalid/path", "", "/"] {
      #expect(error { _ = try Interpreter(modelPath: path) } == .failedToLoadModel)
    }
    for bytes in [[], [1, 2, 3], [UInt8](repeating: 7, count: 100)] {
      #expect(error { _ = try Interpreter(bytes) } == .failedToLoadModel)
    }
    try withFile(Array(SmallModels.triple.dropLast(200))) { path in
      #expect(error { _ = try Interpreter(modelPath: path) } == .failedToLoadModel)
    }
  }

  @Test("a model with an unknown operator creates no interpreter")
  func unknownOperator() {
    #expect(error { _ = try Interpreter(SmallModels.unknownOperator) } == .failedToCreateInterpreter)
  }

  @Test("accepts any number of threads", arguments: [nil, -1, 0, 1, 3, Int.max])
  func threads(count: Int?) throws {
    var options = Interpreter.Options()
    options.threadCount = count
    let interpreter = try Interpreter(SmallModels.triple, options: options)
    try interpreter.allocateTensors()
    try interpreter.copy(Data(numbers: [Float(2)]), toInputAt: 0)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(6)])
  }

  // MARK: Call order

  @Test("nothing is available before the tensors are allocated")
  func beforeAllocation() throws {
    let interpreter = try Interpreter(SmallModels.triple)
    #expect(error { try interpreter.invoke() } == .allocateTensorsRequired)
    #expect(error { _ = try interpreter.input(at: 0) } == .allocateTensorsRequired)
    #expect(error { _ = try interpreter.output(at: 0) } == .invokeInterpreterRequired)
    #expect(error { try interpreter.copy(Data(count: 4), toInputAt: 0) } == .allocateTensorsRequired)
    #expect(
      error { try interpreter.copy(Data(count: 3), toInputAt: 0) } == .invalidTensorDataCount(provided: 3, required: 4))
    try interpreter.allocateTensors()
    try interpreter.invoke()
  }

  @Test("an index is checked before everything else")
  func indices() throws {
    for isAllocated in [false, true] {
      let interpreter = try Interpreter(SmallModels.triple)
      if isAllocated { try interpreter.allocateTensors() }
      for index in [1, -1, .max, .min] {
        let expected = InterpreterError.invalidTensorIndex(index: index, maxIndex: 0)
        #expect(error { _ = try interpreter.input(at: index) } == expected)
        #expect(error { _ = try interpreter.output(at: index) } == expected)
        #expect(error { try interpreter.resizeInput(at: index, to: [2, 2, 3]) } == expected)
        #expect(error { try interpreter.copy(Data(), toInputAt: index) } == expected)
      }
    }
  }

  @Test("between allocation and run an output has its shape")
  func beforeRun() throws {
    let interpreter = try tripleOfTwo()
    let output = try interpreter.output(at: 0)
    #expect(output.shape == [2] && output.data.count == 8)
  }

  @Test("resizing discards the allocation, unless the shape is unchanged")
  func resizingAgain() throws {
    let interpreter = try tripleOfTwo()
    try interpreter.resizeInput(at: 0, to: [2])
    try interpreter.invoke()
    try interpreter.resizeInput(at: 0, to: [3])
    #expect(error { try interpreter.invoke() } == .allocateTensorsRequired)
    #expect(error { _ = try interpreter.input(at: 0) } == .allocateTensorsRequired)
    #expect(error { _ = try interpreter.output(at: 0) } == .invokeInterpreterRequired)
    #expect(
      error { try interpreter.copy(Data(count: 8), toInputAt: 0) }
        == .invalidTensorDataCount(provided: 8, required: 12))
    #expect(error { try interpreter.copy(Data(count: 12), toInputAt: 0) } == .allocateTensorsRequired)
    try interpreter.allocateTensors()
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).shape == [3] && interpreter.output(at: 0).shape == [3])
  }

  // MARK: Values

  @Test("copies in, runs and copies out")
  func floats() throws {
    let interpreter = try tripleOfTwo()
    let input = try interpreter.copy(Data(numbers: [Float(1), 3]), toInputAt: 0)
    let expected = Tensor(name: "input", dataType: .float32, shape: [2], data: Data(numbers: [Float(1), 3]))
    #expect(input == expected)
    #expect(try interpreter.input(at: 0) == expected)
    try interpreter.invoke()
    let output = try interpreter.output(at: 0)
    #expect(output == Tensor(name: "output", dataType: .float32, shape: [2], data: Data(numbers: [Float(3), 9])))
    try interpreter.copy(Data(numbers: [Float(5), 6]), toInputAt: 0)
    try interpreter.invoke()
    #expect(output.data.numbers() == [Float(3), 9], "a tensor that was asked for stays as it is")
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(15), 18])
  }

  @Test("returns the parameters of quantized tensors")
  func quantized() throws {
    let interpreter = try Interpreter(SmallModels.tripleQuantized)
    try interpreter.resizeInput(at: 0, to: [2])
    try interpreter.allocateTensors()
    try interpreter.copy(Data([1, 3]), toInputAt: 0)
    try interpreter.invoke()
    let parameters = QuantizationParameters(scale: 0.003922, zeroPoint: 0)
    #expect(
      try interpreter.input(at: 0)
        == Tensor(
          name: "input", dataType: .uInt8, shape: [2], data: Data([1, 3]), quantizationParameters: parameters))
    #expect(
      try interpreter.output(at: 0)
        == Tensor(
          name: "output", dataType: .uInt8, shape: [2], data: Data([3, 9]), quantizationParameters: parameters))
  }

  @Test("a type without an API counterpart is an error, but is copied and run")
  func otherType() throws {
    let interpreter = try Interpreter(SmallModels.tripleSigned)
    try interpreter.allocateTensors()
    #expect(error { _ = try interpreter.input(at: 0) } == .invalidTensorDataType)
    #expect(error { try interpreter.copy(Data([1]), toInputAt: 0) } == .invalidTensorDataType)
    try interpreter.invoke()
    #expect(error { _ = try interpreter.output(at: 0) } == .invalidTensorDataType)
  }

  @Test("requires exactly the bytes of the current shape")
  func byteCounts() throws {
    let interpreter = try tripleOfTwo()
    for count in [0, 4, 7, 9, 16] {
      #expect(
        error { try interpreter.copy(Data(count: count), toInputAt: 0) }
          == .invalidTensorDataCount(provided: count, required: 8))
    }
    let slice = Data([0, 0] + Data(numbers: [Float(1), 2])).dropFirst(2)
    #expect(try interpreter.copy(slice, toInputAt: 0).data.numbers() == [Float(1), 2])
  }

  // MARK: Shapes

  @Test("accepts shapes of other ranks, and an empty shape")
  func ranks() throws {
    let interpreter = try Interpreter(SmallModels.triple)
    for shape: Tensor.Shape in [[2, 2, 3], [], [1, 1, 1, 7], [0]] {
      try interpreter.resizeInput(at: 0, to: shape)
      try interpreter.allocateTensors()
      let count = shape.dimensions.reduce(1, *)
      try interpreter.copy(Data(numbers: [Float](repeating: 2, count: count)), toInputAt: 0)
      try interpreter.invoke()
      let output = try interpreter.output(at: 0)
      #expect(output.shape == shape && output.data.numbers() == [Float](repeating: 6, count: count))
    }
  }

  @Test("invalid shapes are rejected")
  func noShape() throws {
    let interpreter = try Interpreter(SmallModels.triple)
    for dimensions in [[-1], [.min], [.max], [1 << 31], [1 << 30, 1 << 30, 1 << 30]] {
      #expect(
        error { try interpreter.resizeInput(at: 0, to: Tensor.Shape(dimensions)) }
          == .failedToResizeInputTensor(index: 0))
    }
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).shape == [1])
    // The largest size is a valid shape, but there isn't enough memory for it.
    try interpreter.resizeInput(at: 0, to: [Int(Int32.max)])
    #expect(error { try interpreter.allocateTensors() } == .failedToAllocateTensors)
  }

  @Test("a shape that is too large, or has too many dimensions, fails when it is allocated")
  func largeShapes() throws {
    let interpreter = try Interpreter(SmallModels.triple)
    for dimensions in [[1 << 30, 1 << 10], [Int](repeating: 1, count: 50)] {
      try interpreter.resizeInput(at: 0, to: Tensor.Shape(dimensions))
      #expect(error { try interpreter.allocateTensors() } == .failedToAllocateTensors)
      #expect(error { try interpreter.invoke() } == .allocateTensorsRequired)
    }
    try interpreter.resizeInput(at: 0, to: [2])
    try interpreter.allocateTensors()
    try interpreter.invoke()
  }

  @Test("inputs that must agree are resized one after the other")
  func together() throws {
    let interpreter = try Interpreter(SmallModels.sum)
    try interpreter.allocateTensors()
    try interpreter.resizeInput(at: 0, to: [3])
    #expect(error { try interpreter.allocateTensors() } == .failedToAllocateTensors)
    try interpreter.resizeInput(at: 1, to: [3])
    try interpreter.allocateTensors()
    try interpreter.copy(Data(numbers: [Float(1), 2, 3]), toInputAt: 0)
    try interpreter.copy(Data(numbers: [Float(10), 20, 30]), toInputAt: 1)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(11), 22, 33])
  }

  @Test("a model that doesn't support the file's sizes is created, and allocated for others")
  func onlyOtherSizes() throws {
    let interpreter = try Interpreter(SmallModels.firstThree)
    #expect(interpreter.inputTensorCount == 1 && interpreter.outputTensorCount == 1)
    #expect(error { try interpreter.allocateTensors() } == .failedToAllocateTensors)
    #expect(error { try interpreter.copy(Data(count: 4), toInputAt: 0) } == .allocateTensorsRequired)
    for size in [4, 5] {
      try interpreter.resizeInput(at: 0, to: [size])
      try interpreter.allocateTensors()
      try interpreter.copy(Data(numbers: (0..<size).map(Float.init)), toInputAt: 0)
      try interpreter.invoke()
      #expect(try interpreter.output(at: 0).data.numbers() == [Float(0), 1, 2])
    }
  }

  /// Returns a model that adds its input to a variable with the initial value 10, and returns the sum.
  private func accumulator() -> [UInt8] {
    var main = TestGraph(), start = TestGraph()
    func handle(in graph: inout TestGraph) -> Int {
      let handle = graph.tensor(.resource, [])
      graph.add(
        .varHandle, [], [handle], options: VarHandleOptions.with { [$0.container(""), $0.sharedName("sum")] })
      return handle
    }
    let input = main.input(.float32, [1])
    main.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(1)] })
    let variable = handle(in: &main)
    let old = main.tensor(.float32, [1])
    main.add(.readVariable, [variable], [old])
    let new = main.output(.float32, [1])
    main.add(.add, [old, input], [new])
    main.add(.assignVariable, [variable, new], [])
    let first = handle(in: &start)
    start.add(.assignVariable, [first, start.constant([Float(10)])], [])
    return TestGraph.bytes([main, start])
  }

  @Test("variables keep their values between runs, and restart when tensors are allocated again")
  func variables() throws {
    let interpreter = try Interpreter(accumulator())
    try interpreter.allocateTensors()
    #expect(try interpreter.input(at: 0).data.numbers() == [Float(0)], "an input that nobody wrote")
    try interpreter.copy(Data(numbers: [Float(1)]), toInputAt: 0)
    for expected in [Float(11), 12] {
      try interpreter.invoke()
      #expect(try interpreter.output(at: 0).data.numbers() == [expected])
    }
    try interpreter.allocateTensors()
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(13)], "nothing had to be allocated")
    try interpreter.resizeInput(at: 0, to: [1, 1])
    try interpreter.resizeInput(at: 0, to: [1])
    try interpreter.allocateTensors()
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(11)])
  }

  @Test("an input that keeps its shape keeps its contents")
  func keptInput() throws {
    let interpreter = try Interpreter(SmallModels.sum)
    try interpreter.allocateTensors()
    try interpreter.copy(Data(numbers: [Float(1), 2]), toInputAt: 0)
    try interpreter.resizeInput(at: 1, to: [1])
    try interpreter.allocateTensors()
    try interpreter.copy(Data(numbers: [Float(5)]), toInputAt: 1)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(6), 7])
  }

  @Test("an output with a size known only at run time is available after the run")
  func unknownSize() throws {
    let interpreter = try Interpreter(SmallModels.positions)
    try interpreter.allocateTensors()
    #expect(error { _ = try interpreter.output(at: 0) } == .invokeInterpreterRequired)
    for (values, expected) in [([0, 5, 0, 7], [1, 3]), ([1, 1, 1, 0], [0, 1, 2])] as [([Float], [Int64])] {
      try interpreter.copy(Data(numbers: values), toInputAt: 0)
      try interpreter.invoke()
      let output = try interpreter.output(at: 0)
      #expect(output.dataType == .int64 && output.shape == [expected.count, 1])
      #expect(output.data.numbers() == expected)
    }
  }

  @Test("a failing run throws the original's error, and the next one may succeed")
  func failingRun() throws {
    let interpreter = try Interpreter(SmallModels.choice)
    try interpreter.allocateTensors()
    try interpreter.copy(Data(numbers: [Int32(7)]), toInputAt: 0)
    #expect(error { try interpreter.invoke() } == .allocateTensorsRequired)
    try interpreter.copy(Data(numbers: [Int32(2)]), toInputAt: 0)
    try interpreter.invoke()
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(30)])
  }

  @Test("may be used from many threads at once")
  func threads() async throws {
    let interpreter = try tripleOfTwo()
    try interpreter.copy(Data(numbers: [Float(1), 3]), toInputAt: 0)
    try await withThrowingTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 {
            try interpreter.invoke()
            #expect(try interpreter.output(at: 0).data.numbers() == [Float(3), 9])
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
