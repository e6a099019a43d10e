import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Shape operators")
struct ShapeOperatorTests {
  @Test(
    "removes axes of size 1",
    arguments: [
      ([], [3, 2]), ([0], [3, 1, 2]), ([-2], [1, 3, 2]), ([0, 2, 0], [3, 2]),
    ] as [([Int32], [Int])])
  func squeezes(axes: [Int32], expected: [Int]) throws {
    let result = try SingleNode(
      .squeeze, [try .input([Float](repeating: 1, count: 6), [1, 3, 1, 2])], gives: [.float32],
      options: SqueezeOptions.with { [$0.squeezeDimensions(axes)] })()
    #expect(result.shape.dimensions == expected)
    #expect(try result.values() == [Float](repeating: 1, count: 6))
  }

  @Test("rejects the removal of longer and missing axes", arguments: [[1], [4], [-5]] as [[Int32]])
  func refusesSqueeze(axes: [Int32]) throws {
    let node = SingleNode(
      .squeeze, [try .input([Float](repeating: 1, count: 6), [1, 3, 1, 2])], gives: [.float32],
      options: SqueezeOptions.with { [$0.squeezeDimensions(axes)] })
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test(
    "adds an axis of size 1",
    arguments: [
      (0, [1, 2, 3]), (2, [2, 3, 1]), (-1, [2, 3, 1]), (-3, [1, 2, 3]),
    ] as [(Int32, [Int])])
  func expands(axis: Int32, expected: [Int]) throws {
    let result = try SingleNode(
      .expandDims, [try .input((0..<6).map { Int8($0) }, [2, 3]), try .input([axis])], gives: [.int8])()
    #expect(result.shape.dimensions == expected)
    #expect(try result.values() == (0..<6).map { Int8($0) })
  }

  @Test("rejects an axis beyond the output", arguments: [3, -4] as [Int32])
  func refusesExpand(axis: Int32) throws {
    let node = SingleNode(
      .expandDims, [try .input([Float](repeating: 1, count: 6), [2, 3]), .constant([axis])], gives: [.float32])
    #expect(throws: RuntimeError.self) { try node() }
  }

  @Test("returns shape and rank at load")
  func shapeAndRank() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2, 0, 5])
    let shape = graph.output(.int64, [])
    let rank = graph.output(.int32, [])
    graph.add(.shape, [data], [shape], options: ShapeOptions.with { [$0.outputType(.int64)] })
    graph.add(.rank, [data], [rank])
    let compiled = try CompiledModel(try graph.model())
    #expect(compiled.operatorNames.isEmpty)
    let results = try Session(compiled).run([try Tensor([Float](), shape: [2, 0, 5])])
    #expect(try results[0].values() == [Int64(2), 0, 5])
    #expect(try results[1].values() == [Int32(3)])
    #expect(results[1].shape == [])
  }

  @Test("adapts to an input of another size")
  func shapeAfterResize() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [1, 2])
    let shape = graph.tensor(.int32, [2])
    let value = graph.constant([Float(3)], shape: [])
    let filled = graph.output(.float32, [1, 2])
    graph.add(.shape, [data], [shape], options: ShapeOptions.with { [$0.outputType(.int32)] })
    graph.add(.fill, [shape, value], [filled])
    let session = try graph.session()
    for size in [[1, 2], [3, 1], [2, 2]] {
      let count = size.reduce(1, *)
      let result = try session.run([try Tensor([Float](repeating: 0, count: count), shape: Shape(size))])[0]
      #expect(result.shape.dimensions == size)
      #expect(try result.values() == [Float](repeating: 3, count: count))
    }
  }

  @Test("reinterprets the same bytes as another type")
  func bitcasts() throws {
    let words = try SingleNode(.bitcast, [try .input([Float(1), -2])], gives: [.uint32])()
    #expect(try words.values() == [UInt32(0x3F80_0000), 0xC000_0000])
    let bytes = try SingleNode(.bitcast, [try .input([Int16(0x0201), 0x0403])], gives: [.uint8])()
    #expect(try bytes.values() == [UInt8(1), 2, 3, 4])
    #expect(bytes.shape == [2, 2])
    let wide = try SingleNode(.bitcast, [try .input([UInt8(1), 2, 3, 4], [2, 2])], gives: [.int16])()
    #expect(try wide.values() == [Int16(0x0201), 0x0403])
    #expect(wide.shape == [2])
    let odd = SingleNode(.bitcast, [try .input([UInt8(1), 2, 3])], gives: [.int16])
    #expect(throws: RuntimeError.self) { try odd() }
  }
}
