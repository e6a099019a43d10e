import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks a session's errors about invalid tensors, names, and shapes.
@Suite("Messages of sessions")
struct SessionMessageTests {
  /// Returns a session with inputs `image` float32 [2, 3] and `mask` int8 [4], and outputs `scores` float32 [2, 3] and
  /// `left` int8 [4].
  private func session(_ change: (inout RuntimeOptions) -> Void = { _ in }) throws -> Session {
    var graph = TestGraph()
    let image = graph.input(.float32, [2, 3]), mask = graph.input(.int8, [4])
    let scores = graph.output(.float32, [2, 3]), left = graph.output(.int8, [4])
    graph.add(.neg, [image], [scores])
    graph.add(.reshape, [mask, graph.constant([Int32(4)])], [left])
    for (tensor, name) in [(image, "image"), (mask, "mask"), (scores, "scores"), (left, "left")] {
      graph.name(tensor, name)
    }
    var options = RuntimeOptions()
    change(&options)
    return try graph.session(options: options)
  }

  private func refusal(_ body: () throws -> Void) -> (code: RuntimeError.Code?, message: String?) {
    let error: RuntimeError? = thrownError(body)
    return (error?.code, error?.message)
  }

  @Test("names are found, and unknown ones are rejected with a list of the existing names")
  func names() throws {
    let session = try session()
    #expect(try session.inputIndex(named: "image") == 0 && session.inputIndex(named: "mask") == 1)
    #expect(try session.outputIndex(named: "scores") == 0 && session.outputIndex(named: "left") == 1)
    #expect(session.inputs.map(\.name) == ["image", "mask"] && session.outputs.map(\.name) == ["scores", "left"])
    let input = refusal { _ = try session.inputIndex(named: "scores") }
    #expect(input.code == .invalidArgument)
    #expect(input.message == "the model has no input 'scores'; it has 'image', 'mask'")
    let output = refusal { _ = try session.outputIndex(named: "image") }
    #expect(output.message == "the model has no output 'image'; it has 'scores', 'left'")
  }

  @Test("inputs and outputs are accessed by index and type")
  func access() throws {
    let session = try session()
    for index in [-1, 2] {
      let input = refusal { try session.withInput(index) { _ in } }
      #expect(input.code == .invalidArgument && input.message == "there is no input \(index); the model has 2")
      let typed = refusal { try session.withInput(index, as: Float.self) { _ in } }
      #expect(typed.message == "there is no input \(index); the model has 2")
      try session.run()
      let output = refusal { try session.withOutput(index) { _ in } }
      #expect(output.code == .invalidArgument && output.message == "there is no output \(index); the model has 2")
      #expect(refusal { try session.withOutput(index, as: Float.self) { _ in } }.message == output.message)
      #expect(refusal { try session.resizeInput(at: index, to: [1]) }.message == input.message)
    }
    let input = refusal { try session.withInput(1, as: UInt8.self) { _ in } }
    #expect(input.code == .typeMismatch && input.message == "input 'mask' int8[4] holds int8, not uint8")
    let output = refusal { try session.withOutput(0, as: Int32.self) { _ in } }
    #expect(output.code == .typeMismatch && output.message == "output 'scores' float32[2×3] holds float32, not int32")
    #expect(try session.withInput(0) { $0.count } == 24 && session.withOutput(1) { $0.count } == 4)
  }

  @Test("an output has no value before the first run")
  func early() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2]), shape = graph.input(.int32, [1])
    graph.add(.reshape, [x, shape], [graph.output(.float32, [2])])
    let early = refusal { try graph.session().withOutput(0) { _ in } }
    #expect(early.code == .invalidArgument && early.message == "output 0 't2' has no value before the first run")
  }

  @Test("a constant input and an output that isn't computed")
  func unavailable() throws {
    var graph = TestGraph()
    let constant = graph.constant([Float(1), 2])
    graph.addInput(constant)
    graph.add(.neg, [constant], [graph.output(.float32, [2])])
    graph.add(.abs, [constant], [graph.output(.float32, [2])])
    let session = try Session(try CompiledModel(try graph.model(), unusedOutputs: [1]))
    let input = refusal { try session.withInput(0) { _ in } }
    #expect(input.code == .invalidArgument && input.message == "input 0 is a constant of the model")
    let output = refusal { try session.withOutput(1) { _ in } }
    #expect(output.code == .invalidArgument)
    #expect(output.message == "output 1 't2' is not computed: the model was compiled with it among unusedOutputs")
    #expect(session.isConstantInput(0))
  }

  @Test("tensors and shapes must match the inputs in number, type, and rank, and must not be negative")
  func shapes() throws {
    let session = try session { $0.limits.rank = 3 }
    let image = try Tensor([Float](repeating: 1, count: 6), shape: [2, 3]),
      mask = try Tensor([Int8(1), 2, 3, 4], shape: [4])
    for tensors in [[image], [image, mask, mask]] {
      let count = refusal { _ = try session.run(tensors) }
      #expect(count.code == .invalidArgument && count.message == "the model takes 2 inputs, got \(tensors.count)")
      let shapes = refusal { try session.resizeInputs(to: tensors.map(\.shape)) }
      #expect(shapes.code == .invalidArgument)
      #expect(shapes.message == "the model takes 2 inputs, got \(tensors.count) shapes")
    }
    let type = refusal { _ = try session.run([image, image]) }
    #expect(type.code == .typeMismatch && type.message == "input 1 'mask' int8[4] got a float32 tensor")
    let negative = refusal { try session.resizeInput(at: 1, to: [-1]) }
    #expect(negative.code == .invalidArgument)
    #expect(
      negative.message == "[-1] is not a shape for input 1: sizes must not be negative, rank at most 3")
    #expect(refusal { try session.resizeInputs(to: [[1, 1, 1, 1], [4]]) }.code == .invalidArgument)
    try session.resizeInputs(to: [[1, 1, 5], [4]])
    #expect(session.inputs.map(\.shape) == [[1, 1, 5], [4]])
    let results = try session.run([image, mask])
    #expect(results.map(\.shape) == [[2, 3], [4]] && results[1].bytes == [1, 2, 3, 4])
  }

  @Test("a past deadline ends a run, and a future one doesn't")
  func deadlines() throws {
    let session = try session()
    let tensors = try [
      Tensor([Float](repeating: 1, count: 6), shape: [2, 3]), Tensor([Int8(1), 2, 3, 4], shape: [4]),
    ]
    #expect(refusal { _ = try session.run(tensors, deadline: .now - .seconds(1)) }.code == .deadlineExceeded)
    #expect(try session.run(tensors, deadline: .now + .seconds(3600)).count == 2)
  }

  @Test("profiles list operators, outputs, and implementations, and are empty unless requested")
  func profiles() throws {
    #expect(try session().profile.isEmpty)
    let session = try session { $0.isProfiling = true }
    for _ in 0..<2 { try session.run() }
    let profile = session.profile
    #expect(profile.map(\.name) == ["NEG", "RESHAPE"] && profile.map(\.index) == [0, 1])
    #expect(profile.map(\.output) == ["scores", "left"] && profile.map(\.multiplyAdds) == [0, 0])
    #expect(profile.allSatisfy { $0.duration > .zero && !$0.implementation.isEmpty })
    try session.resizeInput(at: 0, to: [5, 3])
    #expect(session.profile.allSatisfy { $0.duration == .zero })
    try session.run()
    try session.resizeInput(at: 0, to: [5, 3])
    #expect(session.profile.allSatisfy { $0.duration > .zero })
  }

  // MARK: Compiled models

  /// Returns a graph with two inputs, two outputs, and a signature that lists them in another order.
  private func signed(_ entries: (inputs: [(name: String, tensor: Int)], outputs: [(name: String, tensor: Int)])) throws
    -> Model
  {
    var graph = TestGraph()
    let x = graph.input(.float32, [2]), y = graph.input(.float32, [3])
    graph.add(.neg, [x], [graph.output(.float32, [2])])
    graph.add(.abs, [y], [graph.output(.float32, [3])])
    graph.addSignature("serve", inputs: entries.inputs, outputs: entries.outputs)
    return try graph.model()
  }

  @Test("a signature names and orders inputs and outputs")
  func signatures() throws {
    let model = try signed(([("b", 1), ("a", 0)], [("abs", 3), ("neg", 2)]))
    #expect(model.signatureKeys == ["serve"])
    let compiled = try CompiledModel(model, signature: "serve")
    #expect(compiled.inputs.map(\.name) == ["b", "a"] && compiled.inputs.map(\.shape) == [[3], [2]])
    #expect(compiled.outputs.map(\.name) == ["abs", "neg"] && compiled.outputs.map(\.shape) == [[3], [2]])
    let results = try Session(compiled).run([
      Tensor([Float(-1), -2, -3], shape: [3]), Tensor([Float(4), 5], shape: [2]),
    ])
    #expect(try results.map { try $0.values(as: Float.self) } == [[1, 2, 3], [-4, -5]])
    #expect(try CompiledModel(model).inputs.map(\.name) == ["t0", "t1"])
    let unknown = refusal { _ = try CompiledModel(model, signature: "main") }
    #expect(unknown.code == .invalidArgument)
    #expect(unknown.message == "the model has no signature 'main'; it has 'serve'")
    var bare = TestGraph()
    bare.addOutput(bare.input(.float32, [1]))
    #expect(
      refusal { _ = try CompiledModel(try bare.model(), signature: "x") }.message
        == "the model has no signature 'x'; it has none")
  }

  @Test("a signature that names other tensors, or one twice, is rejected")
  func brokenSignatures() throws {
    let inner = refusal { _ = try CompiledModel(try signed(([("a", 2)], [])), signature: "serve") }
    #expect(inner.code == .invalidModel)
    #expect(inner.message == "signature 'serve' names 'a', which is not an input or output of its subgraph")
    let output = refusal { _ = try CompiledModel(try signed(([("a", 0)], [("o", 1)])), signature: "serve") }
    #expect(output.message == "signature 'serve' names 'o', which is not an input or output of its subgraph")
    let twice = refusal { _ = try CompiledModel(try signed(([("a", 0), ("b", 0)], [])), signature: "serve") }
    #expect(twice.code == .invalidModel)
    #expect(twice.message == "signature 'serve' names one tensor as two inputs, 'b' is the second")
  }

  @Test("reduced precision is not bit-exact")
  func precision() throws {
    var graph = TestGraph()
    graph.addOutput(graph.input(.float32, [1]))
    let model = try graph.model()
    let both = refusal {
      _ = try CompiledModel(model, options: RuntimeOptions(numerics: .bitExact, precision: .reduced))
    }
    #expect(both.code == .invalidArgument)
    #expect(
      both.message
        == "reduced precision and bit-exact numerics are mutually exclusive; request full precision or fast numerics")
    #expect(try CompiledModel(model, options: RuntimeOptions(precision: .reduced)).precision == .full)
  }

  @Test("a model is stateful if a run changes variables")
  func state() throws {
    var plain = TestGraph()
    plain.add(.neg, [plain.input(.float32, [1])], [plain.output(.float32, [1])])
    #expect(try !CompiledModel(try plain.model()).keepsState)
    var variable = TestGraph()
    variable.add(.neg, [variable.variable(.float32, [1])], [variable.output(.float32, [1])])
    #expect(try CompiledModel(try variable.model()).keepsState)
    var resource = TestGraph()
    let handle = resource.tensor(.resource, [])
    resource.add(
      .varHandle, [], [handle], options: VarHandleOptions.with { [$0.container(""), $0.sharedName("v")] })
    resource.add(.assignVariable, [handle, resource.input(.float32, [1])], [])
    #expect(try CompiledModel(try resource.model()).keepsState)
    // The same in a subgraph.
    var caller = TestGraph()
    caller.add(
      .ifElse, [caller.input(.bool, [1])], [],
      options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(1)] })
    var callee = TestGraph()
    let inner = callee.tensor(.resource, [])
    callee.add(.varHandle, [], [inner], options: VarHandleOptions.with { [$0.container(""), $0.sharedName("v")] })
    callee.add(.assignVariable, [inner, callee.constant([Float(1)])], [])
    #expect(try CompiledModel(try caller.model([callee])).keepsState)
  }

  @Test("reports contain implementations and multiply-adds of operators")
  func implementations() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [1, 4])
    let weights = graph.constant([Float](repeating: 1, count: 12), shape: [3, 4])
    graph.add(
      .fullyConnected, [x, weights, nil], [graph.output(.float32, [1, 3])], options: FullyConnectedOptions.empty)
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.multiplyAdds == 12 && compiled.implementations.count == 1)
    #expect(compiled.implementations[0].location.operatorName == "FULLY_CONNECTED")
    #expect(compiled.implementations[0].implementation.contains(InstructionSet.current.rawValue))
  }
}
