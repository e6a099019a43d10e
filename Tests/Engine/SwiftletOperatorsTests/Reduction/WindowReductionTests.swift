import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// A STABLEHLO_REDUCE_WINDOW along two axes.
private struct Windows {
  var kind = BuiltinOperator.stablehloAdd
  var initial: Int32 = 3
  var window: [Int64] = [2, 3]
  var stride: [Int64] = [1, 1]
  var spacing: [Int64] = [1, 1]
  var dilation: [Int64] = [1, 1]
  var padding: [Int64] = [0, 0, 0, 0]

  static let values: [Int32] = (0..<12).map { $0 * 7 % 11 - 4 }

  func compiled() throws -> CompiledModel {
    var body = TestGraph()
    let (left, right) = (body.input(.int32, []), body.input(.int32, []))
    body.add(kind, [left, right], [body.output(.int32, [])])
    var graph = TestGraph()
    let data = graph.input(.int32, [3, 4])
    graph.add(
      .stablehloReduceWindow, [data, graph.constant([initial], shape: [])], [graph.output(.int32, [])],
      options: StableHLOReduceWindowOptions.with {
        [
          $0.windowDimensions(window), $0.windowStrides(stride), $0.baseDilations(spacing),
          $0.windowDilations(dilation), $0.padding(padding), $0.bodySubgraphIndex(1),
        ]
      })
    return try CompiledModel(try graph.model([body]))
  }

  func run() throws -> Tensor { try Session(compiled()).run([try Tensor(Self.values, shape: [3, 4])])[0] }

  /// Returns the expected result, computed tap by tap.
  func expected() -> [Int32] {
    func combine(_ left: Int32, _ right: Int32) -> Int32 {
      switch kind {
      case .stablehloAdd: left &+ right
      case .stablehloMultiply: left &* right
      default: max(left, right)
      }
    }
    func count(_ axis: Int) -> Int {
      let size = ([3, 4][axis] - 1) * Int(spacing[axis]) + 1 + Int(padding[2 * axis] + padding[2 * axis + 1])
      let reach = Int((window[axis] - 1) * dilation[axis])
      return reach >= size ? 0 : (size - 1 - reach) / Int(stride[axis]) + 1
    }
    /// Returns the element under a tap, or `nil` if there is none.
    func element(_ axis: Int, _ position: Int, _ tap: Int) -> Int? {
      let place = position * Int(stride[axis]) - Int(padding[2 * axis]) + tap * Int(dilation[axis])
      guard place >= 0, place % Int(spacing[axis]) == 0, place / Int(spacing[axis]) < [3, 4][axis] else { return nil }
      return place / Int(spacing[axis])
    }
    var results: [Int32] = []
    for row in 0..<count(0) {
      for column in 0..<count(1) {
        var result = initial
        for down in 0..<Int(window[0]) {
          for across in 0..<Int(window[1]) {
            let value = element(0, row, down).flatMap { y in element(1, column, across).map { Self.values[4 * y + $0] }
            }
            result = combine(result, value ?? initial)
          }
        }
        results.append(result)
      }
    }
    return results
  }
}

@Suite("Windows of padded and spaced tensors")
struct WindowReductionTests {
  @Test("visit every tap once", arguments: [BuiltinOperator.stablehloAdd, .stablehloMultiply, .stablehloMaximum])
  func seeTaps(kind: BuiltinOperator) throws {
    let paddings: [[Int64]] = [[0, 0, 0, 0], [2, 1, 0, 3], [-1, 1, 3, -2]]
    for (spacing, dilation) in [([1, 1], [1, 1]), ([2, 3], [1, 2]), ([1, 4], [2, 6]), ([3, 2], [3, 1])]
      as [([Int64], [Int64])]
    {
      for padding in paddings {
        let windows = Windows(kind: kind, stride: [2, 1], spacing: spacing, dilation: dilation, padding: padding)
        #expect(try windows.run().values() == windows.expected())
      }
    }
  }

  @Test("take no time for padding far larger than the tensor", .timeLimit(.minutes(30)), arguments: [1, 2] as [Int64])
  func passOverPadding(spacing: Int64) throws {
    var windows = Windows(
      initial: 1, window: [1 << 30, 1 << 30], spacing: [spacing, 1], padding: [1 << 29, 1 << 29, 1 << 29, 1 << 29])
    let taps = Int32(truncatingIfNeeded: 1 << 60 - 12)
    let sum = Windows.values.reduce(1 &+ taps, &+)
    let values: [Int32] = try windows.run().values()
    #expect(values.allSatisfy { $0 == sum } && values.count >= 12)
    windows.kind = .stablehloMaximum
    #expect(try windows.run().values(as: Int32.self).allSatisfy { $0 == 6 })
  }

  @Test("report their cost: more for larger windows, but not for padding")
  func sayTheirWork() throws {
    func work(_ windows: Windows) throws -> Double {
      try windows.compiled().program.steps.reduce(0) { $0 + ($1.stage.work ?? 0) }
    }
    let small = try work(Windows(window: [1, 1], padding: [0, 0, 0, 0]))
    #expect(try work(Windows(window: [3, 4], padding: [1, 1, 1, 1])) > small)
    #expect(try work(Windows(window: [1 << 30, 1 << 30], padding: [1 << 29, 1 << 29, 1 << 29, 1 << 29])) < 1e7)
  }
}
