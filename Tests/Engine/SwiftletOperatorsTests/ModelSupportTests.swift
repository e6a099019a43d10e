import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Model support")
struct ModelSupportTests {
  @Test("names every missing operator with its code, version, types and tensors")
  func namesMissing() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    let y = graph.tensor(.float32, [2])
    let z = graph.output(.string, [2])
    graph.add(custom: "Unheard", [x], [y], version: 3)
    graph.add(.mul, [y, x], [z], version: 8)
    let support = try graph.model().support()
    #expect(!support.isSupported && support.error == nil)
    #expect(support.unsupportedOperators.map(\.name) == ["Unheard", "MUL"])
    #expect(support.unsupportedOperators.map(\.code) == [32, 18])
    #expect(support.unsupportedOperators.map(\.version) == [3, 8])
    #expect(support.unsupportedOperators[1].inputs.map(\.name) == ["t1", "t0"])
    #expect(support.unsupportedOperators[1].outputs.map(\.elementType) == [.string])
  }

  @Test("finds every operator that would reject its tensors, not only the first")
  func findsRefusals() throws {
    var graph = TestGraph()
    let x = graph.input(.int8, [2])
    let first = graph.output(.int8, [2])
    let second = graph.output(.float32, [2, 2])
    // Quantized values without a scale, and an incompatible shape.
    graph.add(.logistic, [x], [first])
    let values = graph.constant([Float(1), 2, 3])
    graph.add(.reshape, [values, graph.constant([Int32(2), 2])], [second])
    let support = try graph.model().support()
    #expect(support.unsupportedOperators.map(\.name) == ["LOGISTIC", "RESHAPE"])
    #expect(support.unsupportedOperators.map(\.index) == [0, 1])
    #expect(support.unsupportedOperators[0].reason.contains("quantization"))
    #expect(throws: RuntimeError.self) { try CompiledModel(try graph.model()) }
  }

  @Test("does not report operators after a missing one, nor unused ones")
  func accusesOnlyWhatIsKnown() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [4])
    let unknown = graph.tensor(.float32, [1])
    let y = graph.output(.float32, [2, 2])
    let codes = graph.input(.int8, [2])
    let unused = graph.tensor(.int8, [2])
    graph.add(custom: "Unheard", [x], [unknown])
    graph.add(.reshape, [unknown, graph.constant([Int32(2), 2])], [y])
    graph.add(.logistic, [codes], [unused])
    #expect(try graph.model().support().unsupportedOperators.map(\.name) == ["Unheard"])
  }

  @Test("corrects result types that contradict the operands")
  func correctsTypes() throws {
    var graph = TestGraph()
    let x = graph.input(.uint8, [2], scale: 0.5)
    let sum = graph.tensor(.float32, [2], scale: 0.5)
    let y = graph.output(.uint8, [2], scale: 0.5)
    graph.add(.add, [x, x], [sum])
    graph.add(.add, [sum, x], [y])
    #expect(try graph.model().support().isSupported)
    let outputs = try graph.session().run([Tensor([UInt8(2), 80], shape: [2])])
    #expect(try outputs[0].values(as: UInt8.self) == [6, 240])
  }

  @Test("reports the types if those of an operator are incompatible")
  func namesTypes() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    let y = graph.output(.float32, [2])
    graph.add(.logicalAnd, [x, x], [y])
    let reason = try graph.model().support().unsupportedOperators.first?.reason
    #expect(reason == "types float32, float32 → float32 are not supported, but bool → bool")
  }

  @Test("checks the subgraphs that the main subgraph runs")
  func looksIntoSubgraphs() throws {
    var graph = TestGraph()
    let condition = graph.input(.bool, [1])
    let x = graph.input(.float32, [2])
    let y = graph.output(.float32, [2])
    graph.add(
      .ifElse, [condition, x], [y], options: IfOptions.with { [$0.thenSubgraphIndex(1), $0.elseSubgraphIndex(2)] })
    var good = TestGraph()
    let given = good.input(.float32, [2])
    good.addOutput(given)
    var bad = TestGraph()
    let input = bad.input(.float32, [2])
    let output = bad.output(.float32, [2])
    bad.add(.add, [input, bad.constant([Float(1), 2, 3])], [output])
    let missing = try graph.model([good, bad]).support().unsupportedOperators
    #expect(missing.map(\.subgraph) == [2])
    #expect(missing.map(\.name) == ["ADD"])
    #expect(try graph.model([good, good]).support().isSupported)
  }

  @Test("reports contradictions in a model")
  func tellsContradictions() throws {
    var graph = TestGraph()
    let x = graph.input(.float32, [2])
    let y = graph.output(.float32, [2])
    graph.add(.add, [x], [y])
    let support = try graph.model().support()
    #expect(!support.isSupported && support.unsupportedOperators.isEmpty)
    #expect(support.error?.location?.operatorName == "ADD")
  }

  @Test(
    "finds no problems in the golden models",
    .enabled(if: GoldenOperatorTests.suite != nil, "needs the generated models"))
  func acceptsGoldenModels() throws {
    let suite = try #require(GoldenOperatorTests.suite)
    for golden in suite.manifest.models {
      let support = try Model(bytes: try suite.modelBytes(of: golden)).support()
      #expect(support.isSupported, "\(golden.model): \(support)")
    }
  }
}
