import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

@Suite("Rejections of StableHLO operators")
struct StableHLORefusalTests {
  private static func gather(
    _ operand: [Int] = [4, 5, 6], _ indices: [Int] = [3, 2], offset: [Int] = [1, 2], collapsed: [Int] = [0],
    map: [Int] = [0, 1], vector: Int = 1, sizes: [Int] = [1, 2, 3]
  ) -> Probe {
    Probe(
      .stablehloGather, [.floats(operand), .of(.int32, indices)], [.floats()],
      StableHLOGatherOptions.with {
        [
          $0.offsetDimensions(offset), $0.collapsedSliceDimensions(collapsed), $0.startIndexMap(map),
          $0.indexVectorDimension(vector), $0.sliceSizes(sizes),
        ]
      })
  }

  private static let gathers: [Refusal] = [
    Refusal("do not contain vectors of 2 numbers along axis 1", gather([4, 5, 6], [3, 3]), but: gather()),
    Refusal("along axis -1", gather(vector: -1)),
    Refusal("along axis 3", gather(vector: 3)),
    Refusal(
      "do not contain vectors of 2 numbers along axis 2", gather(vector: 2),
      but: gather(offset: [2, 3], map: [1], vector: 2)),
    Refusal(
      "do not contain vectors of 2 numbers along axis 0", gather(vector: 0), but: gather([4, 5, 6], [2, 3], vector: 0)),
    Refusal("slices of [1, 2] are inconsistent", gather(sizes: [1, 2])),
    Refusal("slices of [1, 6, 3] are inconsistent", gather(sizes: [1, 6, 3]), but: gather(sizes: [1, 5, 6])),
    Refusal("slices of [1, -1, 3] are inconsistent", gather(sizes: [1, -1, 3]), but: gather(sizes: [1, 0, 3])),
    Refusal("its axes do not fit", gather(offset: [1])),
    Refusal("its axes do not fit", gather(offset: [1, 1])),
    Refusal("its axes do not fit", gather(offset: [1, 3]), but: gather(offset: [0, 1])),
    Refusal("its axes do not fit", gather(offset: [-1, 1])),
    Refusal("its axes do not fit", gather(collapsed: [3])),
    Refusal("its axes do not fit", gather(offset: [1], collapsed: [0, 0])),
    Refusal("its axes do not fit", gather(map: [0, 3])),
    Refusal("its axes do not fit", gather(map: [1, 1])),
    Refusal("collapsed axes must have slices of 1", gather(sizes: [2, 2, 3])),
    Refusal("collapsed axes must have slices of 1", gather(sizes: [0, 2, 3])),
  ]

  private static func reducer(_ kinds: [BuiltinOperator], type: ElementType = .float32) -> TestGraph {
    var graph = TestGraph()
    let (left, right) = (graph.input(type, []), graph.input(type, []))
    var result = right
    for kind in kinds {
      result = graph.tensor(type, [])
      graph.add(kind, [left, right], [result])
    }
    graph.addOutput(result)
    return graph
  }

  private static func scatter(
    _ input: [Int] = [4, 5], _ indices: [Int] = [3, 1], _ updates: [Int] = [3, 5], windows: [Int] = [1],
    inserted: [Int] = [0], map: [Int] = [0], vector: Int = 1, by kinds: [BuiltinOperator] = [.add]
  ) -> Probe {
    Probe(
      .stablehloScatter, [.floats(input), .of(.int32, indices), .floats(updates)], [.floats()],
      StableHLOScatterOptions.with {
        [
          $0.updateWindowDimensions(windows), $0.insertedWindowDimensions(inserted),
          $0.scatterDimensionsToOperandDimensions(map), $0.indexVectorDimension(vector),
          $0.updateComputationSubgraphIndex(1),
        ]
      }, others: [reducer(kinds)])
  }

  private static let scatters: [Refusal] = [
    Refusal("do not contain vectors of 1 numbers along axis 1", scatter([4, 5], [3, 2]), but: scatter()),
    Refusal("its axes do not fit", scatter(windows: [])),
    Refusal("its axes do not fit", scatter(windows: [2])),
    Refusal("its axes do not fit", scatter(windows: [0, 1])),
    Refusal("its axes do not fit", scatter(inserted: [2])),
    Refusal("its axes do not fit", scatter(map: [2]), but: scatter(map: [1])),
    Refusal("its axes do not fit", scatter([4, 5], [3, 1], [3, 5, 1])),
    Refusal(
      "axis 0 of updates 't2' float32[2×5] must be as long as that of indices", scatter([4, 5], [3, 1], [2, 5])),
    Refusal(
      "axis 1 of updates 't2' float32[5×2] must be as long", scatter([4, 5], [3, 1], [5, 2], windows: [0]),
      but: scatter([4, 5], [3, 1], [5, 3], windows: [0])),
    Refusal("cannot combine updates by DIV", scatter(by: [.div]), but: scatter(by: [.stablehloMinimum])),
    Refusal("by the 2 operators of subgraph 1, but it supports only one", scatter(by: [.add, .add])),
  ]

  private static func choice(_ shape: [Int]) -> Probe {
    var branch = TestGraph()
    let input = branch.input(.float32, [])
    branch.add(.abs, [input], [branch.output(.float32, [])])
    return Probe(
      .stablehloCase, [.of(.int32, shape), .floats()], [.floats()],
      StableHLOCaseOptions.with { [$0.branchSubgraphIndices([1])] }, others: [branch])
  }

  @Test("a selection by more than one number")
  func refusesChoice() {
    Refusal("takes one number to choose by", Self.choice([2]), but: Self.choice([1])).check()
    Refusal("takes one number to choose by", Self.choice([0]), but: Self.choice([])).check()
  }

  private static func window(
    _ windows: [Int] = [2, 2], strides: [Int] = [], spacings: [Int] = [], dilations: [Int] = [], paddings: [Int] = [],
    input: [Int] = [4, 5], initial: [Int] = [], by kinds: [BuiltinOperator] = [.add]
  ) -> Probe {
    Probe(
      .stablehloReduceWindow, [.floats(input), .floats(initial)], [.floats()],
      StableHLOReduceWindowOptions.with {
        [
          $0.windowDimensions(windows), $0.windowStrides(strides), $0.baseDilations(spacings),
          $0.windowDilations(dilations), $0.padding(paddings), $0.bodySubgraphIndex(1),
        ]
      }, others: [reducer(kinds)])
  }

  private static let many = "must have the same count, and strides and dilations must be positive"
  private static let windows: [Refusal] = [
    Refusal(many, window(strides: [1]), but: window(strides: [1, 1])),
    Refusal(many, window(spacings: [1])),
    Refusal(many, window(spacings: [0, 1]), but: window(spacings: [1, 2])),
    Refusal(many, window(dilations: [1, 1, 1])),
    Refusal(many, window(paddings: [0, 0]), but: window(paddings: [0, 0, 1, 1])),
    Refusal("stride 0", window(strides: [0, 1])),
    Refusal("window 0", window([2, 0])),
    Refusal("dilation 0", window(dilations: [1, 0])),
    Refusal("cannot reduce windows by DIV", window(by: [.div]), but: window(by: [.stablehloMaximum])),
    Refusal("cannot reduce windows by a subgraph without operators", window(by: [])),
    Refusal("has windows of 2 axes, input 't0' float32[4] has 1", window(input: [4]), but: window([2], input: [4])),
    Refusal("must contain one element", window(initial: [2]), but: window(initial: [1, 1])),
    Refusal(
      "cropping leaves nothing of axis 1", window(paddings: [0, 0, -3, -2]), but: window(paddings: [0, 0, -2, -2])),
    Refusal(
      "takes windows of at most 8 axes whose size fits an integer",
      window([1 << 32, 1 << 31], paddings: [1 << 32, 0, 1 << 31, 0], input: [1, 1]),
      but: window([1 << 31, 1 << 31], paddings: [1 << 31, 0, 1 << 31, 0], input: [1, 1]), isUnread: true),
  ]

  private static func pad(_ low: [Int], _ high: [Int], _ interior: [Int], shape: [Int] = [3], value: [Int] = [])
    -> Probe
  {
    Probe(
      .stablehloPad, [.floats(shape), .floats(value)], [.floats()],
      StableHLOPadOptions.with { [$0.edgePaddingLow(low), $0.edgePaddingHigh(high), $0.interiorPadding(interior)] })
  }

  private static func bits(_ state: [Int], algorithm: Int) -> Probe {
    Probe(
      .stablehloRngBitGenerator, [.of(.uint64, state)], [.of(.uint64), .of(.uint32, [3])],
      StableHLORngBitGeneratorOptions.with { [$0.algorithm(code: algorithm)] })
  }

  private static let paddings: [Refusal] = [
    Refusal("has 1 low paddings, 2 high paddings, and 1 interior paddings", pad([0], [0, 0], [0])),
    Refusal("2 interior paddings", pad([0], [0], [0, 0])),
    Refusal("has 0 low paddings", pad([], [], [], shape: [])),
    Refusal("puts -1 elements between two", pad([0], [0], [-1]), but: pad([0], [0], [0])),
    Refusal("puts 9223372036854775807 elements between two", pad([0], [0], [.max])),
    Refusal("has paddings for 1 axes, input 't0' float32[3×3] has 2", pad([0], [0], [0], shape: [3, 3])),
    Refusal("must contain one element", pad([0], [0], [0], value: [2]), but: pad([0], [0], [0], value: [1])),
    Refusal("behind is too large", pad([0], [1 << 40 + 1], [0])),
    Refusal("in front and 0 behind is too large", pad([-(1 << 40) - 1], [0], [0]), but: pad([-(1 << 40)], [0], [0])),
    Refusal("elements between its elements", pad([0], [0], [1 << 40])),
    Refusal(
      "has algorithm 3; it must be 0, 1 (Philox) or 2 (ThreeFry)", bits([2], algorithm: 3), but: bits([2], algorithm: 2)
    ),
    Refusal("takes a state of 2 numbers, or 3", bits([1], algorithm: 1), but: bits([3], algorithm: 1)),
    Refusal("takes a state of 2 numbers, or 3", bits([4], algorithm: 0), but: bits([2], algorithm: 0)),
    Refusal("takes a state of 2 numbers, got", bits([3], algorithm: 2)),
  ]

  @Test("axes and slices that are inconsistent with the operand", arguments: gathers)
  func refusesGathers(refusal: Refusal) { refusal.check() }

  @Test("inconsistent updates and reducers", arguments: scatters)
  func refusesScatters(refusal: Refusal) { refusal.check() }

  @Test("inconsistent windows", arguments: windows)
  func refusesWindows(refusal: Refusal) { refusal.check() }

  @Test("invalid paddings and states", arguments: paddings)
  func refusesPaddings(refusal: Refusal) { refusal.check() }

  @Test(
    "a shift by the width or more, or by a negative number, returns 0",
    arguments: [0, 1, 31, 32, -1] as [Int32])
  func shifts(amount: Int32) throws {
    let probe = Probe(.stablehloShiftLeft, [.values([Int32(3)]), .values([amount])], [.of(.int32)])
    let expected: Int32 = amount == 0 ? 3 : amount == 1 ? 6 : amount == 31 ? .min : 0
    #expect(try probe.run()[0].values() == [expected])
  }

  @Test(
    "slices are moved inside the operand, at both ends",
    arguments: [(-3, 0), (0, 0), (1, 1), (2, 2), (3, 2), (9, 2)] as [(Int32, Int)])
  func movesSlices(index: Int32, start: Int) throws {
    var probe = Self.gather([4, 3], [1, 1], offset: [1, 2], collapsed: [], map: [0], sizes: [2, 3])
    probe.inputs = [.values((0..<12).map { Float($0) }, [4, 3]), .values([index], [1, 1])]
    #expect(try probe.run()[0].values() == (3 * start..<3 * start + 6).map { Float($0) })
  }

  @Test(
    "updates outside the input are ignored",
    arguments: [(-1, false), (0, true), (3, true), (4, false)] as [(Int32, Bool)])
  func leavesUpdatesOut(index: Int32, isInside: Bool) throws {
    var probe = Self.scatter([4, 2], [1, 1], [1, 2])
    probe.inputs = [
      .values([Float](repeating: 1, count: 8), [4, 2]), .values([index], [1, 1]), .values([5, 6] as [Float], [1, 2]),
    ]
    var expected = [Float](repeating: 1, count: 8)
    if isInside { expected.replaceSubrange(Int(2 * index)..<Int(2 * index + 2), with: [6, 7]) }
    #expect(try probe.run()[0].values() == expected)
  }
}
