import SwiftletBase
import SwiftletJSON
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletTool

@Suite("Differences of graphs")
struct GraphDifferenceTests {
  /// Returns a graph of one operator between an input and an output.
  private func graph(
    _ change: (inout TensorDescription) -> Void = { _ in }, kind: OperatorKind = .builtin(.abs), version: Int = 1,
    name: String? = "main", custom: [UInt8] = []
  ) -> Subgraph {
    var output = TensorDescription(name: "out", type: .float32, shape: [1, 4])
    change(&output)
    return Subgraph(
      name: name, tensors: [TensorDescription(name: "in", type: .float32, shape: [1, 4]), output], inputs: [0],
      outputs: [1],
      operators: [
        OperatorDescription(
          code: OperatorCode(kind: kind, version: version), inputs: [0], outputs: [1], customOptions: ByteRegion(custom)
        )
      ])
  }

  private func difference(_ first: Subgraph?, _ second: Subgraph?) -> GraphDifference {
    var constants = ConstantComparison(fileByteCounts: 1 << 20, 1 << 20)
    return GraphDifference(3, first, second, &constants)
  }

  private func changes(
    _ change: (inout TensorDescription) -> Void, from old: (inout TensorDescription) -> Void = { _ in }
  )
    -> [String]
  {
    let found = difference(graph(old), graph(change))
    #expect(found.tensors.allSatisfy { $0.first == 1 && $0.second == 1 })
    return found.tensors.flatMap(\.changes).map(\.text)
  }

  private func quantized(_ scales: [Float], _ zeroPoints: [Int], axis: Int = 0) -> (inout TensorDescription) -> Void {
    { $0.quantization = QuantizationDescription(scales: scales, zeroPoints: zeroPoints, axis: axis) }
  }

  @Test("all properties of tensors are compared")
  func tensors() {
    #expect(changes { _ in } == [])
    #expect(changes { $0.isVariable = true } == ["role computed → variable"])
    #expect(changes { $0.data = ByteRegion([UInt8](repeating: 0, count: 16)) } == ["role computed → constant"])
    #expect(changes { $0.type = .int8 } == ["type float32 → int8"])
    #expect(changes { $0.shape = [1, 5] } == ["shape [1,4] → [1,5]"])
    #expect(changes { $0.shapeSignature = [-1, 4] } == ["shape_signature nothing → [-1,4]"])
    #expect(
      changes { $0.sparsity = SparsityDescription(traversalOrder: [], blockMap: [], dimensions: []) }
        == ["sparse false → true"])
    let blocks = BlockwiseQuantization(scalesTensor: 0, zeroPointsTensor: nil, blockSize: 32)
    #expect(
      changes {
        $0.quantization = QuantizationDescription(scales: [0], zeroPoints: [0], axis: 0, blockwise: blocks)
      } == ["scale nothing → [0.0]", "zero_point nothing → [0]", "quantized_in_blocks_of nothing → 32"])
  }

  @Test("up to four scales are shown, or the count and bounds of more")
  func scales() {
    #expect(
      changes(quantized([1, 2, 3, 4], [4, 3, 2, 1], axis: 1))
        == ["scale nothing → [1.0,2.0,3.0,4.0]", "zero_point nothing → [4,3,2,1]", "quantized_dimension nothing → 1"])
    #expect(
      changes(quantized([3, 1, 9, 4, 5], [0, -7, 8, 1, 2]), from: quantized([2], [0]))
        == [
          "scale [2.0] → 5 from 1.0 to 9.0", "zero_point [0] → 5 from -7 to 8", "quantized_dimension nothing → 0",
        ])
    // Equal number and bounds, but different values in between.
    #expect(
      changes(quantized([1, 2, 3, 4, 9], [0, 1, 2, 3, 9]), from: quantized([1, 2, 8, 4, 9], [0, 1, 5, 3, 9]))
        == ["scale per channel → other values", "zero_point per channel → other values"])
    #expect(changes(quantized([1, 2], [0, 0]), from: quantized([1, 2], [0, 0])) == [])
    #expect(
      changes(quantized([1], [0], axis: 1), from: quantized([1], [0])) == [], "the axis of one scale says nothing")
    #expect(
      changes(quantized([1, 2], [0, 0], axis: 1), from: quantized([1, 2], [0, 0])) == ["quantized_dimension 0 → 1"])
  }

  @Test("operators differ by version and custom options of the same size")
  func operators() {
    func steps(_ second: Subgraph, _ first: Subgraph? = nil) -> [String] {
      difference(first ?? graph(), second).steps.map { step in
        switch step {
        case .same(let first, let second, let count): "same \(first) \(second) \(count)"
        case .changed(let first, let second, let changes): "changed \(first) \(second) \(changes.map(\.text))"
        case .removed(let first): "removed \(first)"
        case .added(let second): "added \(second)"
        }
      }
    }
    #expect(steps(graph()) == ["same 0 0 1"])
    #expect(steps(graph(version: 2)) == [#"changed 0 0 ["version 1 → 2"]"#])
    #expect(steps(graph(kind: .builtin(.neg))) == ["removed 0", "added 0"])
    #expect(
      steps(graph(kind: .custom("X"), custom: [1, 2]), graph(kind: .custom("X"), custom: [1, 3]))
        == [#"changed 0 0 ["custom_options 2 bytes → other bytes"]"#])
    #expect(
      steps(graph(kind: .custom("X"), custom: [1, 2]), graph(kind: .custom("X"), custom: [1, 2])) == ["same 0 0 1"])
    // If the sizes differ, only the size is reported.
    #expect(
      steps(graph(kind: .custom("X"), custom: [1, 2, 3]), graph(kind: .custom("X"), custom: [1, 3])).allSatisfy {
        !$0.contains("other bytes")
      })
  }

  @Test("graphs are identical if only the layout differs")
  func isIdentical() {
    #expect(difference(graph(), graph()).isIdentical)
    #expect(!difference(graph(), graph(name: "other")).isIdentical)
    #expect(!difference(graph(), graph { $0.name = "renamed" }).isIdentical)
    #expect(!difference(graph(), nil).isIdentical && !difference(nil, graph()).isIdentical)
    #expect(!difference(graph(), graph(version: 2)).isIdentical)
    #expect(!difference(graph(), graph { $0.type = .int8 }).isIdentical)
    let empty = Subgraph(tensors: [], inputs: [], outputs: [], operators: [])
    #expect(!difference(empty, nil).isIdentical && difference(empty, empty).isIdentical)
    var reordered = graph()
    reordered.outputs = [1, 0]
    #expect(!difference(graph(), reordered).isIdentical)
    var more = graph()
    more.tensors.append(TensorDescription(name: "unused", type: .float32, shape: []))
    #expect(!difference(graph(), more).isIdentical && !difference(more, graph()).isIdentical)
    #expect(difference(graph(), more).onlySecond == [2] && difference(more, graph()).onlyFirst == [2])
  }

  @Test("unpaired inputs and outputs are shown with their types and shapes")
  func ports() {
    var first = graph(), second = graph()
    first.tensors.append(
      TensorDescription(name: "extra", type: .int32, shape: [1, 2], shapeSignature: [-1, 2]))
    first.inputs = [0, 2]
    second.tensors[0].name = "renamed"
    second.tensors[0].shape = [1, 9]
    let found = difference(first, second)
    #expect(
      found.ports.map(\.text) == [
        "input 0 name in → renamed", "input 0 shape [1,4] → [1,9]", "input 1 extra int32[-1, 2] → nothing",
      ])
    #expect(
      difference(second, first).ports.map(\.text).last == "input 1 nothing → extra int32[-1, 2]")
  }

  @Test("consecutive equal operators are one step")
  func runs() {
    func chain(_ kinds: [BuiltinOperator]) -> Subgraph {
      Subgraph(
        tensors: (0...kinds.count).map { TensorDescription(name: "t\($0)", type: .float32, shape: [1]) }, inputs: [0],
        outputs: [kinds.count],
        operators: kinds.enumerated().map { index, kind in
          OperatorDescription(
            code: OperatorCode(kind: .builtin(kind), version: 1), inputs: [index], outputs: [index + 1])
        })
    }
    let found = difference(chain([.abs, .neg, .exp, .log]), chain([.abs, .neg, .exp, .log]))
    guard case .same(0, 0, 4) = found.steps.first, found.steps.count == 1 else {
      Issue.record("\(found.steps)")
      return
    }
    #expect(found.sameCount == 4 && found.changedCount == 0)
    let other = difference(chain([.abs, .neg, .exp]), chain([.abs, .log, .exp]))
    #expect(other.kinds.map(\.text) == ["NEG 1 → nothing", "LOG nothing → 1"])
    #expect(other.changedCount >= 2 && other.sameCount >= 1)
    #expect(difference(chain([.abs, .abs]), chain([.abs])).kinds.map(\.text) == ["ABS 2 → 1"])
  }

  // MARK: Pairs of tensors

  @Test("tensors are paired by operators, then by a name that is unique on both sides")
  func pairs() {
    func named(_ names: [String]) -> Subgraph {
      Subgraph(
        tensors: names.map { TensorDescription(name: $0, type: .float32, shape: []) }, inputs: [], outputs: [],
        operators: [])
    }
    #expect(TensorPairs(named(["a", "b", "c"]), named(["c", "x", "a"]), []).second == [2, nil, 0])
    #expect(TensorPairs(named(["a", "b", "c"]), named(["c", "x", "a"]), []).first == [2, nil, 0])
    #expect(TensorPairs(named(["a", "a"]), named(["a"]), []).second == [nil, nil])
    #expect(TensorPairs(named(["a"]), named(["a", "a"]), []).second == [nil])
    var first = named(["p", "q"]), second = named(["q", "r"])
    (first.inputs, second.inputs) = ([0, 1], [0, 1])
    // Paired by name first, then by position.
    #expect(TensorPairs(first, second, []).second == [nil, 0])
    (first.inputs, second.inputs) = ([0, 1], [1, 0])
    #expect(TensorPairs(first, second, []).second == [1, 0])
    (first.inputs, second.inputs, first.outputs, second.outputs) = ([], [], [0], [1])
    #expect(TensorPairs(first, second, []).second == [1, 0])
  }

  @Test("operators pair their outputs before their inputs")
  func joined() {
    func graph(_ names: [String], reads: [Int?], makes: [Int]) -> Subgraph {
      Subgraph(
        tensors: names.map { TensorDescription(name: $0, type: .float32, shape: []) }, inputs: [], outputs: [],
        operators: [
          OperatorDescription(code: OperatorCode(kind: .builtin(.add), version: 1), inputs: reads, outputs: makes)
        ])
    }
    let first = graph(["a", "b", "c"], reads: [0, nil, 1], makes: [2])
    let second = graph(["x", "y", "z", "w"], reads: [1, 3, 2], makes: [0])
    #expect(TensorPairs(first, second, [(first: 0, second: 0)]).second == [1, 2, 0])
    // A tensor that is already paired keeps its partner.
    let twice = graph(["x", "y"], reads: [0, 1, 0], makes: [1])
    #expect(TensorPairs(first, twice, [(first: 0, second: 0)]).second == [0, nil, 1])
  }

  // MARK: Values and texts

  @Test("a change shows values of up to 120 characters, and empty and absent values")
  func texts() {
    #expect(Change("x", .null, .string(""))?.text == #"x nothing → """#)
    #expect(Change("x", .int(1), .int(1)) == nil)
    let long = String(repeating: "y", count: 120)
    #expect(Change.text(.string(long)) == long && Change.text(.string(long + "z")) == long.dropLast() + "…")
    #expect(Change.text(.ints([1, 2])) == "[1,2]")
    #expect(Change("x", .bool(true), .null)?.json.text == #"{"what":"x","a":true,"b":null}"#)
  }

  @Test("lists are compared by name, each name once, in the order of the first list")
  func lists() {
    let first: [(name: String, value: JSONValue)] = [("a", .int(1)), ("b", .int(2)), ("a", .int(9)), ("c", .int(3))]
    let second: [(name: String, value: JSONValue)] = [("d", .int(4)), ("b", .int(5)), ("a", .int(1))]
    #expect(Change.list(first, second).map(\.text) == ["b 2 → 5", "c 3 → nothing", "d nothing → 4"])
  }

  @Test("leaves of a document are named by path, without empty ones")
  func leaves() {
    let document = JSONValue.object([
      "a": .int(1), "none": .null, "empty": .array([]), "list": .ints([1, 2]),
      "objects": .array([.object(["x": .int(3)]), .object(["x": .null, "y": .int(4)])]),
      "o": .object(["p": .bool(true)]),
    ])
    #expect(
      Change.leaves(document, "m").map { "\($0.name)=\($0.value.text)" }
        == ["m.a=1", "m.list=[1,2]", "m.objects[0].x=3", "m.objects[1].y=4", "m.o.p=true"])
  }
}
