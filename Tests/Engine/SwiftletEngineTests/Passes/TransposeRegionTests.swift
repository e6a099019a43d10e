import SwiftletSchema
import Testing

@testable import SwiftletEngine

/// v0 → transpose → v1 → elementwise → v2 → transpose → v3, where the second transpose is the inverse of the first.
private let between: PassGraph = {
  var graph = PassGraph()
  let input = graph.value(shape: [2, 3, 4]), x = graph.value(shape: [4, 2, 3])
  let y = graph.value(shape: [4, 2, 3]), result = graph.value(shape: [2, 3, 4])
  graph.add("front", StubTranspose([2, 0, 1]), [input], [x])
  graph.add("inner", StubPlain(layoutBehavior: .elementwise), [x], [y])
  graph.add("back", StubTranspose([1, 2, 0]), [y], [result])
  graph.kept = [result]
  return graph
}()

extension PassGraph {
  fileprivate mutating func value(shape: Shape) -> ValueID { value(.float32, shape) }

  fileprivate func names() throws -> [String] { try names(after: TransposeElimination.run) }

  /// Returns the permutations of the remaining transposes.
  fileprivate func orders() throws -> [[Int]] {
    try after(TransposeElimination.run).compactMap { ($0.operation as? StubTranspose)?.order }
  }
}

@Suite("Regions between transposes")
struct TransposeRegionTests {
  @Test("an elementwise node reads and writes the outer tensors of the transposes around it")
  func inner() throws {
    let nodes = try between.after(TransposeElimination.run)
    #expect(nodes.map(\.location.operatorName) == ["inner"])
    #expect(nodes[0].inputs == [0] && nodes[0].outputs == [3])
  }

  static let misses = [
    NearMiss("a node that depends on the order of axes") { $0.nodes[1].operation = StubPlain() },
    NearMiss("a node of two results") { $0.nodes[1].outputs = [2, $0.value(shape: [4, 2, 3])] },
    NearMiss("a node that replaces its input") { $0.replaceInputs(ofNode: 1, by: [1]) },
    NearMiss("a node that reads a variable") {
      $0.nodes[1].inputs = [1, $0.value(shape: [1])]
      $0.makeVariable(4)
    },
    NearMiss("a node that reads a resource") {
      $0.nodes[1].inputs = [1, $0.value(shape: [1])]
      $0.values.resources[4] = .numbered(1, types: [])
    },
    NearMiss("an input that is left out") { $0.nodes[1].inputs = [1, nil] },
    NearMiss("an operand of another rank") { $0.nodes[1].inputs = [1, $0.value(shape: [2, 3])] },
    NearMiss("scales of channels in front") {
      $0.values.specs[1].quantization = QuantizationParameters(scales: [1, 2], zeroPoints: [0, 0], axis: 1)
      $0.values.specs[0].quantization = $0.values.specs[1].quantization
    },
    NearMiss("scales of channels behind") {
      $0.values.specs[2].quantization = QuantizationParameters(scales: [1, 2], zeroPoints: [0, 0], axis: 1)
      $0.values.specs[3].quantization = $0.values.specs[2].quantization
    },
    NearMiss("blocks") { $0.values.blocks[1] = BlockQuantization(scales: 0, size: 2, axes: []) },
    NearMiss("transposes in an order that only the run knows") {
      $0.nodes[0].operation = StubTranspose(nil)
      $0.nodes[2].operation = StubTranspose(nil)
    },
    NearMiss("transposes that give another type") {
      $0.values.specs[0].elementType = .int32
      $0.values.specs[3].elementType = .int32
    },
    NearMiss("transposes that give another scale") {
      $0.values.specs[0].quantization = QuantizationParameters(scale: 2, zeroPoint: 0)
      $0.values.specs[3].quantization = QuantizationParameters(scale: 2, zeroPoint: 0)
    },
    NearMiss("transposes of two results") {
      $0.nodes[0].outputs.append($0.value(shape: [1]))
      $0.nodes[2].outputs.append($0.value(shape: [1]))
      $0.kept += [4]
    },
    NearMiss("transposes whose input is left out") {
      $0.nodes[0].inputs = [nil, 0]
      $0.nodes[2].inputs = [nil, 2]
    },
    NearMiss("vectors") {
      for value in 0..<4 { $0.values.specs[value].shape = [4] }
      $0.nodes[0].operation = StubTranspose([0])
      $0.nodes[2].operation = StubTranspose([0])
    },
  ]

  @Test("transposes are kept for", arguments: misses)
  func stay(_ miss: NearMiss) throws {
    #expect(try miss.changing(between).names() == ["front", "inner", "back"])
  }

  @Test("single-element operands may have any rank, and are unchanged")
  func singleElements() throws {
    for shape in [[], [1], [1, 1], [1, 1, 1]] as [Shape] {
      var graph = between
      let single = graph.value(shape: shape)
      graph.nodes[1].inputs = [single, 1]
      let nodes = try graph.after(TransposeElimination.run)
      #expect(nodes.count == 1 && nodes[0].inputs == [single, 0])
    }
  }

  @Test("an operand that has the axes but not the sizes is transposed before")
  func broadcastOperand() throws {
    var graph = between
    let row = graph.value(shape: [1, 1, 3])
    graph.nodes[1].inputs = [1, row]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.map(\.location.operatorName) == ["front", "inner"])
    #expect((nodes[0].operation as? StubTranspose)?.order == [1, 2, 0] && nodes[0].inputs == [row])
    #expect(nodes[1].inputs == [0, nodes[0].outputs[0]] && nodes[1].outputs == [3])
  }

  @Test("a node that names an axis gets the new index, and its other inputs are unchanged")
  func namedAxis() throws {
    for axis in 0..<3 {
      var graph = between
      let amounts = graph.value(shape: [7])
      graph.nodes[1].operation = StubNaming(axis: axis, inputCount: 1)
      graph.nodes[1].inputs = [1, amounts]
      let nodes = try graph.after(TransposeElimination.run)
      #expect(nodes.count == 1 && nodes[0].inputs == [0, amounts])
      // Axis i after the first transpose is axis [2, 0, 1][i] before it.
      #expect((nodes[0].operation as? StubNaming)?.axis == [2, 0, 1][axis])
    }
    var missing = between
    missing.nodes[1].operation = StubNaming(axis: 0, inputCount: 2)
    #expect(try missing.names().count == 3)
  }

  @Test("a transpose before a result isn't moved, because that would cost the same")
  func noGain() throws {
    var graph = between
    graph.nodes.removeLast()
    graph.kept = [2]
    #expect(try graph.names() == ["front", "inner"])
  }

  @Test("a result that is also read in the original layout is transposed once for both")
  func readInItsOrder() throws {
    var graph = between
    graph.kept = [2]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.map(\.location.operatorName) == ["inner", "front"])
    #expect((nodes[1].operation as? StubTranspose)?.order == [2, 0, 1] && nodes[1].outputs == [2])
  }

  @Test("two transposes before a node become one after it")
  func gain() throws {
    var graph = PassGraph()
    for index in 0..<5 { _ = graph.value(shape: index < 2 ? [2, 3, 4] : [4, 2, 3]) }
    graph.add("first", StubTranspose([2, 0, 1]), [0], [2])
    graph.add("second", StubTranspose([2, 0, 1]), [1], [3])
    graph.add("add", StubPlain(layoutBehavior: .elementwise), [2, 3], [4])
    graph.kept = [4]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.map(\.location.operatorName) == ["add", "first"])
    #expect(nodes[0].inputs == [0, 1] && nodes[1].inputs == [nodes[0].outputs[0]] && nodes[1].outputs == [4])
    #expect((nodes[1].operation as? StubTranspose)?.order == [2, 0, 1])
  }

  @Test("the layout that moves fewer elements is chosen, and the other operand is transposed to it")
  func bestOrder() throws {
    var graph = PassGraph()
    let first = graph.value(shape: [3, 4, 2]), second = graph.value(shape: [2, 3, 4])
    let third = graph.value(shape: [2, 3, 4])
    let turned = (0..<4).map { _ in graph.value(shape: [4, 2, 3]) }
    graph.add("first", StubTranspose([1, 2, 0]), [first], [turned[0]])
    graph.add("second", StubTranspose([2, 0, 1]), [second], [turned[1]])
    graph.add("third", StubTranspose([2, 0, 1]), [third], [turned[2]])
    graph.add("add", StubPlain(layoutBehavior: .elementwise), [turned[0], turned[1], turned[2]], [turned[3]])
    graph.kept = [turned[3]]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.map { $0.operation is StubTranspose } == [true, false, true])
    // From [3, 4, 2] to [2, 3, 4].
    #expect((nodes[0].operation as? StubTranspose)?.order == [2, 0, 1])
    #expect(nodes[1].inputs == [nodes[0].outputs[0], second, third])
    #expect((nodes[2].operation as? StubTranspose)?.order == [2, 0, 1] && nodes[2].outputs == [turned[3]])
  }

  @Test("two transposes after a node become one before it, and their readers read its result")
  func behind() throws {
    var graph = PassGraph()
    for index in 0..<6 { _ = graph.value(shape: index < 2 ? [2, 3, 4] : [4, 2, 3]) }
    graph.add("inner", StubPlain(layoutBehavior: .elementwise), [0], [1])
    graph.add("first", StubTranspose([2, 0, 1]), [1], [2])
    graph.add("second", StubTranspose([2, 0, 1]), [1], [3])
    graph.add("a", StubPlain(), [2], [4])
    graph.add("b", StubPlain(), [3], [5])
    graph.kept = [4, 5]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.map(\.location.operatorName) == ["first", "inner", "a", "b"])
    #expect((nodes[0].operation as? StubTranspose)?.order == [2, 0, 1] && nodes[0].inputs == [0])
    let result = nodes[1].outputs[0]
    #expect(nodes[1].inputs == [nodes[0].outputs[0]] && nodes[2].inputs == [result] && nodes[3].inputs == [result])
  }

  @Test("an operand from another node is transposed after that node")
  func producedOutside() throws {
    var graph = PassGraph()
    for index in 0..<7 { _ = graph.value(shape: index < 2 ? [2, 3, 4] : [4, 2, 3]) }
    graph.add("first", StubTranspose([2, 0, 1]), [0], [2])
    graph.add("second", StubTranspose([2, 0, 1]), [1], [3])
    graph.add("plain", StubPlain(), [6], [4])
    graph.add("add", StubPlain(layoutBehavior: .elementwise), [2, 3, 4], [5])
    graph.add("back", StubTranspose([1, 2, 0]), [5], [graph.value(shape: [2, 3, 4])])
    graph.kept = [7]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.map { $0.operation is StubTranspose } == [false, true, false])
    #expect(nodes[0].outputs == [4] && nodes[1].inputs == [4])
    #expect((nodes[1].operation as? StubTranspose)?.order == [1, 2, 0])
    #expect(nodes[2].inputs == [0, 1, nodes[1].outputs[0]] && nodes[2].outputs == [7])
  }

  @Test("combined transposes become one transpose with another permutation")
  func composed() throws {
    var graph = between
    graph.nodes[2].operation = StubTranspose([0, 2, 1])
    graph.values.specs[3].shape = [4, 3, 2]
    #expect(try graph.names() == ["front", "inner"])
    // Axis i of the result is axis [2, 1, 0][i] of the input.
    #expect(try graph.orders() == [[2, 1, 0]])
  }

  @Test("a second result in the same layout is transposed for readers outside the region")
  func twoResults() throws {
    var graph = between
    let other = graph.value(shape: [2, 3, 4])
    graph.add("copy", StubTranspose([1, 2, 0]), [2], [other])
    graph.kept = [3, other]
    let nodes = try graph.after(TransposeElimination.run)
    #expect(nodes.count == 2 && nodes[0].inputs == [0] && nodes[0].outputs == [3])
    // One of the two results is written directly, the other is a copy of it.
    #expect((nodes[1].operation as? StubTranspose)?.order == [0, 1, 2])
    #expect(nodes[1].inputs == [3] && nodes[1].outputs == [other])
  }

  @Test("graphs of 8192 inputs are changed, larger ones are not", arguments: [8192, 8193])
  func largeGraphs(count: Int) throws {
    var graph = between
    let many = graph.value(shape: [1]), result = graph.value(shape: [1])
    graph.add("many", StubPlain(isPure: false), [ValueID?](repeating: many, count: count - 3), [result])
    #expect(try graph.names().count == (count == 8192 ? 2 : 4))
  }

  @Test("permutations are inverted")
  func inverted() {
    #expect([2, 0, 1].inverted == [1, 2, 0] && [0].inverted == [0] && [3, 1, 0, 2].inverted == [2, 1, 3, 0])
  }
}
