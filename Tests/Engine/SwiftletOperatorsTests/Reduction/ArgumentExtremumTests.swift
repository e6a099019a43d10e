import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func search<Scalar: TensorScalar>(
  _ kind: BuiltinOperator, _ values: [Scalar], shape: [Int], axis: Int32, positions: ElementType = .int32
) throws -> Tensor {
  var graph = TestGraph()
  let data = graph.input(Scalar.elementType, shape)
  let axis = graph.constant([axis], shape: [])
  let result = graph.output(positions, [])
  let options =
    kind == .argMax
    ? ArgMaxOptions.with { [$0.outputType(positions)] } : ArgMinOptions.with { [$0.outputType(positions)] }
  graph.add(kind, [data, axis], [result], options: options)
  return try graph.session().run([try Tensor(values, shape: Shape(shape))])[0]
}

@Suite("ARG_MAX and ARG_MIN")
struct ArgumentExtremumTests {
  @Test("find positions along every axis")
  func findsPositions() throws {
    let values: [Float] = [1, 9, 3, 7, 5, 8]
    #expect(try search(.argMax, values, shape: [2, 3], axis: 1).values() == [Int32(1), 2])
    #expect(try search(.argMax, values, shape: [2, 3], axis: 0).values() == [Int32(1), 0, 1])
    #expect(try search(.argMin, values, shape: [2, 3], axis: -1).values() == [Int32(0), 1])
    #expect(try search(.argMin, values, shape: [2, 3], axis: -2).values() == [Int32(0), 1, 0])
    #expect(try search(.argMax, values, shape: [2, 3], axis: 1).shape == [2])
  }

  @Test("prefer the first of equal elements")
  func prefersFirst() throws {
    #expect(try search(.argMax, [Int8(3), 7, 7, 7], shape: [4], axis: 0).values() == [Int32(1)])
    #expect(try search(.argMin, [Int32(3), 7, 3, 7, 3, 7], shape: [3, 2], axis: 0).values() == [Int32(0), 0])
    #expect(try search(.argMax, [Float](repeating: -.infinity, count: 40), shape: [40], axis: 0).values() == [Int32(0)])
  }

  @Test("find positions in runs of any length", arguments: [1, 15, 16, 63, 64, 65, 300])
  func findsPositionsInRuns(length: Int) throws {
    for target in Set([0, length / 2, length - 1]) {
      let values = (0..<length).map { Float($0 == target ? 9 : $0 % 5) }
      #expect(try search(.argMax, values, shape: [length], axis: 0).values() == [Int32(target)])
      #expect(try search(.argMin, values.map { Int8(-$0) }, shape: [length], axis: 0).values() == [Int32(target)])
    }
  }

  @Test("never prefer NaN to a number")
  func ignoresNaN() throws {
    #expect(try search(.argMax, [Float.nan, -.infinity, .nan], shape: [3], axis: 0).values() == [Int32(1)])
    #expect(try search(.argMin, [Float.nan, 2, 1, .nan], shape: [2, 2], axis: 0).values() == [Int32(1), 0])
    #expect(try search(.argMax, [Float.nan, .nan], shape: [2], axis: 0).values() == [Int32(0)])
  }

  @Test("return 64-bit positions if requested")
  func givesLongPositions() throws {
    #expect(try search(.argMax, [UInt8(3), 200, 7], shape: [3], axis: 0, positions: .int64).values() == [Int64(1)])
    #expect(try search(.argMax, [false, true], shape: [2, 1], axis: 0, positions: .int64).values() == [Int64(1)])
  }

  @Test("find 64-bit positions of many rows", arguments: [1, 3, 255, 256, 257, 700])
  func findsManyLongPositions(rows: Int) throws {
    let values = (0..<(rows * 5)).map { UInt8(truncatingIfNeeded: $0 / 5 % 5 == $0 % 5 ? 250 : $0 % 100) }
    let expected = (0..<rows).map { Int64($0 % 5) }
    #expect(try search(.argMax, values, shape: [rows, 5], axis: 1, positions: .int64).values() == expected)
  }

  @Test("find positions of both widths across pieces of columns", arguments: [1023, 1025, 2300])
  func findsPositionsInColumns(columns: Int) throws {
    let values = (0..<(2 * 5 * columns)).map { (index: Int) -> Int32 in
      let (row, column) = (index / columns % 5, index % columns)
      return row == column % 5 ? 90 : Int32(index % 7)
    }
    let expected = (0..<(2 * columns)).map { Int32($0 % columns % 5) }
    #expect(try search(.argMax, values, shape: [2, 5, columns], axis: 1).values() == expected)
    #expect(
      try search(.argMax, values, shape: [2, 5, columns], axis: 1, positions: .int64).values()
        == expected.map(Int64.init))
  }

  @Test("do nothing for an empty output")
  func acceptsEmptyOutput() throws {
    #expect(try search(.argMax, [Float](), shape: [0, 3], axis: 1).shape == [0])
  }

  @Test("reject an option that makes positions other than integers", arguments: [0, -1, 100] as [Int8])
  func refuseTypes(code: Int8) throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2, 3])
    let result = graph.output(.int32, [2])
    graph.add(
      .argMax, [data, graph.constant([Int32(1)])], [result], options: ArgMaxOptions.with { [$0.outputType(code: code)] }
    )
    let error = #expect(throws: RuntimeError.self) { try graph.session() }
    #expect(error?.location?.operatorName == "ARG_MAX" && error?.location?.operatorIndex == 0)
  }

  @Test("reject an empty axis and one outside the rank")
  func refusesAxes() {
    #expect(throws: RuntimeError.self) { try search(.argMax, [Float](), shape: [2, 0], axis: 1) }
    #expect(throws: RuntimeError.self) { try search(.argMax, [Float(1)], shape: [1], axis: 1) }
    #expect(throws: RuntimeError.self) { try search(.argMin, [Float(1)], shape: [], axis: 0) }
  }
}
