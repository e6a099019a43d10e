import SwiftletBase
import SwiftletKernels
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks that 16-bit weights are converted to float32 when they are packed, and that other readers see the converted
/// values too.
@Suite("Constants converted on first read")
struct WidenedConstantsTests {
  private static let rows = 64, depth = 512
  /// The bit patterns of numbers of both signs between 1 and 2.
  private static let halves: [UInt16] = (0..<(rows * depth)).map {
    0x3C00 | UInt16(truncatingIfNeeded: $0 &* 37) & 0x3FF | ($0 % 3 == 0 ? 0x8000 : 0)
  }
  private static let floats: [Float] = halves.map {
    Float(bitPattern: UInt32($0 & 0x8000) << 16 | 127 << 23 | UInt32($0 & 0x3FF) << 13)
  }

  /// Adds the weights, as stored or converted by the test.
  private func addWeights(_ graph: inout TestGraph, areWide: Bool) throws -> Int {
    let shape: Shape = [Self.rows, Self.depth]
    guard !areWide else { return graph.constant(try Tensor(Self.floats, shape: shape)) }
    let bytes = Self.halves.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    let weights = graph.tensor(.float32, shape.dimensions)
    graph.add(.dequantize, [graph.constant(try Tensor(elementType: .float16, shape: shape, bytes: bytes))], [weights])
    return weights
  }

  private func addProduct(_ graph: inout TestGraph, _ input: Int, _ weights: Int, to result: Int) {
    graph.add(.fullyConnected, [input, weights, -1], [result], options: FullyConnectedOptions.empty)
  }

  private func input(_ shape: Shape) throws -> Tensor {
    try Tensor((0..<shape.elementCount).map { Float($0 % 11) - 5 }, shape: shape)
  }

  private func product(areWide: Bool, rows: Int = 3) throws -> TestGraph {
    var graph = TestGraph()
    let data = graph.input(.float32, [rows, Self.depth])
    let weights = try addWeights(&graph, areWide: areWide)
    addProduct(&graph, data, weights, to: graph.output(.float32, [rows, Self.rows]))
    return graph
  }

  /// Returns the constants of a session's program that were never read in place.
  private func unread(_ session: Session) -> Int {
    session.model.program.locations.count {
      if case .constant(let region) = $0 { region.deferred != nil } else { false }
    }
  }

  @Test(
    "products equal those of converted weights; only packed weights take memory", arguments: [1, 3], Numerics.allCases)
  func packs(threads: Int, numerics: Numerics) throws {
    let options = RuntimeOptions(threads: threads, numerics: numerics)
    let expected = try product(areWide: true).session(options: options).run([input([3, Self.depth])])
    let session = try product(areWide: false).session(options: options)
    #expect(unread(session) == 1)
    #expect(try session.run([input([3, Self.depth])]) == expected)
    try session.resizeInputs(to: [[7, Self.depth]])
    let wide = try product(areWide: true).session(options: options)
    try wide.resizeInputs(to: [[7, Self.depth]])
    #expect(try session.run([input([7, Self.depth])]) == wide.run([input([7, Self.depth])]))
  }

  @Test(
    "the product of one row keeps 16-bit weights if the CPU expands them, with the same results", arguments: [1, 3],
    Numerics.allCases)
  func oneRow(threads: Int, numerics: Numerics) throws {
    let options = RuntimeOptions(threads: threads, numerics: numerics)
    let wide = try product(areWide: true, rows: 1).session(options: options)
    let session = try product(areWide: false, rows: 1).session(options: options)
    #expect(try session.run([input([1, Self.depth])]) == wide.run([input([1, Self.depth])]))
    let isNarrow = numerics == .fast && KernelTable.current.gemm.takesFloat16
    let byteCount = session.model.packedConstantsByteCount, most = wide.model.packedConstantsByteCount
    #expect(isNarrow ? byteCount < most * 3 / 5 : byteCount == most)
    // Several rows take the weights in another form.
    try session.resizeInputs(to: [[2, Self.depth]])
    try wide.resizeInputs(to: [[2, Self.depth]])
    #expect(try session.run([input([2, Self.depth])]) == wide.run([input([2, Self.depth])]))
  }

  @Test("checked mode gives the same results")
  func checked() throws {
    let expected = try product(areWide: true).session().run([input([3, Self.depth])])
    let session = try product(areWide: false).session(options: RuntimeOptions(isChecked: true))
    #expect(try session.run([input([3, Self.depth])]) == expected)
  }

  @Test("a product, a sum, and the caller get the same weights")
  func reads() throws {
    func run(areWide: Bool) throws -> [Tensor] {
      var graph = TestGraph()
      let data = graph.input(.float32, [3, Self.depth]), other = graph.input(.float32, [Self.rows, Self.depth])
      let weights = try addWeights(&graph, areWide: areWide)
      addProduct(&graph, data, weights, to: graph.output(.float32, [3, Self.rows]))
      graph.add(.add, [weights, other], [graph.output(.float32, [Self.rows, Self.depth])], options: AddOptions.empty)
      return try graph.session().run([input([3, Self.depth]), input([Self.rows, Self.depth])])
    }
    #expect(try run(areWide: false) == run(areWide: true))
  }

  @Test("a constant that is a result, or that another one is computed from, has its values")
  func computes() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [3, Self.rows])
    let weights = graph.output(.float32, [Self.rows, Self.depth])
    let bytes = Self.halves.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
    graph.add(
      .dequantize,
      [graph.constant(try Tensor(elementType: .float16, shape: [Self.rows, Self.depth], bytes: bytes))], [weights])
    let turned = graph.tensor(.float32, [Self.depth, Self.rows])
    graph.add(.transpose, [weights, graph.constant([Int32(1), 0])], [turned])
    addProduct(&graph, data, turned, to: graph.output(.float32, [3, Self.depth]))
    let results = try graph.session().run([input([3, Self.rows])])
    #expect(try results[0] == Tensor(Self.floats, shape: [Self.rows, Self.depth]))
    let values: [Float] = try input([3, Self.rows]).values()
    let first = (0..<Self.rows).reduce(Float(0)) { $0 + values[$1] * Self.floats[$1 * Self.depth] }
    let found: [Float] = try results[1].values()
    #expect(abs(found[0] - first) < 1e-2)
  }

  @Test("compilation during the run finds them, for value-dependent shapes")
  func waits() throws {
    func run(areWide: Bool) throws -> [Tensor] {
      var graph = TestGraph()
      let data = graph.input(.float32, [3 * Self.depth]), shape = graph.input(.int32, [2])
      let weights = try addWeights(&graph, areWide: areWide)
      let rows = graph.tensor(.float32, [1, Self.depth])
      graph.add(.reshape, [data, shape], [rows])
      addProduct(&graph, rows, weights, to: graph.output(.float32, [1, Self.rows]))
      return try graph.session().run([
        input([3 * Self.depth]), Tensor([Int32(3), Int32(Self.depth)], shape: [2]),
      ])
    }
    #expect(try run(areWide: false) == run(areWide: true))
  }
}
