import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks that every part of a session counts toward one limit.
@Suite("Memory of a session")
struct SessionMemoryTests {
  private static let megabyte = 1 << 20

  private func options(_ limits: (inout RuntimeOptions.Limits) -> Void) -> RuntimeOptions {
    var options = RuntimeOptions()
    limits(&options.limits)
    return options
  }

  private func expectTooMuch(_ error: RuntimeError?, _ limit: String, _ place: String? = nil) {
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("raise RuntimeOptions.limits.\(limit)") == true, "\(error?.message ?? "no error")")
    if let place { #expect(error?.description.hasPrefix(place) == true, "\(error?.description ?? "no error")") }
  }

  /// Returns a graph that doubles a tensor of one megabyte.
  private func doubling() -> TestGraph {
    var graph = TestGraph()
    let input = graph.input(.float32, [1 << 18])
    graph.add(.add, [input, input], [graph.output(.float32, [1 << 18])], options: AddOptions.empty)
    return graph
  }

  @Test("tensors, also with new shapes, and after a rejected resize the old tensors")
  func limitsArena() throws {
    let error = #expect(throws: RuntimeError.self) {
      try doubling().session(options: options { $0.sessionBytes = 2 << 20 })
    }
    expectTooMuch(error, "sessionBytes", "the model's tensors take")
    let session = try doubling().session(options: options { $0.sessionBytes = 5 << 20 })
    let memory = session.memoryByteCount
    let resizing = #expect(throws: RuntimeError.self) { try session.resizeInputs(to: [[1 << 19]]) }
    expectTooMuch(resizing, "sessionBytes")
    #expect(session.memoryByteCount == memory)
    try session.run()
    try session.resizeInputs(to: [[1 << 10]])
    #expect(session.memoryByteCount < memory)
    try session.resizeInputs(to: [[1 << 19]])
  }

  @Test("subgraphs keep their tensors after a run, and one that doesn't fit is rejected before it allocates them")
  func limitsCallees() throws {
    var graph = TestGraph()
    let condition = graph.constant([true])
    let small = graph.input(.float32, [1 << 18])
    for callee in 1...7 {
      graph.add(
        .ifElse, [condition, small], [graph.tensor(.float32, [1 << 18])],
        options: IfOptions.with { [$0.thenSubgraphIndex(callee), $0.elseSubgraphIndex(callee)] })
    }
    graph.addOutput(small + 7)
    let others = (1...7).map { _ in doubling() }
    let session = try graph.session(others, options: options { $0.sessionBytes = 12 << 20 })
    let error = #expect(throws: RuntimeError.self) { try session.run() }
    expectTooMuch(error, "sessionBytes", "subgraph")
    #expect(session.memoryByteCount <= 12 << 20)
    try graph.session(others, options: options { $0.sessionBytes = 40 << 20 }).run()
  }

  @Test("values of loops that grow")
  func limitsLoops() throws {
    var condition = TestGraph()
    _ = condition.input(.float32, [1])
    condition.addOutput(condition.constant([true]))
    var body = TestGraph()
    let before = body.input(.float32, [1])
    body.add(
      .concatenation, [before, before], [body.output(.float32, [2])],
      options: ConcatenationOptions.with { [$0.axis(0)] })
    var graph = TestGraph()
    graph.add(
      .whileLoop, [graph.input(.float32, [1])], [graph.output(.float32, [1])],
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    let session = try graph.session([condition, body], options: options { $0.sessionBytes = 4 << 20 })
    let error = #expect(throws: RuntimeError.self) { try session.run() }
    expectTooMuch(error, "sessionBytes")
    #expect(session.memoryByteCount <= 4 << 20)
  }

  @Test("variables")
  func limitsVariables() throws {
    var graph = TestGraph()
    let handle = graph.tensor(.resource, [])
    graph.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.container(""), $0.sharedName("v")] })
    graph.add(.assignVariable, [handle, graph.input(.float32, [1 << 18])], [])
    let error = #expect(throws: RuntimeError.self) { try graph.session(options: options { $0.sessionBytes = 3 << 19 }) }
    expectTooMuch(error, "sessionBytes")
    try graph.session(options: options { $0.sessionBytes = 5 << 19 }).run()
  }

  @Test("constants of the model, which count for each of its sessions")
  func countsConstants() throws {
    var graph = TestGraph()
    let weights = graph.constant([Float](repeating: 1, count: 1 << 18), shape: [512, 512])
    let input = graph.input(.float32, [1, 512])
    graph.add(
      .fullyConnected, [input, weights, nil], [graph.output(.float32, [1, 512])], options: FullyConnectedOptions.empty)
    let compiled = try CompiledModel(try graph.model())
    #expect(try Session(compiled).memoryByteCount > compiled.packedConstantsByteCount)
    let error = #expect(throws: RuntimeError.self) {
      try CompiledModel(try graph.model(), options: options { $0.sessionBytes = compiled.packedConstantsByteCount - 1 })
    }
    expectTooMuch(error, "sessionBytes")
  }

  @Test("strings that a run produces, and the strings of one tensor")
  func limitsStrings() throws {
    var graph = TestGraph()
    graph.add(
      .skipGram, [graph.input(.string, [1])], [graph.output(.string, [])],
      options: SkipGramOptions.with { [$0.ngramSize(3), $0.maximumSkipSize(30), $0.includeAllNgrams(false)] })
    let text = (0..<24).map { "w\($0)" }.joined(separator: " ")
    let tensor = try Tensor(strings: [text], shape: [1])
    let expected = try graph.session().run([tensor])[0].shape
    #expect(expected == [24 * 23 * 22 / 6])
    let session = try graph.session(options: options { $0.stringBytes = 20_000 })
    let error = #expect(throws: RuntimeError.self) { try session.run([tensor]) }
    expectTooMuch(error, "stringBytes", "operator 0 SKIP_GRAM")
    let other = try graph.session(options: options { $0.sessionBytes = 60_000 })
    let second = #expect(throws: RuntimeError.self) { try other.run([tensor]) }
    expectTooMuch(second, "sessionBytes", "operator 0 SKIP_GRAM")
    #expect(try session.run([Tensor(strings: ["a b c"], shape: [1])])[0].strings() == ["a b c"])
  }

  @Test("one long string in many elements is rejected as an output before it is copied for each")
  func limitsRepeatedStrings() throws {
    var graph = TestGraph()
    let text = graph.input(.string, [1])
    graph.add(
      .tile, [text, graph.constant([Int32(1000)])], [graph.output(.string, [1000])], options: .fieldless(.tile))
    let session = try graph.session(options: options { $0.stringBytes = 100_000 })
    let short = try Tensor(strings: [String(repeating: "a", count: 80)], shape: [1])
    #expect(try session.run([short])[0].strings().count == 1000)
    let long = try Tensor(strings: [String(repeating: "a", count: 100)], shape: [1])
    let error = #expect(throws: RuntimeError.self) { try session.run([long]) }
    expectTooMuch(error, "stringBytes")
  }

  @Test("strings of runs are released, even if no input has strings")
  func forgetsStrings() throws {
    var graph = TestGraph()
    let texts = (0..<500).map { String(repeating: "x", count: 4000) + "\($0) y" }
    let letters = graph.constant(try Tensor(strings: texts, shape: [500]))
    let chosen = graph.tensor(.string, [1])
    graph.add(.gather, [letters, graph.input(.int32, [1])], [chosen], options: GatherOptions.empty)
    graph.add(
      .skipGram, [chosen], [graph.output(.string, [])],
      options: SkipGramOptions.with { [$0.ngramSize(2), $0.maximumSkipSize(30), $0.includeAllNgrams(true)] })
    let session = try graph.session(options: options { $0.stringBytes = 2 << 20 })
    for round in 0..<500 {
      #expect(try session.run([Tensor([Int32(round)], shape: [1])])[0].strings().count == 3)
      #expect(session.environment.stringByteCount < 2 << 20)
    }
  }

  @Test("values that a compilation has read")
  func countsReads() throws {
    var graph = TestGraph()
    let flags = graph.input(.bool, [1 << 20])
    let places = graph.tensor(.int64, [0, 1])
    graph.add(.whereNonzero, [flags], [places])
    graph.add(.cast, [places], [graph.output(.int32, [0, 1])], options: CastOptions.empty)
    let session = try graph.session()
    let before = session.memoryByteCount
    try session.run()
    #expect(session.memoryByteCount >= before + 1 << 20)
  }
}
