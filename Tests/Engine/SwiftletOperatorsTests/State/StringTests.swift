import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Tensors of strings")
struct StringTensorTests {
  private func compiled(_ build: (inout TestGraph) throws -> Void) throws -> Session {
    var graph = TestGraph()
    try build(&graph)
    return try graph.session()
  }

  @Test("keep their strings", arguments: [[], [""], ["a", "", "größer", "🙂"]] as [[String]])
  func holdStrings(strings: [String]) throws {
    let tensor = try Tensor(strings: strings, shape: [strings.count])
    #expect(try tensor.strings() == strings)
    #expect(try Tensor(elementType: .string, shape: [strings.count], bytes: tensor.bytes) == tensor)
  }

  @Test("reject a different number of strings, and bytes without strings")
  func refuse() throws {
    #expect(throws: RuntimeError.self) { try Tensor(strings: ["a"], shape: [2]) }
    #expect(throws: RuntimeError.self) { try Tensor(elementType: .string, shape: [1], bytes: [1, 0, 0, 0]) }
    #expect(throws: RuntimeError.self) { try Tensor(elementType: .string, shape: [0], bytes: [1, 2]) }
    #expect(throws: RuntimeError.self) { try Tensor([Float(1)], shape: [1]).strings() }
  }

  @Test("are moved like other tensors")
  func move() throws {
    let session = try compiled { graph in
      let words = graph.input(.string, [2, 2])
      let places = graph.constant([Int32(1), 0, 1])
      let rows = graph.tensor(.string, [])
      graph.add(.gather, [words, places], [rows], options: GatherOptions.with { [$0.axis(1)] })
      graph.add(.transpose, [rows, graph.constant([Int32(1), 0])], [graph.output(.string, [])])
    }
    let words = try Tensor(strings: ["a", "b", "c", "d"], shape: [2, 2])
    let result = try session.run([words])[0]
    #expect(result.shape == [3, 2])
    #expect(try result.strings() == ["b", "d", "a", "c", "b", "d"])
  }

  @Test("are equal if their characters are equal, in constants and inputs")
  func compare() throws {
    let session = try compiled { graph in
      let words = graph.input(.string, [3])
      let constant = graph.constant(try Tensor(strings: ["x", "", "y"], shape: [3]))
      graph.add(.equal, [words, constant], [graph.output(.bool, [])])
      graph.add(.notEqual, [words, constant], [graph.output(.bool, [])])
    }
    for words in [["x", "", "z"], ["new", "x", "y"]] {
      let results = try session.run([try Tensor(strings: words, shape: [3])])
      let expected = zip(words, ["x", "", "y"]).map { $0 == $1 }
      #expect(try results[0].values() == expected)
      #expect(try results[1].values() == expected.map { !$0 })
    }
  }

  @Test("are set and read one by one, and persist between runs")
  func giveAndRead() throws {
    let session = try compiled { graph in
      let words = graph.input(.string, [2])
      graph.add(.reshape, [words, graph.constant([Int32(2), 1])], [graph.output(.string, [])])
    }
    try session.setStrings(["one", "two"], at: 0)
    for _ in 0..<2 {
      try session.run()
      #expect(try session.strings(ofOutput: 0) == ["one", "two"])
    }
    #expect(throws: RuntimeError.self) { try session.setStrings(["one"], at: 0) }
    #expect(throws: RuntimeError.self) { try session.setStrings(["one"], at: 1) }
    #expect(throws: RuntimeError.self) { try session.withInput(0) { _ in } }
    #expect(throws: RuntimeError.self) { try session.withOutput(0) { _ in } }
  }

  @Test("from earlier runs are released if they take too much memory")
  func forget() throws {
    let session = try compiled { graph in
      let words = graph.input(.string, [1])
      graph.add(.expandDims, [words, graph.constant([Int32(0)])], [graph.output(.string, [])])
    }
    for run in 0..<40 {
      let word = String(repeating: "word \(run) ", count: 10_000)
      #expect(try session.run([try Tensor(strings: [word], shape: [1])])[0].strings() == [word])
    }
    #expect(session.strings.byteCount < 3 << 20)
  }

  @Test("from a damaged constant are rejected")
  func damaged() throws {
    var graph = TestGraph()
    let words = graph.constant(try Tensor(strings: ["x"], shape: [1]), shape: [2])
    graph.add(.expandDims, [words, graph.constant([Int32(0)])], [graph.output(.string, [])])
    let damaged = graph
    let error = #expect(throws: RuntimeError.self) { try damaged.session() }
    #expect(error?.code == .invalidModel)
  }
}

@Suite("Hash tables")
struct HashTableTests {
  /// Returns a table from numbers to strings that a second subgraph fills.
  private func words(
    keys: [Int64] = [3, -1, 3], strings: [String] = ["three", "minus one", "third"], importing: Bool = true,
    keyType: Int8 = 4,
    valueType: Int8 = 5, valueOfFind: ElementType = .string
  ) throws -> Session {
    func handle(_ graph: inout TestGraph) -> Int {
      let handle = graph.tensor(.resource, [1])
      graph.add(
        .hashtable, [], [handle],
        options: HashtableOptions.with {
          [$0.tableID(7), $0.keyDataType(code: keyType), $0.valueDataType(code: valueType)]
        })
      return handle
    }
    var fill = TestGraph()
    let table = handle(&fill)
    let pairs = [fill.constant(keys), fill.constant(try Tensor(strings: strings, shape: [strings.count]))]
    fill.add(.hashtableImport, [table] + pairs, [])
    var main = TestGraph()
    if importing { main.add(.callOnce, [], [], options: CallOnceOptions.with { [$0.initializationSubgraphIndex(1)] }) }
    let used = handle(&main)
    let queries = main.input(.int64, [3])
    let missing = main.constant(try Tensor(strings: ["?"], shape: []))
    main.add(.hashtableFind, [used, queries, missing], [main.output(valueOfFind, [])])
    main.add(.hashtableSize, [used], [main.output(.int64, [])])
    return try main.session([fill])
  }

  @Test("find strings by numbers, and return the default for missing keys")
  func find() throws {
    let results = try words().run([try Tensor([Int64(-1), 5, 3], shape: [3])])
    #expect(try results[0].strings() == ["minus one", "?", "three"])
    #expect(try results[1].values() == [Int64(2)])
  }

  @Test("find every key in a large table, and the first of equal keys")
  func findMany() throws {
    let keys = (0..<3000).map { Int64(truncatingIfNeeded: $0 % 2000 &* 0x1234_5678_9ABC_DEF1) }
    let session = try words(keys: keys, strings: keys.indices.map { "word \($0)" })
    for key in stride(from: 0, to: 2000, by: 7) {
      let results = try session.run([try Tensor([keys[key], keys[key] ^ 1, keys[1999]], shape: [3])])
      #expect(try results[0].strings() == ["word \(key)", "?", "word 1999"])
      #expect(try results[1].values() == [Int64(2000)])
    }
  }

  @Test("are imported again when the session is reset")
  func reset() throws {
    let session = try words()
    let queries = try Tensor([Int64(3), 3, 0], shape: [3])
    _ = try session.run([queries])
    session.resetState()
    #expect(try session.run([queries])[0].strings() == ["three", "three", "?"])
  }

  @Test("reject lookups before an import")
  func empty() throws {
    let session = try words(importing: false)
    let error = #expect(throws: RuntimeError.self) { try session.run([try Tensor([Int64(1), 2, 3], shape: [3])]) }
    #expect(error?.code == .invalidInput)
    #expect(error?.description.contains("HASHTABLE_FIND") == true)
  }

  @Test(
    "reject types other than numbers to strings or strings to numbers",
    arguments: [(4, 4), (5, 5), (0, 5), (99, 5)] as [(Int8, Int8)])
  func types(key: Int8, value: Int8) {
    #expect(throws: RuntimeError.self) { try words(keyType: key, valueType: value) }
  }

  @Test("reject nodes that expect another table")
  func otherTable() {
    #expect(throws: RuntimeError.self) { try words(keyType: 5, valueType: 4) }
    #expect(throws: RuntimeError.self) { try words(keys: [1]) }
  }

  @Test("are not variables, and vice versa")
  func variables() throws {
    var reading = TestGraph()
    let table = reading.tensor(.resource, [1])
    reading.add(
      .hashtable, [], [table],
      options: HashtableOptions.with { [$0.tableID(7), $0.keyDataType(.int64), $0.valueDataType(.string)] })
    reading.add(.readVariable, [table], [reading.output(.float32, [2])])
    let first = reading
    #expect(throws: RuntimeError.self) { try first.session() }
    var sizing = TestGraph()
    let variable = sizing.tensor(.resource, [1])
    sizing.add(.varHandle, [], [variable], options: VarHandleOptions.with { [$0.sharedName("v")] })
    sizing.add(.hashtableSize, [variable], [sizing.output(.int64, [])])
    let second = sizing
    #expect(throws: RuntimeError.self) { try second.session() }
  }
}
