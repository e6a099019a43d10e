import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Selection by value")
struct SelectionTests {
  private func top(_ operand: Operand, _ count: Operand, _ type: ElementType, indices: ElementType = .int32)
    -> SingleNode
  {
    SingleNode(.topkV2, [operand, count], gives: [type, indices])
  }

  @Test("selects the largest of every row, the first of equals")
  func takesLargest() throws {
    let results = try top(
      try .input([Int32(3), 9, 3, 1, 5, 5, 5, 5], [2, 4]), .constant([Int32(3)], []), .int32
    ).run()
    #expect(try results[0].values() == [Int32(9), 3, 3, 5, 5, 5])
    #expect(try results[1].values() == [Int32(1), 0, 2, 0, 1, 2])
    #expect(results[0].shape == [2, 3])
  }

  @Test("sorts NaN last")
  func putsNaNLast() throws {
    let results = try top(
      try .input([Float.nan, 1, -.infinity, .nan, .infinity]), .constant([Int32(5)], []), .float32
    ).run()
    #expect(try results[1].values() == [Int32(4), 1, 2, 0, 3])
  }

  @Test("accepts a number that is given in the run", arguments: [0, 1, 3] as [Int32])
  func takesComputedCount(count: Int32) throws {
    let results = try top(try .input([Int8(1), 3, 2]), try .input([count], []), .int8, indices: .int16).run()
    #expect(try results[0].values() == Array([Int8(3), 2, 1].prefix(Int(count))))
    #expect(try results[1].values() == Array([Int16(1), 2, 0].prefix(Int(count))))
  }

  @Test("agrees with sorting, for any count", arguments: [1, 2, 7, 50, 100])
  func agreesWithSorting(count: Int) throws {
    var random = SplitMix64(state: UInt64(count))
    let values = (0..<100).map { _ in Int16.random(in: -20...20, using: &random) }
    let results = try top(try .input(values), .constant([Int32(count)], []), .int16).run()
    let order = values.indices.sorted { (values[$1], $0) < (values[$0], $1) }
    #expect(try results[1].values() == order.prefix(count).map { Int32($0) })
  }

  @Test("rejects more than a row has")
  func refusesTooMany() throws {
    let node = top(try .input([Float(1), 2]), .constant([Int32(3)], []), .float32)
    #expect(throws: RuntimeError.self) { try node.run() }
  }

  @Test("lists the coordinates of nonzero elements")
  func listsCoordinates() throws {
    let result = try SingleNode(
      .whereNonzero, [try .input([Float(0), 2, -0.0, .nan, 0, 1], [2, 3])], gives: [.int64])()
    #expect(try result.values() == [Int64(0), 1, 1, 0, 1, 2])
    #expect(result.shape == [3, 2])
    let nothing = try SingleNode(.whereNonzero, [try .input([false, false])], gives: [.int64])()
    #expect(nothing.shape == [0, 1])
  }

  @Test("passes the actual number of coordinates to other operators")
  func continuesAfterCoordinates() throws {
    var graph = TestGraph()
    let condition = graph.input(.bool, [4])
    let data = graph.input(.float32, [4])
    let coordinates = graph.tensor(.int64, [1, 1])
    let picked = graph.output(.float32, [1])
    graph.add(.whereNonzero, [condition], [coordinates])
    graph.add(.gatherND, [data, coordinates], [picked])
    let session = try graph.session()
    for mask in [[true, false, true, true], [false, false, false, false], [false, true, false, false]] {
      let result = try session.run([try Tensor(mask, shape: [4]), try Tensor([Float(1), 2, 3, 4], shape: [4])])[0]
      let expected = zip(mask, [Float(1), 2, 3, 4]).filter(\.0).map(\.1)
      #expect(try result.values() == expected)
      #expect(result.shape == [expected.count])
    }
  }

  @Test("lists every value once, in order of appearance")
  func listsValues() throws {
    let results = try SingleNode(.unique, [try .input([Int64(7), -1, 7, 3, -1])], gives: [.int64, .int32]).run()
    #expect(try results[0].values() == [Int64(7), -1, 3])
    #expect(try results[1].values() == [Int32(0), 1, 0, 2, 1])
    let zeros = try SingleNode(.unique, [try .input([Float(0), -0.0])], gives: [.float32, .int64]).run()
    #expect(try zeros[1].values() == [Int64(0), 0])
  }

  @Test("rejects more values than it has memory for")
  func refusesLongLists() throws {
    var graph = TestGraph()
    graph.add(.unique, [graph.input(.int8, [(1 << 22) + 1])], [graph.output(.int8, []), graph.output(.int32, [])])
    let model = try graph.model()
    let error = #expect(throws: RuntimeError.self) { try CompiledModel(model) }
    #expect(error?.code == .limitExceeded)
  }
}
