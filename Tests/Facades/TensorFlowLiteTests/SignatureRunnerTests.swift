import Foundation
import SwiftletTestSupport
import Testing

@testable import TensorFlowLite

@Suite("SignatureRunner")
struct SignatureRunnerTests {
  private func error(_ body: () throws -> Void) -> SignatureRunnerError? { thrownError(body) }

  @Test("is created for the model's signatures, in order")
  func keys() throws {
    let interpreter = try Interpreter(SmallModels.addAndSub)
    #expect(interpreter.signatureKeys == ["add", "sub"])
    for key in interpreter.signatureKeys {
      let runner = try interpreter.signatureRunner(with: key)
      #expect(runner.signatureKey == key && runner.inputs == ["x"] && runner.outputs == ["output_0"])
    }
    for key in ["dummy", "", "ADD"] {
      #expect(
        error { _ = try interpreter.signatureRunner(with: key) } == .failedToCreateSignatureRunner(signatureKey: key))
    }
    #expect(
      error { _ = try Interpreter(SmallModels.triple).signatureRunner(with: "serving_default") }
        == .failedToCreateSignatureRunner(signatureKey: "serving_default"))
  }

  @Test("has tensors of the graph's names at once")
  func tensors() throws {
    let runner = try Interpreter(SmallModels.addAndSub).signatureRunner(with: "add")
    let input = try runner.input(named: "x")
    #expect(input.name == "add_x:0" && input.dataType == .float32 && input.shape == [1])
    let output = try runner.output(named: "output_0")
    #expect(output.name == "StatefulPartitionedCall:0" && output.dataType == .float32 && output.shape == [1])
  }

  @Test("resizes, copies, and runs")
  func running() throws {
    let runner = try Interpreter(SmallModels.addAndSub).signatureRunner(with: "add")
    let data = Data(numbers: [Float(2), 4])
    #expect(error { try runner.copy(data, toInputNamed: "x") } == .invalidTensorDataCount(provided: 8, required: 4))
    try runner.resizeInput(named: "x", toShape: [2])
    #expect(try runner.output(named: "output_0").shape == [1], "the shape that it had")
    #expect(error { _ = try runner.input(named: "x") } == .allocateTensorsRequired)
    #expect(error { try runner.copy(data, toInputNamed: "x") } == .allocateTensorsRequired)
    try runner.allocateTensors()
    try runner.allocateTensors()
    try runner.copy(data, toInputNamed: "x")
    #expect(
      try runner.input(named: "x") == Tensor(name: "add_x:0", dataType: .float32, shape: [2], data: data))
    try runner.invoke(with: [:])
    let expected = Tensor(
      name: "StatefulPartitionedCall:0", dataType: .float32, shape: [2], data: Data(numbers: [Float(4), 6]))
    #expect(try runner.output(named: "output_0") == expected)
    try runner.resizeInput(named: "x", toShape: [3])
    try runner.invoke(with: ["x": Data(numbers: [Float(1), 2, 3])])
    #expect(try runner.output(named: "output_0").data.numbers() == [Float(3), 4, 5])
  }

  @Test("names that the signature does not have are errors")
  func names() throws {
    let runner = try Interpreter(SmallModels.addAndSub).signatureRunner(with: "sub")
    for name in ["dummy", "", "sub_x:0"] {
      let noInput = SignatureRunnerError.failedToGetTensor(tensorType: "input", nameInSignature: name)
      #expect(error { _ = try runner.input(named: name) } == noInput)
      #expect(error { try runner.copy(Data(), toInputNamed: name) } == noInput)
      #expect(error { try runner.invoke(with: [name: Data()]) } == noInput)
      #expect(
        error { _ = try runner.output(named: name) }
          == .failedToGetTensor(tensorType: "output", nameInSignature: name))
      #expect(
        error { try runner.resizeInput(named: name, toShape: [2]) } == .failedToResizeInputTensor(inputName: name))
    }
    #expect(error { try runner.resizeInput(named: "x", toShape: [-1]) } == .failedToResizeInputTensor(inputName: "x"))
  }

  @Test("unsupported shapes fail when they are allocated")
  func shapes() throws {
    let runner = try Interpreter(SmallModels.addAndSub).signatureRunner(with: "add")
    try runner.resizeInput(named: "x", toShape: Tensor.Shape([Int](repeating: 1, count: 40)))
    #expect(error { try runner.allocateTensors() } == .failedToAllocateTensors)
    #expect(error { try runner.invoke(with: [:]) } == .failedToAllocateTensors)
  }

  @Test("runners of the main graph share their tensors with each other and with the interpreter")
  func sharing() throws {
    let interpreter = try Interpreter(SmallModels.addAndSub)
    let first = try interpreter.signatureRunner(with: "add")
    let second = try interpreter.signatureRunner(with: "add")
    let other = try interpreter.signatureRunner(with: "sub")
    try first.copy(Data(numbers: [Float(5)]), toInputNamed: "x")
    try other.invoke(with: ["x": Data(numbers: [Float(100)])])
    try interpreter.invoke()
    #expect(try second.output(named: "output_0").data.numbers() == [Float(7)])
    #expect(try interpreter.output(at: 0).data.numbers() == [Float(7)])
    #expect(try other.output(named: "output_0").data.numbers() == [Float(98)])
  }

  @Test("keeps its interpreter")
  func lifetime() throws {
    func make() throws -> SignatureRunner { try Interpreter(SmallModels.addAndSub).signatureRunner(with: "sub") }
    let runner = try make()
    try runner.invoke(with: ["x": Data(numbers: [Float(3)])])
    #expect(try runner.output(named: "output_0").data.numbers() == [Float(1)])
  }

  @Test("contradictory signatures of a hostile file are omitted")
  func hostileSignatures() throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    let middle = graph.tensor(.float32, [1])
    let output = graph.output(.float32, [1])
    graph.add(.abs, [input], [middle])
    graph.add(.abs, [middle], [output])
    graph.addSignature("inner", inputs: [("x", middle)], outputs: [("y", output)])
    graph.addSignature("twice", inputs: [("x", input)], outputs: [("y", output)])
    var other = TestGraph()
    let pair = (other.input(.float32, [1]), other.input(.float32, [1]))
    let sum = other.output(.float32, [1])
    other.add(.add, [pair.0, pair.1], [sum])
    other.addSignature("twice", inputs: [("x", pair.0), ("z", pair.1)], outputs: [("y", sum)])
    other.addSignature("same", inputs: [("x", pair.0), ("z", pair.0)], outputs: [("y", sum)])
    let interpreter = try Interpreter(TestGraph.bytes([graph, other]))
    #expect(interpreter.signatureKeys == ["twice", "same"])
    #expect(try interpreter.signatureRunner(with: "twice").inputs == ["x"])
    #expect(
      error { _ = try interpreter.signatureRunner(with: "same") }
        == .failedToCreateSignatureRunner(signatureKey: "same"))
  }
}
