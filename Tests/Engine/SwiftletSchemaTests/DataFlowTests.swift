import SwiftletSchema
import SwiftletTestSupport
import Testing

@Suite("Order of operators and calls between subgraphs")
struct DataFlowTests {
  /// Returns a model of tensors 0 (an input) to 3, and operators given by their inputs and outputs.
  private func model(
    _ operators: [([Int32], [Int32])], outputs: [Int32] = [], code: RawModel.Code = .init(0), name: String? = nil
  ) -> RawModel {
    RawModel(
      operatorCodes: [code],
      subgraphs: [
        .init(
          name: name, tensors: (0...3).map { .init("t\($0)") }, inputs: [0], outputs: outputs,
          operators: operators.map { .init(inputs: $0.0, outputs: $0.1) })
      ])
  }

  @Test("an operator may read values that earlier ones wrote")
  func accepts() throws {
    #expect(throws: Never.self) { try model([([0], [1]), ([0, 1], [2]), ([2, 2], [3])], outputs: [3, 0]).parsed() }
  }

  @Test("an operator must not read values that are written later or never")
  func readsTooEarly() {
    let early = model([([1], [2]), ([0], [1])]).error()
    #expect(early?.location == "subgraphs[0].operators[0] (ADD)")
    #expect(early?.message.contains("input tensor 1 \"t1\"") == true)
    #expect(model([([0, 3], [1])]).error()?.code == .invalid)
    #expect(model([([1], [1])]).error()?.code == .invalid)
  }

  @Test("nothing may be written twice, and inputs, constants, and variables never")
  func writesTwice() {
    #expect(model([([0], [1]), ([0], [1])]).error()?.message.contains("already written") == true)
    #expect(model([([0], [1, 1])]).error()?.message.contains("already written") == true)
    #expect(model([([0], [0])]).error()?.message.contains("an input of the subgraph") == true)
    var constant = RawModel.addition
    constant.subgraphs[0].operators[0].outputs = [1]
    #expect(constant.error()?.message.contains("a constant") == true)
    var variable = RawModel.addition
    variable.subgraphs[0].tensors[2].fields = [5: .bool(true)]
    #expect(variable.error()?.message.contains("a variable") == true)
  }

  @Test("a custom operator may pass a tensor through")
  func passThrough() throws {
    let custom = RawModel.Code(32, customName: "PassThrough")
    #expect(throws: Never.self) { try model([([0], [0, 1])], outputs: [0, 1], code: custom).parsed() }
    #expect(model([([0], [1]), ([0], [1])], code: custom).error()?.code == .invalid)
  }

  @Test("a custom operator must not pass a tensor through twice, nor write a variable")
  func refusedPassThrough() {
    let custom = RawModel.Code(32, customName: "PassThrough")
    #expect(model([([0], [0, 0])], code: custom).error()?.message.contains("already written") == true)
    var variable = model([([0, 3], [3])], code: custom)
    variable.subgraphs[0].tensors[3].fields = [5: .bool(true)]
    #expect(variable.error()?.message.contains("a variable") == true)
  }

  @Test("a tensor must not be an input of its subgraph twice")
  func inputTwice() {
    var twice = model([([0], [1])])
    twice.subgraphs[0].inputs = [0, 0]
    #expect(twice.error()?.location == "subgraphs[0].inputs")
    #expect(twice.error()?.message.contains("twice") == true)
  }

  @Test(
    "an operator with a hundred thousand inputs and outputs takes no longer than its size", .timeLimit(.minutes(30)))
  func manyInputsAndOutputs() throws {
    let count = 100_000
    let model = RawModel(
      operatorCodes: [.init(32, customName: "PassThrough")],
      subgraphs: [
        .init(
          tensors: (0..<count).map { .init("t\($0)") }, inputs: [0, 1], outputs: [],
          operators: [
            .init(
              inputs: [Int32](repeating: 0, count: count) + [1], outputs: [Int32](2..<Int32(count)))
          ])
      ])
    #expect(try model.parsed().subgraphs[0].operators[0].outputs.count == count - 2)
  }

  @Test("an output of the subgraph must exist")
  func missingOutput() {
    let error = model([([0], [1])], outputs: [1, 2]).error()
    #expect(error?.location == "subgraphs[0].outputs")
    #expect(error?.message == "tensor 2 \"t2\" is an output, but no operator produces it")
  }

  @Test("subgraphs that only check a delegate need no order")
  func validationSubgraphs() throws {
    var model = model([([0], [1])], outputs: [1])
    let unordered = self.model([([3], [2])], outputs: [1], name: "VALIDATION:main")
    model.subgraphs.append(unordered.subgraphs[0])
    let parsed = try model.parsed()
    #expect(parsed.subgraphs.map(\.isRunnable) == [true, false])
    #expect(unordered.error()?.location == "subgraphs[0].operators[0] (ADD)")
  }

  @Test("reachable subgraphs must be ordered, whatever their name")
  func reachableValidationSubgraphs() throws {
    var called = model(calls: [[1], []])
    called.subgraphs[1].name = "VALIDATION:called"
    called.subgraphs[1].outputs = [0]
    called.subgraphs[1].inputs = []
    #expect(called.error()?.location == "subgraphs[1].outputs")
    var named = model([([0], [1])], outputs: [1])
    named.subgraphs.append(model([([3], [2])], outputs: [1], name: "VALIDATION:named").subgraphs[0])
    #expect(throws: Never.self) { try named.parsed() }
    named.fields[7] = .tables([[2: .string("entry"), 4: .uint(1)]])
    #expect(named.error()?.location == "subgraphs[1].operators[0] (ADD)")
  }

  /// Returns a model in which subgraph `i` calls the subgraphs `calls[i]` with IF operators.
  private func model(calls: [[Int32]]) -> RawModel {
    RawModel(
      operatorCodes: [.init(118)],
      subgraphs: calls.map { callees in
        .init(
          tensors: [.init("x")] + callees.indices.map { .init("y\($0)") }, inputs: [0], outputs: [],
          operators: callees.enumerated().map { index, callee in
            .init(
              inputs: [0], outputs: [Int32(index + 1)],
              fields: IfOptions.with { [$0.thenSubgraphIndex(callee), $0.elseSubgraphIndex(callee)] }.operatorFields)
          })
      })
  }

  @Test("subgraphs may call the same subgraphs")
  func sharedCallees() throws {
    #expect(throws: Never.self) { try model(calls: [[1, 2], [3], [3], []]).parsed() }
  }

  @Test("subgraphs must exist and must not call themselves")
  func badCalls() {
    let missing = model(calls: [[1]]).error()
    #expect(missing?.location == "subgraphs[0].operators[0] (IF)")
    #expect(missing?.message == "the operator calls subgraph 1; the model has 1 subgraphs")
    #expect(model(calls: [[-1]]).error()?.code == .invalid)
    #expect(model(calls: [[0]]).error()?.message.contains("0 → 0") == true)
    #expect(model(calls: [[1], [2], [3], [1]]).error()?.message.contains("1 → 2 → 3 → 1") == true)
  }

  @Test("calls may be 64 levels deep")
  func callDepth() throws {
    func chain(_ count: Int32) -> [[Int32]] { (1..<count).map { [$0] } + [[]] }
    #expect(throws: Never.self) { try model(calls: chain(64)).parsed() }
    #expect(model(calls: chain(65)).error()?.code == .limitExceeded)
    // The same calls with the deepest subgraphs stored first.
    let reversed = [[]] + (0..<64).map { [Int32($0)] }
    #expect(model(calls: reversed).error()?.code == .limitExceeded)
  }
}
