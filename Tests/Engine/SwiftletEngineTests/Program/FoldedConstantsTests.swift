import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

/// Checks that repeated compilation leaves nothing behind.
@Suite("Constants folded at load")
struct FoldedConstantsTests {
  private static let convolution: WrittenOptions = Conv2DOptions.with {
    [$0.padding(.same), $0.strideWidth(1), $0.strideHeight(1)]
  }

  /// Adds a convolution of two channels with float16 weights: `value` must have rank 4.
  private func addConvolution(_ graph: inout TestGraph, _ value: Int, filters: Int = 6, to result: Int) throws {
    let halves: [UInt8] = (0..<(filters * 3 * 3 * 2)).flatMap { [UInt8($0), 0x3c] as [UInt8] }
    let shape: Shape = [filters, 3, 3, 2]
    let weights = graph.tensor(.float32, shape.dimensions)
    graph.add(.dequantize, [graph.constant(try Tensor(elementType: .float16, shape: shape, bytes: halves))], [weights])
    let bias = graph.constant([Float](repeating: 1, count: filters))
    graph.add(.conv2D, [value, weights, bias], [result], options: Self.convolution)
  }

  /// Returns a graph that adds a folded constant of the input's shape, and convolves.
  private func convolving() throws -> TestGraph {
    var graph = TestGraph()
    let input = graph.input(.float32, [1, 4, 4, 2])
    let shape = graph.tensor(.int32, [4])
    graph.add(.shape, [input], [shape], options: ShapeOptions.with { [$0.outputType(.int32)] })
    let filled = graph.tensor(.float32, [1, 4, 4, 2])
    graph.add(.fill, [shape, graph.constant([Float(0.5)], shape: [])], [filled])
    let sum = graph.tensor(.float32, [1, 4, 4, 2])
    graph.add(.add, [input, filled], [sum], options: AddOptions.empty)
    try addConvolution(&graph, sum, to: graph.output(.float32, [1, 4, 4, 6]))
    return graph
  }

  /// The memory that can grow.
  private struct Memory: Equatable {
    var packed: Int
    var folded: Int
    var entries: Int
    var session: Int

    init(_ session: Session) {
      packed = session.model.packedConstantsByteCount
      folded = session.model.packed.foldedByteCount
      entries = session.model.packed.entryCount
      self.session = session.memoryByteCount
    }
  }

  private func input(_ shape: Shape) throws -> Tensor {
    try Tensor((0..<shape.elementCount).map { Float($0 % 7) }, shape: shape)
  }

  @Test("10,000 resizes between three shapes leak nothing, and results stay the same")
  func resizes() throws {
    let session = try convolving().session()
    let shapes: [Shape] = [[1, 4, 4, 2], [1, 6, 5, 2], [1, 3, 8, 2]]
    let expected = try shapes.map { try convolving().session().run([input($0)]) }
    for shape in shapes + shapes { try session.resizeInputs(to: [shape]) }
    let memory = Memory(session)
    for round in 0..<2000 {
      try session.resizeInputs(to: [shapes[round % 3]])
      if round % 200 < 3 { #expect(try session.run([input(shapes[round % 3])]) == expected[round % 3]) }
      if round % 3 == 2 { try #require(Memory(session) == memory, "resize \(round)") }
    }
    #expect(memory.packed > 0)
    #expect(memory.folded > 0)
  }

  @Test("constants of shapes that don't recur are released")
  func forgetsShapes() throws {
    let session = try convolving().session()
    try session.resizeInputs(to: [[1, 64, 64, 2]])
    var largest = 0
    for height in stride(from: 3, to: 1000, by: 5) {
      try session.resizeInputs(to: [[1, height, 100, 2]])
      largest = max(largest, session.model.packed.foldedByteCount)
    }
    // A shape and the filled tensor have up to 800,000 bytes each, or 80 million in total.
    #expect(largest < 8_000_000)
    #expect(session.model.packed.entryCount < 200)
  }

  @Test("a model computes constants once for all sessions, and the last session releases its own")
  func shares() throws {
    let compiled = try CompiledModel(try convolving().model())
    let folded = compiled.packed.foldedByteCount, packed = compiled.packedConstantsByteCount
    let sessions = try (0..<3).map { _ in try Session(compiled) }
    for session in sessions { try session.resizeInputs(to: [[1, 9, 9, 2]]) }
    #expect(compiled.packed.foldedByteCount == folded + 16 + 9 * 9 * 2 * 4)
    #expect(compiled.packedConstantsByteCount == packed)
  }

  @Test("a shape that follows from folded constants is known before a run", arguments: [false, true])
  func shapes(isChecked: Bool) throws {
    var graph = TestGraph()
    let input = graph.input(.float32, [12])
    // It isn't read as a shape, so it is computed when the program needs it.
    let halves = try Tensor(
      elementType: .float16, shape: [12], bytes: (0..<12).flatMap { [UInt8($0), 0x3c] as [UInt8] })
    let widened = graph.tensor(.float32, [12])
    graph.add(.dequantize, [graph.constant(halves)], [widened])
    let sum = graph.tensor(.float32, [12])
    graph.add(.add, [input, widened], [sum], options: AddOptions.empty)
    let (first, second) = (graph.tensor(.int32, [2]), graph.tensor(.int32, [2]))
    graph.add(
      .add, [graph.constant([Int32(1), 1]), graph.constant([Int32(1), 2])], [first], options: AddOptions.empty)
    graph.add(.add, [first, graph.constant([Int32(1), 1])], [second], options: AddOptions.empty)
    graph.add(.reshape, [sum, second], [graph.output(.float32, [1, 1])])
    var options = RuntimeOptions()
    options.isChecked = isChecked
    let compiled = try CompiledModel(try graph.model(), options: options)
    #expect(compiled.outputs.map(\.shape) == [[3, 4]])
    #expect(compiled.program.isComplete)
    // 48 bytes of converted values, and twice two elements of a shape. In checked mode, constants are not shared.
    #expect(compiled.packed.foldedByteCount == (isChecked ? 0 : 64))
    let output = try Session(compiled).run([try Tensor([Float](repeating: 0, count: 12), shape: [12])])[0]
    let expected = (0..<12).map { 1 + Float($0) / 1024 }
    #expect(try output == Tensor(expected, shape: [3, 4]))
  }

  @Test("runs that compile value-dependent code leak nothing")
  func recompiles() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [72])
    let shape = graph.input(.int32, [4])
    let image = graph.tensor(.float32, [1, 1, 1, 2])
    graph.add(.reshape, [data, shape], [image])
    try addConvolution(&graph, image, to: graph.output(.float32, [1, 1, 1, 6]))
    let session = try graph.session()
    let shapes: [[Int32]] = [[1, 6, 6, 2], [1, 4, 9, 2], [4, 3, 3, 2]]
    func run(_ shape: [Int32]) throws -> Tensor { try session.run([input([72]), Tensor(shape, shape: [4])])[0] }
    let expected = try (shapes + shapes).map(run)
    let memory = Memory(session)
    for round in 0..<1000 {
      #expect(try run(shapes[round % 3]) == expected[round % 3])
      if round % 3 == 2 { try #require(Memory(session) == memory, "run \(round)") }
    }
  }

  @Test("loops whose values change shape in every iteration leak nothing")
  func loops() throws {
    var condition = TestGraph()
    let count = condition.input(.int32, [1])
    _ = condition.input(.float32, [1, 3, 3, 2])
    condition.add(.less, [count, condition.constant([Int32(40)])], [condition.output(.bool, [1])])
    var body = TestGraph()
    let before = body.input(.int32, [1]), value = body.input(.float32, [1, 3, 3, 2])
    body.add(.add, [before, body.constant([Int32(1)])], [body.output(.int32, [1])])
    let row = body.tensor(.float32, [1, 1, 3, 2])
    let zeros = try Tensor(elementType: .float16, shape: [1, 1, 3, 2], bytes: [UInt8](repeating: 0, count: 12))
    body.add(.dequantize, [body.constant(zeros)], [row])
    let grown = body.tensor(.float32, [1, 4, 3, 2])
    body.add(.concatenation, [value, row], [grown], options: ConcatenationOptions.with { [$0.axis(1)] })
    try addConvolution(&body, grown, filters: 2, to: body.output(.float32, [1, 4, 3, 2]))
    var graph = TestGraph()
    let inputs = [graph.input(.int32, [1]), graph.input(.float32, [1, 3, 3, 2])]
    let results = [graph.output(.int32, [1]), graph.output(.float32, [1, 3, 3, 2])]
    graph.add(
      .whileLoop, inputs, results,
      options: WhileOptions.with { [$0.conditionSubgraphIndex(1), $0.bodySubgraphIndex(2)] })
    let session = try graph.session([condition, body])
    func run() throws -> [Tensor] { try session.run([Tensor([Int32(0)], shape: [1]), input([1, 3, 3, 2])]) }
    #expect(try run()[1].shape == [1, 43, 3, 2])
    _ = try run()
    let memory = Memory(session)
    for _ in 0..<50 {
      _ = try run()
      try #require(Memory(session) == memory)
    }
  }

  @Test("an inlined subgraph is folded separately for each call")
  func tellsPlacesApart() throws {
    // The same bytes with two scales; the subgraph passes them to its callers.
    var called = TestGraph()
    let codes = called.input(.int8, [2])
    called.add(.dequantize, [codes], [called.output(.float32, [2])], version: 2)
    var graph = TestGraph()
    for scale in [Float(1), 0.5] {
      let constant = graph.constant([Int8(4), 6], scale: scale)
      graph.add(
        .stablehloComposite, [constant], [graph.output(.float32, [2])],
        options: StableHLOCompositeOptions.with { [$0.name("my.sub"), $0.decompositionSubgraphIndex(1)] })
    }
    let results = try graph.session([called]).run([])
    #expect(try results.map { try $0.values() as [Float] } == [[4, 6], [2, 3]])
  }
}
