import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Checks operators that move quantized values from one tensor to another.
@Suite("Moved quantized values")
struct MovedQuantizedTests {
  /// A model of one such operator, with scales of its input and output.
  struct Mover: Sendable, CustomTestStringConvertible {
    var kind: BuiltinOperator
    /// Adds the operator to a graph, between tensors.
    var add: @Sendable (inout TestGraph, Int, Int) -> Void
    var testDescription: String { kind.schemaName }

    func session(from scale: Float, to other: Float?) throws -> Session {
      var graph = TestGraph()
      let data = graph.input(.int8, [2, 2, 2, 1], scale: scale)
      add(&graph, data, graph.output(.int8, [], scale: other))
      return try graph.session()
    }
  }

  static let movers = [
    Mover(kind: .expandDims) { $0.add(.expandDims, [$1, $0.constant([Int32(0)])], [$2]) },
    Mover(kind: .batchToSpaceND) { graph, data, result in
      let (blocks, crops) = (
        graph.constant([Int32(1), 1]), graph.constant([Int32](repeating: 0, count: 4), shape: [2, 2])
      )
      graph.add(.batchToSpaceND, [data, blocks, crops], [result])
    },
    Mover(kind: .spaceToBatchND) { graph, data, result in
      let (blocks, paddings) = (
        graph.constant([Int32(1), 1]), graph.constant([Int32](repeating: 0, count: 4), shape: [2, 2])
      )
      graph.add(.spaceToBatchND, [data, blocks, paddings], [result])
    },
    Mover(kind: .mirrorPad) { graph, data, result in
      graph.add(
        .mirrorPad, [data, graph.constant([Int32](repeating: 0, count: 8), shape: [4, 2])], [result],
        options: MirrorPadOptions.empty
      )
    },
    Mover(kind: .pack) { $0.add(.pack, [$1], [$2], options: PackOptions.with { [$0.valuesCount(1)] }) },
  ]

  @Test("reject an output with other quantization, as the reference does", arguments: movers)
  func refuse(mover: Mover) throws {
    let data = try Tensor((1...8).map { Int8($0) }, shape: [2, 2, 2, 1])
    #expect(try mover.session(from: 0.5, to: 0.5).run([data])[0].values() == (1...8).map { Int8($0) })
    for other: Float? in [0.25, nil] {
      let error = #expect(throws: RuntimeError.self) { try mover.session(from: 0.5, to: other) }
      #expect(error?.location?.operatorIndex == 0 && error?.location?.operatorName == mover.kind.schemaName)
      #expect(error?.message.contains("'t0'") ?? false)
    }
  }

  @Test("take a byte each in a run if they have 4 bits, and keep their range")
  func narrow() throws {
    var graph = TestGraph()
    let codes = graph.tensor(.int4, [4], scale: 0.5)
    graph.add(.quantize, [graph.input(.float32, [4])], [codes], version: 3)
    let last = graph.tensor(.int4, [3], scale: 0.5)
    graph.add(.slice, [codes, graph.constant([Int32(1)]), graph.constant([Int32(3)])], [last], version: 6)
    graph.add(.dequantize, [last], [graph.output(.float32, [3])], version: 6)
    let result = try graph.session().run([try Tensor([Float(0), 1.2, 100, -100], shape: [4])])[0]
    #expect(try result.values() == [Float(1), 3.5, -4])
  }

  @Test("RESHAPE uses its options if its other input is not an int32 vector")
  func reshapes() throws {
    func shape(_ given: [Int64], options: [Int32]?) throws -> Shape {
      var graph = TestGraph()
      let data = graph.input(.float32, [6])
      graph.add(
        .reshape, [data, graph.constant(given)], [graph.output(.float32, [])],
        options: options.map { shape in ReshapeOptions.with { [$0.newShape(shape)] } })
      return try graph.session().run([try Tensor([Float](repeating: 1, count: 6), shape: [6])])[0].shape
    }
    #expect(try shape([2, 3], options: nil) == [2, 3])
    #expect(try shape([2, 3], options: [3, 2]) == [3, 2])
  }
}

@Suite("Types of outputs")
struct OutputTypeTests {
  @Test("come from the operator if the file contradicts them")
  func follows() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2])
    let truth = graph.tensor(.float32, [2])
    graph.add(.less, [data, graph.constant([Float(1)])], [truth])
    graph.add(.cast, [truth], [graph.output(.int32, [2])])
    #expect(try graph.session().run([try Tensor([Float(0), 2], shape: [2])])[0].values() == [Int32(1), 0])
    #expect(LessOperator.identity.outputTypes(forInputs: [.float32, .float32], count: 1) == [.bool])
    #expect(LessOperator.identity.outputTypes(forInputs: [.string, .string], count: 1) == nil)
    #expect(SoftmaxOperator.identity.outputTypes(forInputs: [.int8], count: 1) == nil)
  }
}
