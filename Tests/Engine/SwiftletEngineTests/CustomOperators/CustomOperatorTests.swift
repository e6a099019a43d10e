import Foundation
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// A model of one node `name`, from a vector of four to one of any size.
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

/// Gives as many ones as its input's first value says.
private struct Ones: CustomOperator {
  func outputShapes(_ node: CustomOperatorNode) throws -> [Shape] {
    [[Int(try node.values(ofInput: 0, as: Float.self).first ?? 0)]]
  }

  func run(_ call: CustomOperatorCall) throws { try call.output(0, as: Float.self).update(repeating: 1) }
}

/// Does wrong what a test asks for.
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
  @Test("run as the documentation's example says")
  func example() throws {
    let session = try Session(try compile(try model()))
    #expect(try session.run([try Tensor(four, shape: [4])])[0].values() == [Float(0), 0, 3, 4])
  }

  @Test("the example in the documentation is the one that is compiled here")
  func documentation() throws {
    let code = try DocumentedCode(page: "custom-operators.md")
    #expect(code.blocks.count == 2)
    #expect(try code.blocks(notIn: ["Engine/SwiftletEngineTests/CustomOperators/CustomOperatorExample.swift"]) == [])
  }

  @Test("belong to one model: a copy made before does not know them")
  func belongToModel() throws {
    let original = try model()
    var changed = original
    changed.addOperator(named: "Threshold") { try Threshold($0) }
    #expect(try changed.unsupportedOperators().isEmpty)
    #expect(try original.unsupportedOperators().map(\.name) == ["Threshold"])
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(original) }
    #expect(error?.code == .unsupportedOperators)
  }

  @Test("take the place of the engine's own")
  func replaceOwn() throws {
    var own = try model("TransformLandmarks", options: [:])
    own.addOperator(named: "TransformLandmarks") { _ in Ones() }
    let session = try Session(try CompiledModel(own))
    #expect(try session.run([try Tensor([Float(3), 0, 0, 0], shape: [4])])[0].values() == [Float(1), 1, 1])
  }

  @Test("see name, version and options")
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
    #expect(try newer.unsupportedOperators().first?.version == 3)
    #expect(throws: RuntimeError.self) { try CompiledModel(newer) }
  }

  @Test("may give shapes that depend on values, in every run anew")
  func dynamicShapes() throws {
    var ones = try model("Ones", options: [:])
    ones.addOperator(named: "Ones") { _ in Ones() }
    let session = try Session(try CompiledModel(ones))
    for count in [2, 0, 3] {
      let result = try session.run([try Tensor([Float(count), 0, 0, 0], shape: [4])])[0]
      #expect(try result.values() == [Float](repeating: 1, count: count))
    }
  }

  @Test("run at load where all inputs are constant")
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

  @Test("that refuse their options or inputs end the compilation")
  func refusals() throws {
    for refused in [try model(options: [:]), try model(type: .int8)] {
      let error = #expect(throws: RuntimeError.self) { try compile(refused) }
      #expect(error?.code == .invalidModel)
      #expect(error?.underlying is ThresholdError)
    }
  }
}
