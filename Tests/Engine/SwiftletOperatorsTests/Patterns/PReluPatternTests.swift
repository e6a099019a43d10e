import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("PRELU as several operators")
struct PReluPatternTests {
  typealias Slopes = @Sendable (inout PatternProbe) -> Int

  private static let comparisons: [(kind: BuiltinOperator, isGreater: Bool)] = [
    (.greater, true), (.greaterEqual, true), (.less, false), (.lessEqual, false),
  ]

  /// Adds `SELECT(x > 0, x, a · x)`.
  private static func select(
    _ probe: inout PatternProbe, _ slopes: Int, kind: BuiltinOperator = .selectV2,
    comparison: (kind: BuiltinOperator, isGreater: Bool) = (.greater, true), zeroFirst: Bool = false,
    slopesFirst: Bool = false, zero: Float = 0
  ) -> Int {
    let zero = probe.number(zero)
    let condition = probe.add(comparison.kind, zeroFirst ? [zero, probe.x] : [probe.x, zero], type: .bool)
    let product = probe.add(.mul, slopesFirst ? [slopes, probe.x] : [probe.x, slopes])
    let isPositive = comparison.isGreater != zeroFirst
    return probe.add(kind, [condition] + (isPositive ? [probe.x, product] : [product, probe.x]))
  }

  /// Adds the sum of the halves of `x`.
  private static func halves(
    _ probe: inout PatternProbe, _ slopes: Int, zeroFirst: Bool, slopesFirst: Bool, isSwapped: Bool,
    kind: BuiltinOperator = .add
  ) -> Int {
    let zero = probe.number(0)
    let operands = zeroFirst ? [zero, probe.x] : [probe.x, zero]
    let upper = probe.add(.maximum, operands), lower = probe.add(.minimum, operands)
    let product = probe.add(.mul, slopesFirst ? [slopes, lower] : [lower, slopes])
    return probe.add(kind, isSwapped ? [product, upper] : [upper, product])
  }

  /// How the negative of `x` is limited to nonnegative values.
  private enum Negation: CaseIterable { case negated, multiplied, fused, maximum }

  /// Adds `RELU(x) ± a · RELU(-x)`.
  private static func keras(
    _ probe: inout PatternProbe, _ slopes: Int, _ negation: Negation, kind: BuiltinOperator, slopesFirst: Bool = true
  ) -> Int {
    let upper = probe.add(.relu, [probe.x])
    let lower: Int
    switch negation {
    case .negated:
      let negative = probe.add(.neg, [probe.x])
      lower = probe.add(.relu, [negative])
    case .multiplied:
      let minusOne = probe.number(-1)
      let negative = probe.add(.mul, [probe.x, minusOne])
      lower = probe.add(.relu, [negative])
    case .fused:
      let minusOne = probe.number(-1)
      lower = probe.add(.mul, [minusOne, probe.x], MulOptions.with { [$0.fusedActivation(.relu)] })
    case .maximum:
      let negative = probe.add(.neg, [probe.x]), zero = probe.number(0)
      lower = probe.add(.maximum, [negative, zero])
    }
    let product = probe.add(.mul, slopesFirst ? [slopes, lower] : [lower, slopes])
    return probe.add(kind, [upper, product])
  }

  /// Each spelling, as a function of the slopes.
  private static let spellings: [(name: String, add: @Sendable (inout PatternProbe, Int) -> Int)] = {
    var spellings: [(String, @Sendable (inout PatternProbe, Int) -> Int)] = []
    for comparison in comparisons {
      for zeroFirst in [false, true] {
        for kind in [BuiltinOperator.select, .selectV2] {
          spellings.append(
            (
              "\(kind) \(comparison.kind)\(zeroFirst ? " of zero" : "")",
              {
                select(
                  &$0, $1, kind: kind, comparison: comparison, zeroFirst: zeroFirst, slopesFirst: kind == .select)
              }
            ))
        }
      }
    }
    for place in 0..<8 {
      spellings.append(
        (
          "halves \(place)",
          {
            halves(&$0, $1, zeroFirst: place & 1 == 1, slopesFirst: place & 2 == 2, isSwapped: place & 4 == 4)
          }
        ))
    }
    for negation in Negation.allCases {
      spellings.append(("keras \(negation)", { keras(&$0, $1, negation, kind: .add) }))
      spellings.append(
        ("keras minus \(negation)", { keras(&$0, $1, negation, kind: .sub, slopesFirst: false) }))
    }
    spellings.append(
      (
        "negated product",
        {
          let upper = $0.add(.relu, [$0.x])
          let negative = $0.add(.neg, [$0.x])
          let lower = $0.add(.relu, [negative])
          let product = $0.add(.mul, [lower, $1])
          let negated = $0.add(.neg, [product])
          return $0.add(.add, [negated, upper])
        }
      ))
    return spellings
  }()

  private static let names = spellings.map(\.name)

  private func expect(
    _ spelling: String, _ shape: [Int], to name: String, _ slopes: (inout PatternProbe) -> Int
  ) throws {
    guard let found = Self.spellings.first(where: { $0.name == spelling }) else { return }
    var probe = PatternProbe(shape)
    let slopes = slopes(&probe)
    let result = found.add(&probe, slopes)
    // MAXIMUM and MINIMUM return zero for NaN if it is their right operand, as a node in front.
    let clears = spelling.hasPrefix("halves") && ["0", "2", "4", "6"].contains(spelling.suffix(1))
    try probe.expect(clears ? ["ReplaceNaN", name] : [name], result)
  }

  @Test("a slope for each channel", arguments: names, [[2, 1], [5, 3], [1, 3, 2, 17]])
  func channels(spelling: String, shape: [Int]) throws {
    let name = shape.last == 1 ? "LEAKY_RELU" : "PRELU"
    try expect(spelling, shape, to: name) { $0.vector() }
    try expect(spelling, shape, to: name) { $0.vector([1, shape[shape.count - 1]]) }
  }

  @Test("one slope", arguments: names)
  func oneSlope(spelling: String) throws {
    for slope in [0.25, 0, -0.5, 3] as [Float] {
      try expect(spelling, [3, 17], to: "LEAKY_RELU") { $0.number(slope) }
      try expect(spelling, [11], to: "LEAKY_RELU") { $0.number(slope, shape: [1]) }
    }
  }

  @Test("a slope for each element", arguments: names)
  func elements(spelling: String) throws {
    try expect(spelling, [2, 3, 5], to: "PRELU") { $0.vector([3, 5]) }
    try expect(spelling, [2, 3, 5], to: "PRELU") { $0.vector([3, 1]) }
  }

  @Test("the larger of the input and its product", arguments: [false, true], [false, true])
  func largest(isSwapped: Bool, slopesFirst: Bool) throws {
    func expect(_ shape: [Int], to name: String, _ slopes: (inout PatternProbe) -> Int) throws {
      var probe = PatternProbe(shape)
      let slopes = slopes(&probe)
      let product = probe.add(.mul, slopesFirst ? [slopes, probe.x] : [probe.x, slopes])
      let result = probe.add(.maximum, isSwapped ? [product, probe.x] : [probe.x, product])
      try probe.expect([name], result)
    }
    try expect([3, 17], to: "LEAKY_RELU") { $0.number(0.1) }
    try expect([3, 17], to: "LEAKY_RELU") { $0.number(1) }
    try expect([3, 17], to: "PRELU") { $0.vector(within: 0...1) }
    for slope in [0, -0.1, 1.5] as [Float] {
      var probe = PatternProbe([3, 17])
      let slope = probe.number(slope)
      let product = probe.add(.mul, [probe.x, slope])
      let result = probe.add(.maximum, isSwapped ? [product, probe.x] : [probe.x, product])
      try probe.expect(["MUL", "MAXIMUM"], result)
    }
  }

  // MARK: Near misses

  static let misses = [
    PatternSpelling("another threshold") {
      let slopes = $0.vector()
      return select(&$0, slopes, zero: 0.5)
    },
    PatternSpelling("the branches exchanged") {
      let slopes = $0.vector()
      return select(&$0, slopes, comparison: (.greater, false))
    },
    PatternSpelling("a comparison for equality") {
      let slopes = $0.vector()
      return select(&$0, slopes, comparison: (.notEqual, true))
    },
    PatternSpelling("a comparison of another value") {
      let other = $0.graph.input(.float32, $0.shape), zero = $0.number(0), slopes = $0.vector()
      let condition = $0.add(.greater, [other, zero], type: .bool)
      let product = $0.add(.mul, [$0.x, slopes])
      return $0.add(.selectV2, [condition, $0.x, product])
    },
    PatternSpelling("a product of another value") {
      let other = $0.graph.input(.float32, $0.shape), zero = $0.number(0), slopes = $0.vector()
      let condition = $0.add(.greater, [$0.x, zero], type: .bool)
      let product = $0.add(.mul, [other, slopes])
      return $0.add(.selectV2, [condition, $0.x, product])
    },
    PatternSpelling("slopes that are computed") {
      let slopes = $0.graph.input(.float32, [$0.shape[$0.shape.count - 1]])
      return select(&$0, slopes)
    },
    PatternSpelling("a product that is clamped") {
      let zero = $0.number(0), slopes = $0.vector()
      let condition = $0.add(.greater, [$0.x, zero], type: .bool)
      let product = $0.add(.mul, [$0.x, slopes], MulOptions.with { [$0.fusedActivation(.relu6)] })
      return $0.add(.selectV2, [condition, $0.x, product])
    },
    PatternSpelling("a sum instead of a product") {
      let zero = $0.number(0), slopes = $0.vector()
      let condition = $0.add(.greater, [$0.x, zero], type: .bool)
      let sum = $0.add(.add, [$0.x, slopes])
      return $0.add(.selectV2, [condition, $0.x, sum])
    },
    PatternSpelling("infinite slopes") {
      let slopes = $0.number(.infinity)
      return select(&$0, slopes)
    },
    PatternSpelling("slopes that are NaN") {
      let slopes = $0.number(.nan)
      return keras(&$0, slopes, .negated, kind: .add)
    },
    PatternSpelling("slopes that widen the result") {
      let slopes = $0.vector([2, 1, 1, 1])
      let zero = $0.number(0), shape = [2] + $0.shape.dropFirst()
      let condition = $0.add(.greater, [$0.x, zero], type: .bool)
      let product = $0.add(.mul, [$0.x, slopes], shape: shape)
      return $0.add(.selectV2, [condition, $0.x, product], shape: shape)
    },
    PatternSpelling("halves that are subtracted with MINIMUM as the first one") {
      let zero = $0.number(0), slopes = $0.vector()
      let upper = $0.add(.maximum, [zero, $0.x]), lower = $0.add(.minimum, [zero, $0.x])
      let product = $0.add(.mul, [lower, slopes])
      return $0.add(.sub, [product, upper])
    },
    PatternSpelling("two upper halves") {
      let slopes = $0.vector()
      let upper = $0.add(.relu, [$0.x])
      let product = $0.add(.mul, [upper, slopes])
      return $0.add(.add, [upper, product])
    },
    PatternSpelling("another bound") {
      let zero = $0.number(0), one = $0.number(1), slopes = $0.vector()
      let upper = $0.add(.maximum, [zero, $0.x]), lower = $0.add(.minimum, [one, $0.x])
      let product = $0.add(.mul, [lower, slopes])
      return $0.add(.add, [upper, product])
    },
    PatternSpelling("another clamp") {
      let slopes = $0.vector()
      let upper = $0.add(.relu6, [$0.x]), negative = $0.add(.neg, [$0.x])
      let lower = $0.add(.relu, [negative])
      let product = $0.add(.mul, [lower, slopes])
      return $0.add(.add, [upper, product])
    },
    PatternSpelling("another factor than -1") {
      let slopes = $0.vector(), factor = $0.number(-2)
      let upper = $0.add(.relu, [$0.x]), negative = $0.add(.mul, [$0.x, factor])
      let lower = $0.add(.relu, [negative])
      let product = $0.add(.mul, [lower, slopes])
      return $0.add(.add, [upper, product])
    },
    PatternSpelling("a sum that is clamped") {
      let slopes = $0.vector()
      let upper = $0.add(.relu, [$0.x]), negative = $0.add(.neg, [$0.x])
      let lower = $0.add(.relu, [negative])
      let product = $0.add(.mul, [lower, slopes])
      return $0.add(.add, [upper, product], AddOptions.with { [$0.fusedActivation(.reluN1To1)] })
    },
    PatternSpelling("MINIMUM") {
      let slopes = $0.number(0.5)
      let product = $0.add(.mul, [$0.x, slopes])
      return $0.add(.minimum, [$0.x, product])
    },
  ]

  private static let replacements = ["PRELU", "LEAKY_RELU", "ReplaceNaN"]

  @Test("nothing is replaced for", arguments: misses)
  func nearMiss(_ miss: PatternSpelling) throws {
    var probe = PatternProbe([1, 2, 3, 5])
    let result = miss.add(&probe)
    try probe.expectNone(of: Self.replacements, result)
    try probe.expectSame(result)
  }

  @Test("nothing is replaced if a value in between is an output or has another reader", arguments: names)
  func values(spelling: String) throws {
    guard let found = Self.spellings.first(where: { $0.name == spelling }) else { return }
    var probe = PatternProbe([2, 3, 5])
    let slopes = probe.vector()
    let result = found.add(&probe, slopes)
    try probe.expectNoneIfRead(of: Self.replacements, result)
  }

  @Test("nothing is replaced for other types")
  func otherTypes() throws {
    var integers = PatternProbe([3, 5], type: .int32)
    let slope = integers.number(2)
    let result = Self.select(&integers, slope)
    try integers.expectNone(of: Self.replacements, result)
    var bytes = PatternProbe([3, 5], type: .int8)
    let byte = bytes.number(2)
    let selected = Self.select(&bytes, byte)
    try bytes.expectNone(of: Self.replacements, selected)
  }

  @Test("nothing is replaced if the input is a variable")
  func variable() throws {
    var probe = PatternProbe([3, 5])
    let variable = probe.graph.variable(.float32, [3, 5])
    let zero = probe.number(0), slopes = probe.vector()
    let condition = probe.add(.greater, [variable, zero], type: .bool)
    let product = probe.add(.mul, [variable, slopes])
    let result = probe.add(.selectV2, [condition, variable, product])
    try probe.expectNone(of: Self.replacements, result)
  }

  // MARK: Products

  @Test("a convolution computes the function itself", arguments: names, [1, 3, 17])
  func convolution(spelling: String, channels: Int) throws {
    guard let found = Self.spellings.first(where: { $0.name == spelling }) else { return }
    for isOneSlope in [false, true] {
      var probe = PatternProbe(channels: channels)
      let slopes = isOneSlope ? probe.number(0.2) : probe.vector()
      let result = found.add(&probe, slopes)
      try probe.expect(["CONV_2D"], result, error: 1e-5)
    }
  }

  // MARK: Dynamic shapes

  @Test("shapes that are known only in the run")
  func dynamicShape() throws {
    var graph = TestGraph()
    let data = graph.input(.float32, [2, 6]), sizes = graph.input(.int32, [2])
    let x = graph.tensor(.float32, [])
    graph.add(.reshape, [data, sizes], [x])
    let zero = graph.constant([Float(0)], shape: []), slope = graph.constant([Float(0.25)], shape: [])
    let condition = graph.tensor(.bool, []), product = graph.tensor(.float32, []), result = graph.tensor(.float32, [])
    graph.add(.greater, [x, zero], [condition])
    graph.add(.mul, [x, slope], [product])
    graph.add(.selectV2, [condition, x, product], [result])
    graph.addOutput(result)
    let session = try graph.session()
    let values = PatternProbe.values(12)
    for shape in [[3, 4], [12, 1]] as [[Int32]] {
      let results = try session.run([try Tensor(values, shape: [2, 6]), try Tensor(shape, shape: [2])])
      #expect(results[0].shape == Shape(shape.map(Int.init)))
      #expect(try results[0].values(as: Float.self) == values.map { $0 > 0 ? $0 : $0 * 0.25 })
    }
  }
}
