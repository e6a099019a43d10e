import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of hash tables and variables")
struct StateRefusalTests {
  private static func handle(
    _ graph: inout TestGraph, key: ElementType = .int64, value: ElementType = .string, id: Int = 7
  ) -> Int {
    let table = graph.tensor(.resource, [1])
    graph.add(
      .hashtable, [], [table],
      options: HashtableOptions.with { [$0.tableID(id), $0.keyDataType(key), $0.valueDataType(value)] })
    return table
  }

  private func failure(_ build: (inout TestGraph) throws -> Void) -> RuntimeError? {
    thrownError {
      var graph = TestGraph()
      try build(&graph)
      _ = try graph.session()
    }
  }

  @Test(
    "a table maps numbers to strings or strings to numbers",
    arguments: [
      (ElementType.int64, ElementType.string, true), (.string, .int64, true), (.int64, .int64, false),
      (.string, .string, false), (.int32, .string, false), (.string, .int32, false),
    ])
  func types(key: ElementType, value: ElementType, isTaken: Bool) {
    let error = failure { graph in
      let table = Self.handle(&graph, key: key, value: value)
      graph.add(.hashtableSize, [table], [graph.output(.int64, [])])
    }
    #expect((error == nil) == isTaken)
    #expect(isTaken || error?.message.contains("maps \(key.name) to \(value.name)") == true)
  }

  @Test("unsupported types of keys and values")
  func undefinedTypes() {
    let error = failure { graph in
      let table = graph.tensor(.resource, [1])
      graph.add(
        .hashtable, [], [table],
        options: HashtableOptions.with { [$0.keyDataType(code: 99), $0.valueDataType(.string)] })
      graph.add(.hashtableSize, [table], [graph.output(.int64, [])])
    }
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains("has keys or values of type 99") == true)
  }

  @Test("an import must have as many keys as values, and constant strings")
  func imports() {
    func importing(_ keys: [Int64], _ strings: [String], isConstant: Bool = true) -> RuntimeError? {
      failure { graph in
        let table = Self.handle(&graph)
        let words = try Tensor(strings: strings, shape: [strings.count])
        let values = isConstant ? graph.constant(words) : graph.input(.string, [strings.count])
        graph.add(.hashtableImport, [table, graph.constant(keys), values], [])
        graph.add(.hashtableSize, [table], [graph.output(.int64, [])])
      }
    }
    #expect(importing([1, 2], ["a", "b"]) == nil)
    #expect(importing([1, 2], ["a"])?.message.contains("takes as many keys as values") == true)
    #expect(importing([1, 2], ["a", "b"], isConstant: false)?.message.contains("must be constant") == true)
  }

  @Test("a default value and the types of the table must match the node")
  func finding() {
    func finding(_ defaults: [Int], key: ElementType = .int64, value: ElementType = .string) -> RuntimeError? {
      failure { graph in
        let table = Self.handle(&graph, key: key, value: value)
        let keys = graph.input(.int64, [2]), missing = graph.input(.string, defaults)
        graph.add(.hashtableFind, [table, keys, missing], [graph.output(.string, [])])
      }
    }
    #expect(finding([]) == nil && finding([2]) == nil)
    #expect(finding([0])?.message.contains("takes a default value") == true)
    #expect(
      finding([], key: .string, value: .int64)?.message
        == "works on other types than the table's, string for int64")
  }

  @Test("tables are not variables, and vice versa")
  func kinds() {
    let table = failure { graph in
      let table = Self.handle(&graph)
      graph.add(.readVariable, [table], [graph.output(.float32, [2])])
    }
    #expect(table?.message == "input 0 names a hash table, not a variable")
    let variable = failure { graph in
      let variable = graph.tensor(.resource, [1])
      graph.add(.varHandle, [], [variable], options: VarHandleOptions.with { [$0.sharedName("v")] })
      graph.add(.hashtableSize, [variable], [graph.output(.int64, [])])
    }
    #expect(variable?.message == "input 0 names a variable, not a hash table")
  }

  @Test("an empty import creates an empty table, which later imports don't change", arguments: [true, false])
  func emptyImport(isFirst: Bool) throws {
    var graph = TestGraph()
    let table = Self.handle(&graph)
    let none = [graph.constant([Int64](), shape: [0]), graph.constant(try Tensor(strings: [], shape: [0]))]
    let one = [graph.constant([Int64(1)]), graph.constant(try Tensor(strings: ["a"], shape: [1]))]
    for pairs in isFirst ? [none, one] : [one, none] { graph.add(.hashtableImport, [table] + pairs, []) }
    graph.add(.hashtableSize, [table], [graph.output(.int64, [])])
    let session = try graph.session()
    for _ in 0..<2 { #expect(try session.run([])[0].values() == [Int64(isFirst ? 0 : 1)]) }
  }

  @Test("a table is limited by the memory limit of tensors")
  func limitsPairs() {
    func importing(_ count: Int, limit: Int) -> RuntimeError? {
      thrownError {
        var graph = TestGraph()
        let table = Self.handle(&graph)
        let strings = try Tensor(strings: (0..<count).map { "\($0)" }, shape: [count])
        graph.add(
          .hashtableImport, [table, graph.constant((0..<count).map { Int64($0) }), graph.constant(strings)], [])
        graph.add(.hashtableSize, [table], [graph.output(.int64, [])])
        var options = RuntimeOptions()
        options.limits.tensorBytes = limit
        _ = try graph.session(options: options)
      }
    }
    // Slots of 24 bytes after the header; 6 pairs need 16 slots, and so do 7.
    let room = StateKey.headerByteCount + 16 * 24
    #expect(importing(6, limit: room) == nil)
    #expect(importing(6, limit: room - 1)?.message == "imports 6 pairs, which is too many")
    #expect(importing(9, limit: room)?.message == "imports 9 pairs, which is too many")
    #expect(importing(6, limit: room)?.code == nil)
  }

  // MARK: Variables

  /// Returns a header as stored in memory, which describes the last assigned value.
  private func header(assigned: Int64 = 1, rank: Int64, _ sizes: [Int32]) -> [UInt8] {
    var bytes: [UInt8] = []
    for word in [assigned, 0, 4, rank] { withUnsafeBytes(of: word) { bytes += Array($0) } }
    for size in sizes + [Int32](repeating: 0, count: 8 - sizes.count) {
      withUnsafeBytes(of: size) { bytes += Array($0) }
    }
    return bytes
  }

  private func shape(_ bytes: [UInt8]) -> Shape? { bytes.withUnsafeBytes { ResourceVariable.shape($0) } }

  @Test("a header contains the shape of a variable")
  func headers() {
    let eight: [Int32] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(header(rank: 8, eight).count == StateKey.headerByteCount)
    #expect(shape(header(rank: 8, eight)) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(shape(header(rank: 2, eight)) == [1, 2])
    #expect(shape(header(rank: 0, eight)) == [])
    #expect(shape(header(rank: 2, [0, 3])) == [0, 3])
    #expect(shape(header(rank: 9, eight)) == nil)
    #expect(shape(header(rank: -1, eight)) == nil)
    #expect(shape(header(assigned: 0, rank: 2, eight)) == nil)
    #expect(shape(header(assigned: 2, rank: 2, eight)) == nil)
    #expect(shape(header(rank: 2, [1, -1])) == nil)
    #expect(shape(Array(header(rank: 2, eight).dropLast())) == nil)
    #expect(shape([]) == nil)
  }

  /// Assigns a tensor and reads it with another shape; up to 8 axes are stored.
  private func read(_ written: ProbeShape, as declared: ProbeShape) throws -> Tensor {
    var graph = TestGraph()
    let handle = graph.tensor(.resource, [])
    graph.add(.varHandle, [], [handle], options: VarHandleOptions.with { [$0.sharedName("kept")] })
    graph.add(.assignVariable, [handle, graph.input(written.type, written.shape)], [])
    let value = graph.tensor(declared.type, declared.shape)
    graph.add(.readVariable, [handle], [value])
    graph.addOutput(value)
    let count = Shape(written.shape).elementCount
    let bytes = (0..<(written.type.byteCount(elements: count) ?? 0)).map { UInt8(truncatingIfNeeded: $0) }
    return try graph.session().run([Tensor(elementType: written.type, shape: Shape(written.shape), bytes: bytes)])[0]
  }

  private typealias ProbeShape = (type: ElementType, shape: [Int])

  @Test(
    "values with up to 8 axes are read in their actual shape, and long values in pieces",
    arguments: [
      [], [3], [0], [1, 2, 1, 2, 1, 2, 1, 3], [1 << 14], [1 << 14 + 1], [5, 1 << 13],
    ])
  func openShapes(shape: [Int]) throws {
    let result = try read((.int32, shape), as: (.int32, []))
    #expect(result.shape.dimensions == shape)
    let ends = (0..<result.bytes.count).allSatisfy { result.bytes[$0] == UInt8(truncatingIfNeeded: $0) }
    #expect(ends)
  }

  @Test("a type or size that differs from the assigned one is rejected")
  func otherTypes() throws {
    #expect(try read((.int32, [2, 3]), as: (.int32, [6])).shape == [6])
    let type: RuntimeError? = thrownError { try read((.int32, [2]), as: (.float32, [2])) }
    #expect(type?.code == .invalidInput)
    #expect(type?.message.contains("reads the variable 'kept'") == true)
    #expect(type?.message.contains("but it holds 8 bytes of int32") == true)
    let size: RuntimeError? = thrownError { try read((.int32, [2]), as: (.int32, [3])) }
    #expect(size?.code == .invalidInput)
    #expect(size?.message.contains("of 12 bytes, but it holds 8 bytes of int32") == true)
  }
}
