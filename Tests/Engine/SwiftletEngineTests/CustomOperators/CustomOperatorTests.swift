import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Returns a model of one node `name`, from a vector of four to one of any size.
private func model(
  _ name: String = "Threshold", options: [String: FlexMap.Value] = ["limit": .float(2)], version: Int = 1,
  type: ElementType = .float32, isConstant: Bool = false
) throws -> Model {
  var graph = TestGraph()
  let input = isConstant ? graph.constant([Float(1), 2, 3, 4]) : graph.input(type, [4])
  let output = graph.output(type, [])
  graph.add(custom: name, [input], [output], options: options.isEmpty ? [] : FlexMap.bytes(options), version: version)
  return try graph.model()
}

private let four = [Float(1), 2, 3, 4]

/// Returns as many ones as the first value of its input specifies.
private struct Ones: CustomOperator {
  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    [[Int(try node.values(ofInput: 0, as: Float.self).first ?? 0)]]
  }

  func run(_ call: CustomOperatorCall) throws { try call.output(0, as: Float.self).update(repeating: 1) }
}

/// An operator that makes the error that a test requests.
struct Mistaken: CustomOperator {
  enum Mistake: Error, Sendable, CaseIterable {
    case shapes, negativeShape, hugeShape, outputCount, inputType, inputIndex, outputIndex, run
  }

  let mistake: Mistake

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    switch mistake {
    case .shapes: throw mistake
    case .negativeShape: [[-1]]
    case .hugeShape: [[Int.max, 2, 0]]
    case .outputCount: [[1], [1]]
    default: [[4]]
    }
  }

  func run(_ call: CustomOperatorCall) throws {
    switch mistake {
    case .inputType: _ = try call.input(0, as: Int32.self)
    case .inputIndex: _ = try call.input(1, as: Float.self)
    case .outputIndex: _ = try call.output(-1, as: Float.self)
    default: throw mistake
    }
  }
}

@Suite("Operators that a program adds")
struct CustomOperatorTests {
  @Test("run as in the documentation's example")
  func example() throws {
    let session = try Session(try compile(try model()))
    #expect(try session.run([try Tensor(four, shape: [4])])[0].values() == [Float(0), 0, 3, 4])
  }

  @Test("the example in the documentation equals the code that this test compiles")
  func documentation() throws {
    let code = try DocumentedCode(page: "custom-operators.md")
    #expect(code.blocks.count == 2)
    #expect(try code.blocks(notIn: ["Engine/SwiftletEngineTests/CustomOperators/CustomOperatorExample.swift"]) == [])
  }

  @Test("belong to one model, and not to copies made earlier")
  func belongToModel() throws {
    let original = try model()
    var changed = original
    changed.addOperator(named: "Threshold") { try Threshold($0) }
    #expect(changed.support().unsupportedOperators.isEmpty)
    #expect(original.support().unsupportedOperators.map(\.name) == ["Threshold"])
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(original) }
    #expect(error?.code == .unsupportedOperators)
  }

  @Test("replace built-in operators")
  func replaceOwn() throws {
    var own = try model("TransformLandmarks", options: [:])
    own.addOperator(named: "TransformLandmarks") { _ in Ones() }
    let session = try Session(try CompiledModel(own))
    #expect(try session.run([try Tensor([Float(3), 0, 0, 0], shape: [4])])[0].values() == [Float(1), 1, 1])
  }

  @Test("receive their name, version, and options")
  func options() throws {
    var seen = try model(
      "Seen", options: ["a": .int(3), "b": .float(0.5), "c": .bool(true), "d": .ints([4, 5])], version: 2)
    seen.addOperator(named: "Seen", versions: 1...2) { options in
      #expect(options.name == "Seen")
      #expect(options.version == 2)
      #expect(options.inputCount == 1)
      #expect(options.outputCount == 1)
      #expect(options.integer("a") == 3)
      #expect(options.number("b") == 0.5)
      #expect(options.boolean("c") == true)
      #expect(options.integers("d") == [4, 5])
      #expect(options.numbers("d") == [4, 5])
      #expect(options.integer("e") == nil)
      #expect(!options.bytes.isEmpty)
      return Ones()
    }
    _ = try CompiledModel(seen)
  }

  @Test("of other versions than the model's are unsupported")
  func versions() throws {
    var newer = try model(version: 3)
    newer.addOperator(named: "Threshold", versions: 1...2) { try Threshold($0) }
    #expect(newer.support().unsupportedOperators.first?.version == 3)
    #expect(throws: RuntimeError.self) { try CompiledModel(newer) }
  }

  @Test("may return value-dependent shapes in every run")
  func dynamicShapes() throws {
    var ones = try model("Ones", options: [:])
    ones.addOperator(named: "Ones") { _ in Ones() }
    let session = try Session(try CompiledModel(ones))
    for count in [2, 0, 3] {
      let result = try session.run([try Tensor([Float(count), 0, 0, 0], shape: [4])])[0]
      #expect(try result.values() == [Float](repeating: 1, count: count))
    }
  }

  @Test("run at load if all inputs are constant")
  func folded() throws {
    let compiled = try compile(try model(isConstant: true))
    #expect(compiled.operatorNames.isEmpty)
    #expect(try Session(compiled).run([])[0].values() == [Float(0), 0, 3, 4])
  }

  @Test("have their errors named", arguments: Mistaken.Mistake.allCases)
  func mistakes(mistake: Mistaken.Mistake) throws {
    var mistaken = try model("Mistaken")
    mistaken.addOperator(named: "Mistaken") { _ in Mistaken(mistake: mistake) }
    let added = mistaken
    let error = #expect(throws: RuntimeError.self) {
      try Session(try CompiledModel(added)).run([try Tensor(four, shape: [4])])
    }
    #expect(error?.description.contains("operator 0 Mistaken") == true)
    if case .run = mistake {
      #expect(error?.code == .invalidInput)
      #expect(error?.underlying is Mistaken.Mistake)
    }
  }

  @Test("that reject their options or inputs end the compilation")
  func refusals() throws {
    for refused in [try model(options: [:]), try model(type: .int8)] {
      let error = #expect(throws: RuntimeError.self) { try compile(refused) }
      #expect(error?.code == .invalidModel)
      #expect(error?.underlying is ThresholdError)
    }
  }
}

/// Runs any code as an operator.
private struct Probe: CustomOperator {
  var shapes: [Shape] = [[2], [3]]
  var look: @Sendable (CustomOperatorNode) throws -> Void = { _ in }
  var act: @Sendable (CustomOperatorCall) throws -> Void = { _ in }

  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    try look(node)
    return shapes
  }

  func run(_ call: CustomOperatorCall) throws { try act(call) }
}

@Suite("Inputs of custom operators")
struct AddedOperatorTests {
  /// Runs a node with three inputs, of which the second is omitted and the third is constant, and two outputs.
  private func run(_ probe: Probe, type: ElementType = .float32) throws -> [Tensor] {
    var graph = TestGraph()
    let x = graph.input(type, [2]), sizes = graph.constant([Int32(7), 8])
    graph.add(custom: "Probe", [x, nil, sizes], [graph.output(.float32, [9]), graph.output(.int8, [])], version: 2)
    var model = try graph.model()
    model.addOperator(named: "Probe", versions: 1...3) { options in
      #expect(options.inputCount == 3 && options.outputCount == 2 && options.version == 2 && options.bytes.isEmpty)
      return probe
    }
    let session = try Session(try CompiledModel(model))
    return try session.run([
      type == .float32 ? Tensor([Float(1), 2], shape: [2]) : Tensor(strings: ["a", "b"], shape: [2])
    ])
  }

  private func refusal(_ probe: Probe) -> RuntimeError? { thrownError { try run(probe) } }

  @Test("a node has its inputs, its declared outputs, and its known values")
  func node() throws {
    let probe = Probe(look: { node in
      #expect(
        node.inputs.map { $0?.shape } == [[2], nil, [2]] && node.outputs.map(\.elementType) == [.float32, .int8])
      #expect(node.outputs[0].shape == [9] || node.outputs[0].shape == [2])
      let first = try node.input(0), sizes = try node.values(ofInput: 2, as: Int32.self)
      #expect(first.elementType == .float32 && sizes == [7, 8])
      let missing: RuntimeError? = thrownError { try node.input(1) }
      #expect(missing?.code == .invalidModel && missing?.message == "input 1 is missing")
      let type: RuntimeError? = thrownError { try node.values(ofInput: 2, as: Float.self) }
      #expect(type?.code == .typeMismatch && type?.message == "input 2 't1' int32[2] does not hold float32")
      #expect(type?.location?.operatorName == "Probe")
      let absent: RuntimeError? = thrownError { try node.values(ofInput: 1, as: Float.self) }
      #expect(absent?.code == .invalidModel)
    })
    #expect(try run(probe).map(\.shape) == [[2], [3]])
  }

  @Test("a call accesses the elements of its tensors, and rejects tensors that don't exist")
  func call() throws {
    let probe = Probe(act: { call in
      #expect(call.inputs.map { $0?.shape } == [[2], nil, [2]] && call.outputs.map(\.shape) == [[2], [3]])
      let input = try call.input(0, as: Float.self), output = try call.output(0, as: Float.self)
      let codes = try call.output(1, as: Int8.self)
      #expect(input.count == 2 && output.count == 2 && codes.count == 3)
      #expect(try Array(call.input(2, as: Int32.self)) == [7, 8])
      for index in 0..<2 { output[index] = input[index] * 10 }
      for index in 0..<3 { codes[index] = Int8(index) }
      for index in [-1, 1, 3] {
        let error: RuntimeError? = thrownError { try call.input(index, as: Float.self) }
        #expect(error?.code == .invalidArgument && error?.message == "there is no input \(index)")
        #expect(error?.location?.operatorIndex == 0)
      }
      for index in [-1, 2] {
        let error: RuntimeError? = thrownError { try call.output(index, as: Float.self) }
        #expect(error?.code == .invalidArgument && error?.message == "there is no output \(index)")
      }
      let type: RuntimeError? = thrownError { try call.output(1, as: UInt8.self) }
      #expect(type?.code == .typeMismatch && type?.message == "'t3' int8[3] does not hold uint8")
    })
    let results = try run(probe)
    #expect(try results[0].values() == [Float(10), 20] && results[1].values() == [Int8(0), 1, 2])
  }

  @Test("there must be a shape per output, nonnegative and within 32 bits")
  func shapes() throws {
    for shape in [[-1], [1 << 31, 0]] as [Shape] {
      let error = refusal(Probe(shapes: [shape, [3]]))
      #expect(error?.code == .invalidModel)
      #expect(
        error?.message == "returns an output of shape \(shape); sizes must not be negative and must fit in 32 bits")
    }
    #expect(refusal(Probe(shapes: [[Int(Int32.max), 0], [3]])) == nil)
    let count = refusal(Probe(shapes: [[1]]))
    #expect(count?.code == .invalidModel && count?.message == "gives 1 outputs, the model names 2")
  }

  @Test("errors of the app keep their cause, and engine errors keep their code")
  func errors() throws {
    struct Own: Error {}
    let own = refusal(Probe(act: { _ in throw Own() }))
    #expect(own?.code == .invalidInput && own?.underlying is Own && own?.location?.operatorName == "Probe")
    let shape = refusal(Probe(look: { _ in throw Own() }))
    #expect(shape?.code == .invalidModel && shape?.underlying is Own)
    let engine = refusal(Probe(act: { _ in throw RuntimeError(.limitExceeded, "m") }))
    #expect(engine?.code == .limitExceeded && engine?.location?.operatorName == "Probe")
    let placed = refusal(
      Probe(act: { _ in throw RuntimeError(.limitExceeded, "m", location: .init(operatorName: "X")) }))
    #expect(placed?.location?.operatorName == "X")
  }

  @Test("strings cannot be given to them")
  func strings() throws {
    let error: RuntimeError? = thrownError { try run(Probe(), type: .string) }
    #expect(error?.code == .invalidModel)
    #expect(error?.message == "'t0' string[2] has elements of variable size, which custom operators do not support")
  }
}
