import SwiftletSchema

/// Models with a few numbers, for tests of interfaces: inputs, outputs, and errors.
package enum SmallModels {
  /// Triples `input` and returns it as `output`. The input has one element, and can be resized.
  package static var triple: [UInt8] { TestGraph.bytes([tripling(.float32)]) }

  /// The same model for uint8 with a scale of 0.003922.
  package static var tripleQuantized: [UInt8] { TestGraph.bytes([tripling(.uint8, scale: 0.003922)]) }

  /// The same model for int8.
  package static var tripleSigned: [UInt8] { TestGraph.bytes([tripling(.int8, scale: 0.5)]) }

  private static func tripling(_ type: ElementType, scale: Float? = nil) -> TestGraph {
    var graph = TestGraph()
    let input = graph.input(type, [1], scale: scale)
    let double = graph.tensor(type, [1], scale: scale)
    let output = graph.output(type, [1], scale: scale)
    graph.name(input, "input")
    graph.name(output, "output")
    graph.add(.add, [input, input], [double], options: AddOptions.empty)
    graph.add(.add, [double, input], [output], options: AddOptions.empty)
    return graph
  }

  /// An image classifier of one pixel with a variable: the scores of the three classes are the number of the run, from
  /// 1.
  package static var counter: [UInt8] {
    var graph = TestGraph()
    let image = graph.input(.uint8, [1, 1, 1, 3], scale: 1)
    let numbers = graph.tensor(.float32, [1, 1, 1, 3])
    let vector = graph.tensor(.float32, [1, 3])
    let count = graph.variable(.float32, [1, 3])
    graph.add(.cast, [image], [numbers])
    graph.add(.reshape, [numbers, graph.constant([Int32(1), 3])], [vector])
    let ignored = graph.constant([Float](repeating: 0, count: 9), shape: [3, 3])
    let kept = graph.constant([Float(1), 0, 0, 0, 1, 0, 0, 0, 1], shape: [3, 3])
    graph.add(
      .rnn, [vector, ignored, kept, graph.constant([Float(1), 1, 1]), count], [graph.output(.float32, [1, 3])],
      options: RNNOptions.empty)
    return TestGraph.bytes([graph])
  }

  /// Adds two vectors of length 2.
  package static var sum: [UInt8] { TestGraph.bytes([TestGraph.binary(.add)]) }

  /// Adds two images `[?, 2, 3]`.
  package static var openSum: [UInt8] {
    var graph = TestGraph.binary(.add, shape: [1, 2, 3])
    for index in 0..<3 { graph.leaveOpen(index, [-1, 2, 3]) }
    return TestGraph.bytes([graph])
  }

  /// Two graphs: `add` in the main graph adds 2 to `x`, and `sub` in another graph subtracts 2 from `x`; both return
  /// `output_0`.
  package static var addAndSub: [UInt8] {
    TestGraph.bytes([byTwo(.add, "add"), byTwo(.sub, "sub")])
  }

  private static func byTwo(_ kind: BuiltinOperator, _ key: String) -> TestGraph {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    let two = graph.constant([Float(2)])
    let output = graph.output(.float32, [1])
    graph.name(input, "\(key)_x:0")
    graph.name(output, "StatefulPartitionedCall:0")
    graph.add(kind, [input, two], [output], options: kind == .add ? AddOptions.empty : SubOptions.empty)
    graph.addSignature(key, inputs: [("x", input)], outputs: [("output_0", output)])
    return graph
  }

  /// Returns the indices of the nonzero elements of a vector of 4. Their number is known only at run time.
  package static var positions: [UInt8] {
    var graph = TestGraph()
    let input = graph.input(.float32, [4])
    let zero = graph.constant([Float(0)])
    let isOther = graph.tensor(.bool, [4])
    graph.add(.notEqual, [input, zero], [isOther])
    let output = graph.output(.int64, [1, 1])
    graph.leaveOpen(output, [-1, 1])
    graph.add(.whereNonzero, [isOther], [output])
    return TestGraph.bytes([graph])
  }

  /// Returns the first three elements of a vector of any length; the length in the file is 1, which is too short.
  package static var firstThree: [UInt8] {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    graph.leaveOpen(input, [-1])
    graph.add(
      .slice, [input, graph.constant([Int32(0)]), graph.constant([Int32(3)])], [graph.output(.float32, [3])])
    return TestGraph.bytes([graph])
  }

  /// Returns one of the numbers 10, 20, 30 by its index; a run with another index fails.
  package static var choice: [UInt8] {
    var graph = TestGraph()
    let index = graph.input(.int32, [1])
    let table = graph.constant([Float(10), 20, 30])
    graph.add(.gather, [table, index], [graph.output(.float32, [1])])
    return TestGraph.bytes([graph])
  }

  /// Has an unknown operator.
  package static var unknownOperator: [UInt8] {
    var graph = TestGraph()
    let input = graph.input(.float32, [1])
    graph.add(custom: "NobodyKnowsThis", [input], [graph.output(.float32, [1])])
    return TestGraph.bytes([graph])
  }
}
