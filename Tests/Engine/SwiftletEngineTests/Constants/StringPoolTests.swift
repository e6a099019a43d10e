import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine

@Suite("String pools")
struct StringPoolTests {
  private func strings(_ pool: StringPool, _ numbers: [UInt64], limit: Int) throws(RuntimeError) -> [String] {
    var found: [[UInt8]] = []
    var failure: RuntimeError?
    numbers.withUnsafeBytes { bytes in
      do throws(RuntimeError) { found = try pool.strings(bytes, limit: limit, of: "input 0") } catch { failure = error }
    }
    if let failure { throw failure }
    return found.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test("give equal strings one ID, and the empty string 0")
  func numbers() throws {
    let pool = StringPool(byteLimit: 1000)
    #expect(try pool.number(of: Array("a".utf8)) == 1)
    #expect(try pool.number(of: []) == 0)
    #expect(try pool.number(of: Array("bc".utf8)) == 2)
    #expect(try pool.number(of: Array("a".utf8)) == 1)
    #expect(pool.string(0) == [] && pool.string(1) == Array("a".utf8) && pool.string(2) == Array("bc".utf8))
    #expect(pool.string(3) == nil && pool.string(.max) == nil)
    #expect(pool.byteCount == 64 + 1 + 64 + 2)
  }

  @Test("keep the IDs of the model's strings, and continue after them")
  func constants() throws {
    let constants = StringPool(byteLimit: 1000)
    _ = try constants.number(of: [1])
    _ = try constants.number(of: [2])
    let pool = StringPool(after: constants, byteLimit: 1000)
    #expect(try pool.number(of: [2]) == 2 && pool.byteCount == 0)
    #expect(try pool.number(of: [3]) == 3 && pool.string(3) == [3] && pool.string(1) == [1])
    #expect(pool.string(4) == nil && constants.string(3) == nil)
    pool.removeAll()
    #expect(pool.string(3) == nil && pool.string(2) == [2] && pool.byteCount == 0)
    #expect(try pool.number(of: [4]) == 3)
    // A pool after that one begins after its strings.
    let third = StringPool(after: pool, byteLimit: 1000)
    #expect(try third.number(of: [5]) == 4)
  }

  @Test("hold strings up to the limit, including 64 bytes of overhead each, and not a byte more", arguments: [0, 1, 6])
  func limit(length: Int) throws {
    let text = [UInt8](repeating: 7, count: length)
    let size = length == 0 ? 0 : length + 64
    let memory = MemoryBudget(limit: 1000)
    let exact = StringPool(byteLimit: size + 67, memory: memory)
    _ = try exact.number(of: [1, 2, 3])
    _ = try exact.number(of: text)
    #expect(exact.byteCount == size + 67 && memory.byteCount == size + 67)
    guard length > 0 else { return }
    let short = StringPool(byteLimit: size + 66, memory: memory)
    _ = try short.number(of: [1, 2, 3])
    let error = #expect(throws: RuntimeError.self) { try short.number(of: text) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "strings take more than the limit of \(size + 66) bytes; raise RuntimeOptions.limits.stringBytes if this is intended"
    )
    #expect(short.byteCount == 67 && memory.byteCount == size + 134)
  }

  @Test("count toward the session's memory until they are removed or the pool is deallocated")
  func memory() throws {
    let memory = MemoryBudget(limit: 140)
    do {
      let pool = StringPool(byteLimit: 1000, memory: memory)
      _ = try pool.number(of: [1, 2])
      _ = try pool.number(of: [3, 4])
      #expect(memory.byteCount == 132)
      let error = #expect(throws: RuntimeError.self) { try pool.number(of: [5]) }
      #expect(error?.message.hasPrefix("strings take 65 more bytes") == true && pool.byteCount == 132)
      #expect(try pool.number(of: [1, 2]) == 1)
      pool.removeAll()
      #expect(memory.byteCount == 0)
      _ = try pool.number(of: [6])
      withExtendedLifetime(pool) { #expect(memory.byteCount == 65) }
    }
    #expect(memory.byteCount == 0)
    #expect(throws: RuntimeError.self) { try StringPool(byteLimit: -5).number(of: [1]) }
  }

  @Test("return a tensor's strings up to a limit, including 8 bytes of overhead each")
  func tensors() throws {
    let pool = StringPool(byteLimit: 1000)
    let ab = try pool.number(of: Array("ab".utf8)), c = try pool.number(of: Array("c".utf8))
    #expect(try strings(pool, [ab, 0, c, ab], limit: 32 + 5) == ["ab", "", "c", "ab"])
    let error = #expect(throws: RuntimeError.self) { try strings(pool, [ab, 0, c, ab], limit: 32 + 4) }
    #expect(error?.code == .limitExceeded)
    #expect(
      error?.message
        == "the strings of input 0 take more than the limit of 36 bytes; raise RuntimeOptions.limits.stringBytes if this is intended"
    )
    #expect(try strings(pool, [0, 0, 0], limit: 24) == ["", "", ""])
    #expect(throws: RuntimeError.self) { try strings(pool, [0, 0, 0], limit: 23) }
    #expect(try strings(pool, [], limit: 0).isEmpty)
    let unknown = #expect(throws: RuntimeError.self) { try strings(pool, [c, 3], limit: 100) }
    #expect(
      unknown?.code == .invalidModel && unknown?.message == "input 0 was computed from a value that is not a string")
  }

  // MARK: Sessions

  /// Returns a session that passes strings on.
  private func session(_ limit: Int) throws -> Session {
    var graph = TestGraph()
    graph.add(
      .tile, [graph.input(.string, [1]), graph.constant([Int32(2)])], [graph.output(.string, [2])],
      options: .fieldless(.tile))
    var options = RuntimeOptions()
    options.limits.stringBytes = limit
    return try graph.session(options: options)
  }

  @Test("a session keeps strings of earlier inputs up to a quarter of the limit, and then only current ones")
  func forgets() throws {
    let session = try session(4 * 1000)
    func set(_ count: Int, _ letter: UInt8) throws {
      try session.setStrings([[UInt8](repeating: letter, count: count)], at: 0)
    }
    try set(600 - 64, 97)
    try set(400 - 64, 98)
    try session.run()
    #expect(session.environment.stringByteCount == 1000)
    #expect(
      try session.strings(ofOutput: 0) == [String(repeating: "b", count: 336), String(repeating: "b", count: 336)])
    try set(65 - 64, 99)
    try session.run()
    #expect(session.environment.stringByteCount == 65)
    #expect(try session.strings(ofOutput: 0) == ["c", "c"])
  }

  @Test("strings are only set in string tensors, with the shape's element count")
  func wrongStrings() throws {
    let session = try session(4000)
    let count = #expect(throws: RuntimeError.self) { try session.setStrings(["a", "b"], at: 0) }
    #expect(count?.code == .invalidArgument && count?.message == "input 0 't0' string[1] got 2 strings")
    let index = #expect(throws: RuntimeError.self) { try session.setStrings(["a"], at: 1) }
    #expect(index?.code == .invalidArgument && index?.message == "there is no input 1; the model has 1")
    let early = #expect(throws: RuntimeError.self) { try session.strings(ofOutput: 1) }
    #expect(early?.message == "there is no output 1; the model has 1")
    let raw = #expect(throws: RuntimeError.self) { try session.withInput(0) { $0.count } }
    #expect(raw?.code == .typeMismatch)
    #expect(raw?.message == "input 0 't0' string[1] contains strings; set them with setStrings(_:at:)")
    try session.run()
    let bytes = #expect(throws: RuntimeError.self) { try session.withOutput(0) { $0.count } }
    #expect(bytes?.message == "output 0 't2' string[2] contains strings; read them with strings(ofOutput:)")
    var numbers = TestGraph()
    numbers.add(.neg, [numbers.input(.float32, [1])], [numbers.output(.float32, [1])])
    let other = try numbers.session()
    let type = #expect(throws: RuntimeError.self) { try other.setStrings(["a"], at: 0) }
    #expect(type?.code == .typeMismatch && type?.message == "input 0 't0' float32[1] does not hold strings")
    try other.run()
    let result = #expect(throws: RuntimeError.self) { try other.strings(ofOutput: 0) }
    #expect(result?.code == .typeMismatch && result?.message == "output 0 't1' float32[1] does not hold strings")
  }

  @Test("strings of constants become IDs of eight bytes each, up to the expansion limit")
  func constantStrings() throws {
    let place = RuntimeError.Location(subgraph: 0, tensor: "w")
    func numbered(_ count: Int, budget: Int, pool: StringPool = StringPool(byteLimit: 1000)) throws -> ([UInt64], Int) {
      var left = budget
      let region = try PackedConstants.numbered(
        ByteRegion(try Tensor.payload([[7], [8, 9]])),
        spec: TensorSpec(name: "w", elementType: .string, shape: [count]),
        pool: pool, limits: RuntimeOptions.Limits(), budget: &left, location: place)
      return ((0..<region.count / 8).compactMap { region.integer(UInt64.self, at: 8 * $0) }, left)
    }
    let found = try numbered(2, budget: 16)
    #expect(found.0 == [1, 2] && found.1 == 0)
    let budget: RuntimeError? = thrownError { try numbered(2, budget: 15) }
    #expect(budget?.code == .limitExceeded && budget?.location == place)
    #expect(budget?.message.hasPrefix("'w' string[2]: the expanded constants exceed the limit") == true)
    let count: RuntimeError? = thrownError { try numbered(3, budget: 100) }
    #expect(count?.code == .invalidModel && count?.message == "'w' string[3]: 2 strings are stored for a tensor of 3")
    let pool: RuntimeError? = thrownError { try numbered(2, budget: 16, pool: StringPool(byteLimit: 130)) }
    #expect(pool?.code == .limitExceeded)
    #expect(try numbered(2, budget: 16, pool: StringPool(byteLimit: 131)).0 == [1, 2])
  }
}
