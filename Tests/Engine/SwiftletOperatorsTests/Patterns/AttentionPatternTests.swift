import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// Attention as the operators that converters write.
private struct AttentionGraph: Sendable, CustomTestStringConvertible {
  /// The leading dimensions, as Q, K, and V have them, and as the scores have them between.
  var leading = [3]
  /// Whether K and V have no leading dimensions, and the scores are reshaped to have none.
  var dropsLeading = false
  var reshaped: [Int]?
  var rows = 5
  var depth = 4
  var scores = 7
  var columns = 6
  var keysAreTransposed = false
  var valuesAreTransposed = false
  var scale: Float?
  var divides = false
  /// The shape of the mask.
  var mask: [Int]?
  var isSwapped = false
  var beta: Float = 1
  /// What keeps the graph from being attention.
  var miss = Miss.none

  enum Miss: CaseIterable {
    case none, transposedQueries, clampedMask, scoresAreRead, sharesAreRead, vectorScale, constantKeys, constantValues
    case differentRows, broadcastValues, broadcastKeys, columnMask, widerMask, dividedNumber
  }

  var testDescription: String {
    "\(leading) \(rows)×\(depth)×\(scores)×\(columns) \(reshaped ?? []) \(scale ?? 1) \(mask ?? []) \(miss)"
  }

  private func shaped(_ graph: inout TestGraph, _ value: Int, _ shape: [Int]) -> Int {
    let result = graph.tensor(.float32, shape)
    graph.add(.reshape, [value, graph.constant(shape.map { Int32($0) })], [result])
    return result
  }

  private static func numbers(_ count: Int, seed: UInt64) -> [Float] {
    var random = SplitMix64(state: seed)
    return random.floats(count, in: -2...2)
  }

  /// Returns the graph, and its inputs.
  func graph() throws -> (TestGraph, [Tensor]) {
    var graph = TestGraph()
    var inputs: [Tensor] = []
    func add(_ shape: [Int], isConstant: Bool = false) throws -> Int {
      let values = Self.numbers(shape.reduce(1, *), seed: UInt64(inputs.count + 1))
      if isConstant { return graph.constant(values, shape: shape) }
      inputs.append(try Tensor(values, shape: Shape(shape)))
      return graph.input(.float32, shape)
    }
    func product(
      _ left: Int, _ right: Int, _ shape: [Int], left swapsLeft: Bool = false, right swapsRight: Bool
    ) -> Int {
      let result = graph.tensor(.float32, shape)
      graph.add(
        .batchMatMul, [left, right], [result],
        options: BatchMatMulOptions.with { [$0.adjointX(swapsLeft), $0.adjointY(swapsRight)] })
      return result
    }
    let swapsQueries = miss == .transposedQueries
    let queries = try add(leading + (swapsQueries ? [depth, rows] : [rows, depth]))
    let keyLeading = dropsLeading ? [] : miss == .broadcastKeys ? leading.map { _ in 1 } : leading
    let keys = try add(
      keyLeading + (keysAreTransposed ? [scores, depth] : [depth, scores]), isConstant: miss == .constantKeys)
    let valueLeading = dropsLeading ? [] : miss == .broadcastValues ? leading.map { _ in 1 } : leading
    let values = try add(
      valueLeading + (valuesAreTransposed ? [columns, scores] : [scores, columns]), isConstant: miss == .constantValues)
    var value = product(queries, keys, leading + [rows, scores], left: swapsQueries, right: keysAreTransposed)
    if miss == .scoresAreRead { graph.addOutput(value) }
    if let scale {
      let factor =
        miss == .vectorScale
        ? graph.constant((0..<scores).map { Float($0) }, shape: [scores]) : graph.constant([scale], shape: [])
      let result = graph.tensor(.float32, leading + [rows, scores])
      let isReversed = isSwapped && (!divides || miss == .dividedNumber)
      graph.add(divides ? .div : .mul, isReversed ? [factor, value] : [value, factor], [result])
      value = result
    }
    var shape = leading + [rows, scores]
    if miss == .differentRows {
      shape = leading + [rows * scores / 5, 5]
      value = shaped(&graph, value, shape)
    } else if let reshaped {
      shape = reshaped + [rows, scores]
      value = shaped(&graph, value, shape)
    }
    if let mask {
      let term = try add(mask)
      let result = graph.tensor(.float32, miss == .widerMask ? [2] + shape : shape)
      graph.add(
        .add, isSwapped ? [term, value] : [value, term], [result],
        options: AddOptions.with { [$0.fusedActivation(code: miss == .clampedMask ? 1 : 0)] })
      value = result
    }
    if miss == .widerMask { shape = [2] + shape }
    let shares = graph.tensor(.float32, shape)
    graph.add(.softmax, [value], [shares], options: SoftmaxOptions.with { [$0.beta(beta)] })
    value = shares
    if miss == .sharesAreRead { graph.addOutput(value) }
    let isReshaped = shape != leading + [rows, scores] && miss != .widerMask
    if isReshaped { value = shaped(&graph, value, leading + [rows, scores]) }
    let result = product(
      value, values, (miss == .widerMask ? [2] : []) + leading + [rows, columns], right: valuesAreTransposed)
    graph.addOutput(result)
    return (graph, inputs)
  }

  /// Returns the results and the names of the nodes.
  func run(_ options: RuntimeOptions = RuntimeOptions()) throws -> (values: [[UInt8]], names: [String]) {
    let (graph, inputs) = try graph()
    let compiled = try CompiledModel(try graph.model(), options: options)
    return (try Session(compiled).run(inputs).map(\.bytes), compiled.operatorNames)
  }

  func apart() throws -> (values: [[UInt8]], names: [String]) {
    var options = RuntimeOptions()
    options.runsPasses = false
    return try run(options)
  }

  static func with(_ change: (inout AttentionGraph) -> Void) -> AttentionGraph {
    var graph = AttentionGraph()
    change(&graph)
    return graph
  }

  /// All combinations of parts.
  static let spellings: [AttentionGraph] = {
    let masks: [[Int]?] = [nil, [7], [5, 7], [1, 7], [2, 1, 1, 7], [1, 3, 5, 7], [2, 3, 5, 7], [2, 1, 5, 7]]
    var graphs: [AttentionGraph] = []
    for mask in masks {
      for place in 0..<16 {
        graphs.append(
          .with {
            $0.leading = place & 1 == 0 ? [2, 3] : [6]
            $0.reshaped = place & 1 == 0 ? nil : [2, 3]
            $0.keysAreTransposed = place & 2 == 0
            $0.valuesAreTransposed = place & 4 == 0
            $0.scale = place & 8 == 0 ? nil : 0.37
            $0.divides = place & 12 == 12
            $0.isSwapped = place & 3 == 1
            $0.mask = mask
          })
      }
    }
    return graphs
  }()

  static let misses: [AttentionGraph] = Miss.allCases.compactMap { miss in
    guard miss != .none else { return nil }
    return .with {
      $0.miss = miss
      $0.scale = 0.5
      $0.mask = miss == .columnMask ? [5, 1] : miss == .widerMask ? [2, 1, 1, 7] : [7]
      if miss == .differentRows { $0.mask = nil }
      ($0.divides, $0.isSwapped) = (miss == .dividedNumber, miss == .dividedNumber)
    }
  }
}

@Suite("Attention as several operators")
struct AttentionPatternTests {
  @Test("each spelling gives each bit of the separate operators", arguments: AttentionGraph.spellings)
  fileprivate func spelling(_ graph: AttentionGraph) throws {
    let fused = try graph.run(), apart = try graph.apart()
    #expect(fused.names == ["Attention"])
    #expect(apart.names.count >= 3 && !apart.names.contains("Attention"))
    #expect(fused.values == apart.values)
    #expect(try graph.run(RuntimeOptions(numerics: .bitExact)).names.count >= 3)
  }

  @Test(
    "many rows, in several blocks on one thread and three",
    arguments: [
      .with {
        ($0.leading, $0.rows, $0.depth, $0.scores, $0.columns) = ([2, 2], 335, 20, 335, 20)
        $0.mask = [2, 1, 1, 335]
      },
      .with {
        ($0.leading, $0.rows, $0.scores) = ([1], 70, 3000)
        $0.mask = [70, 3000]
      },
      .with { ($0.leading, $0.rows, $0.scores) = ([2], 1, 40000) },
      .with { ($0.leading, $0.rows, $0.depth, $0.scores, $0.columns) = ([5], 600, 1, 1, 1) },
      .with { ($0.leading, $0.rows) = ([], 13) },
    ] as [AttentionGraph])
  fileprivate func sizes(_ graph: AttentionGraph) throws {
    let apart = try graph.apart()
    for threads in [1, 3] {
      let fused = try graph.run(RuntimeOptions(threads: threads))
      #expect(fused.names == ["Attention"])
      #expect(fused.values == apart.values, "\(threads) threads")
    }
  }

  @Test("a single matrix with other numbers of leading dimensions", arguments: [nil, [], [1, 1, 1]] as [[Int]?])
  func single(_ reshaped: [Int]?) throws {
    let graph = AttentionGraph.with {
      $0.leading = [1, 1]
      $0.dropsLeading = true
      $0.reshaped = reshaped
      $0.mask = [5, 7]
    }
    let fused = try graph.run()
    #expect(fused.names == ["Attention"])
    #expect(try fused.values == graph.apart().values)
  }

  @Test("the factor of SOFTMAX, and checked mode")
  func checked() throws {
    let graph = AttentionGraph.with {
      $0.beta = 0.5
      $0.scale = 2
      $0.mask = [3, 1, 7]
    }
    let apart = try graph.apart()
    for turn in 0..<2 {
      var options = RuntimeOptions(threads: 1 + turn, isChecked: true)
      options.checkedTurn = turn
      #expect(try graph.run(options).values == apart.values)
    }
  }

  @Test("graphs that are almost attention stay apart", arguments: AttentionGraph.misses)
  fileprivate func misses(_ graph: AttentionGraph) throws {
    let result = try graph.run(), apart = try graph.apart()
    #expect(!result.names.contains("Attention"))
    #expect(result.values == apart.values)
  }

  @Test("empty dimensions are left alone", arguments: [[0], [2]])
  func empty(_ leading: [Int]) throws {
    let graph = AttentionGraph.with {
      $0.leading = leading
      if leading == [2] { $0.rows = 0 }
    }
    #expect(try graph.run().values == graph.apart().values)
  }
}
