import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
import SwiftletOperators

@Suite("HARD_SWISH as several operators")
struct HardSwishPatternTests {
  /// How `x + 3` is clamped.
  private enum Gate: CaseIterable {
    case relu6, fused, minimumOfMaximum, maximumOfMinimum, minimumOfRelu, zeroToOne, unit
    /// Whether the gate is already divided by 6.
    var isUnit: Bool { self == .zeroToOne || self == .unit }
  }

  private static func gate(_ probe: inout PatternProbe, _ gate: Gate, offset: Float = 3) -> Int {
    if gate.isUnit {
      let slope = probe.number(1 / 6), half = probe.number(offset / 6), zero = probe.number(0), one = probe.number(1)
      let scaled = probe.add(.mul, [probe.x, slope])
      let shifted = probe.add(.add, [scaled, half])
      if gate == .zeroToOne { return probe.add(.relu0To1, [shifted]) }
      let raised = probe.add(.maximum, [shifted, zero])
      return probe.add(.minimum, [one, raised])
    }
    let three = probe.number(offset), zero = probe.number(0), six = probe.number(6)
    if gate == .fused {
      return probe.add(.add, [three, probe.x], AddOptions.with { [$0.fusedActivation(.relu6)] })
    }
    let shifted = probe.add(.add, [probe.x, three])
    switch gate {
    case .minimumOfMaximum:
      let raised = probe.add(.maximum, [shifted, zero])
      return probe.add(.minimum, [raised, six])
    case .maximumOfMinimum:
      let lowered = probe.add(.minimum, [six, shifted])
      return probe.add(.maximum, [zero, lowered])
    case .minimumOfRelu:
      let raised = probe.add(.relu, [shifted])
      return probe.add(.minimum, [raised, six])
    default: return probe.add(.relu6, [shifted])
    }
  }

  /// The place of the factor 1/6.
  private enum Place: CaseIterable { case gate, input, product }

  private static func product(
    _ probe: inout PatternProbe, _ gate: Int, _ place: Place, divides: Bool, isSwapped: Bool, six: Float = 6
  ) -> Int {
    func scaled(_ value: Int, _ probe: inout PatternProbe) -> Int {
      let factor = probe.number(divides ? six : 1 / six)
      return probe.add(divides ? .div : .mul, isSwapped && !divides ? [factor, value] : [value, factor])
    }
    let left = place == .input ? scaled(probe.x, &probe) : probe.x
    let right = place == .gate ? scaled(gate, &probe) : gate
    let product = probe.add(.mul, isSwapped ? [right, left] : [left, right])
    return place == .product ? scaled(product, &probe) : product
  }

  @Test("each clamp, with the factor in each place", arguments: [[1], [3, 1], [2, 3], [1, 2, 3, 17]])
  func spellings(shape: [Int]) throws {
    for gate in Gate.allCases where !gate.isUnit {
      for place in Place.allCases {
        for (divides, isSwapped) in [(false, false), (true, false), (false, true), (true, true)] {
          var probe = PatternProbe(shape)
          let value = Self.gate(&probe, gate)
          let result = Self.product(&probe, value, place, divides: divides, isSwapped: isSwapped)
          try probe.expect(["HARD_SWISH"], result)
        }
      }
    }
  }

  @Test("a gate from 0 to 1", arguments: [[2, 3], [5, 17]])
  func unitGate(shape: [Int]) throws {
    for gate in Gate.allCases where gate.isUnit {
      for isSwapped in [false, true] {
        var probe = PatternProbe(shape)
        let value = Self.gate(&probe, gate)
        let result = probe.add(.mul, isSwapped ? [value, probe.x] : [probe.x, value])
        try probe.expect(["HARD_SWISH"], result)
      }
    }
  }

  @Test("a convolution computes the function itself")
  func convolution() throws {
    var probe = PatternProbe(channels: 17)
    let gate = Self.gate(&probe, .relu6)
    let result = Self.product(&probe, gate, .gate, divides: false, isSwapped: false)
    try probe.expect(["CONV_2D"], result, error: 1e-5)
  }

  static let misses = [
    PatternSpelling("another offset") {
      let gate = gate(&$0, .relu6, offset: 2)
      return product(&$0, gate, .gate, divides: false, isSwapped: false)
    },
    PatternSpelling("another factor") {
      let gate = gate(&$0, .relu6)
      return product(&$0, gate, .gate, divides: true, isSwapped: false, six: 5.99)
    },
    PatternSpelling("no factor") {
      let gate = gate(&$0, .relu6)
      return $0.add(.mul, [$0.x, gate])
    },
    PatternSpelling("the slope of Keras") {
      let slope = $0.number(0.2), half = $0.number(0.5)
      let scaled = $0.add(.mul, [$0.x, slope])
      let shifted = $0.add(.add, [scaled, half])
      let gate = $0.add(.relu0To1, [shifted])
      return $0.add(.mul, [$0.x, gate])
    },
    PatternSpelling("another input") {
      let other = $0.graph.input(.float32, $0.shape), gate = gate(&$0, .relu6), sixth = $0.number(1 / 6)
      let scaled = $0.add(.mul, [gate, sixth])
      return $0.add(.mul, [other, scaled])
    },
    PatternSpelling("the gate of another input") {
      let other = $0.graph.input(.float32, $0.shape), three = $0.number(3), sixth = $0.number(1 / 6)
      let shifted = $0.add(.add, [other, three])
      let gate = $0.add(.relu6, [shifted])
      let scaled = $0.add(.mul, [gate, sixth])
      return $0.add(.mul, [$0.x, scaled])
    },
    PatternSpelling("a gate that is divided by") {
      let gate = gate(&$0, .zeroToOne)
      return $0.add(.div, [$0.x, gate])
    },
    PatternSpelling("the square of the input") {
      let gate = gate(&$0, .zeroToOne)
      let product = $0.add(.mul, [$0.x, gate])
      return $0.add(.mul, [$0.x, product])
    },
    PatternSpelling("a product that is clamped") {
      let gate = gate(&$0, .zeroToOne)
      return $0.add(.mul, [$0.x, gate], MulOptions.with { [$0.fusedActivation(.relu)] })
    },
    PatternSpelling("a product of more nodes than are searched") {
      let gate = gate(&$0, .relu6), one = $0.number(1), sixth = $0.number(1 / 6)
      var product = $0.add(.mul, [$0.x, gate])
      for _ in 0..<6 { product = $0.add(.mul, [product, one]) }
      return $0.add(.mul, [product, sixth])
    },
    PatternSpelling("another clamp") {
      let three = $0.number(3), sixth = $0.number(1 / 6)
      let shifted = $0.add(.add, [$0.x, three])
      let gate = $0.add(.relu, [shifted])
      let scaled = $0.add(.mul, [gate, sixth])
      return $0.add(.mul, [$0.x, scaled])
    },
    PatternSpelling("a lower bound other than 0") {
      let three = $0.number(3), sixth = $0.number(1 / 6), one = $0.number(1), six = $0.number(6)
      let shifted = $0.add(.add, [$0.x, three])
      let raised = $0.add(.maximum, [shifted, one])
      let gate = $0.add(.minimum, [raised, six])
      let scaled = $0.add(.mul, [gate, sixth])
      return $0.add(.mul, [$0.x, scaled])
    },
  ]

  @Test("nothing is replaced for", arguments: misses)
  func nearMiss(_ miss: PatternSpelling) throws {
    var probe = PatternProbe([2, 3, 5])
    let result = miss.add(&probe)
    // A part of the square of the input is the function.
    try probe.expectNone(of: miss.testDescription.hasPrefix("the square") ? [] : ["HARD_SWISH"], result)
    try probe.expectSame(result)
  }

  @Test("nothing is replaced if a value in between has another reader")
  func readers() throws {
    var probe = PatternProbe([2, 3, 5])
    let gate = Self.gate(&probe, .relu6)
    let result = Self.product(&probe, gate, .product, divides: true, isSwapped: false)
    try probe.expectNoneIfRead(of: ["HARD_SWISH"], result)
  }
}

@Suite("GELU as several operators")
struct GeluPatternTests {
  /// How the argument of the tangent is written.
  private enum Argument: CaseIterable { case power, products, square, factored, distributed }

  private static func argument(
    _ probe: inout PatternProbe, _ kind: Argument, cubic: Float = 0.044715, slope: Float = 0.797_884_56,
    exponent: Float = 3
  ) -> Int {
    let cubic = probe.number(kind == .distributed ? cubic * slope : cubic), slope = probe.number(slope)
    switch kind {
    case .power:
      let three = probe.number(exponent)
      let cube = probe.add(.pow, [probe.x, three])
      let scaled = probe.add(.mul, [cube, cubic])
      let sum = probe.add(.add, [probe.x, scaled])
      return probe.add(.mul, [sum, slope])
    case .products:
      let square = probe.add(.mul, [probe.x, probe.x])
      let cube = probe.add(.mul, [probe.x, square])
      let scaled = probe.add(.mul, [cubic, cube])
      let sum = probe.add(.add, [scaled, probe.x])
      return probe.add(.mul, [slope, sum])
    case .square:
      let square = probe.add(.square, [probe.x])
      let cube = probe.add(.mul, [square, probe.x])
      let scaled = probe.add(.mul, [cubic, cube])
      let sum = probe.add(.add, [scaled, probe.x])
      return probe.add(.mul, [slope, sum])
    case .factored:
      let one = probe.number(1)
      let scaled = probe.add(.mul, [probe.x, cubic])
      let square = probe.add(.mul, [scaled, probe.x])
      let sum = probe.add(.add, [square, one])
      let product = probe.add(.mul, [probe.x, slope])
      return probe.add(.mul, [product, sum])
    case .distributed:
      let square = probe.add(.square, [probe.x])
      let scaled = probe.add(.mul, [square, cubic])
      let sum = probe.add(.add, [scaled, slope])
      return probe.add(.mul, [sum, probe.x])
    }
  }

  /// The place of the factor one half.
  private enum Half: CaseIterable { case input, gate, product, terms, divisor }

  private static func product(
    _ probe: inout PatternProbe, _ argument: Int, _ half: Half, factor: Float = 0.5, one: Float = 1
  ) -> Int {
    let half2 = probe.number(factor), one = probe.number(half == .terms ? 0.5 : one)
    var tangent = probe.add(.tanh, [argument])
    if half == .terms { tangent = probe.add(.mul, [tangent, half2]) }
    var gate = probe.add(.add, [tangent, one])
    if half == .gate { gate = probe.add(.mul, [half2, gate]) }
    let input = half == .input ? probe.add(.mul, [probe.x, half2]) : probe.x
    let product = probe.add(.mul, [input, gate])
    switch half {
    case .product: return probe.add(.mul, [product, half2])
    case .divisor:
      let two = probe.number(2)
      return probe.add(.div, [product, two])
    default: return product
    }
  }

  @Test("each argument of the tangent, with the factor in each place", arguments: [[1], [2, 3], [1, 2, 3, 17]])
  func spellings(shape: [Int]) throws {
    for argument in Argument.allCases {
      for half in Half.allCases {
        var probe = PatternProbe(shape)
        let value = Self.argument(&probe, argument)
        let result = Self.product(&probe, value, half)
        try probe.expect(["GELU"], result)
      }
    }
  }

  @Test("a convolution computes the function itself")
  func convolution() throws {
    var probe = PatternProbe(channels: 17)
    let argument = Self.argument(&probe, .power)
    let result = Self.product(&probe, argument, .input)
    try probe.expect(["CONV_2D"], result, error: 1e-5)
  }

  static let misses = [
    PatternSpelling("another cubic coefficient") {
      let argument = argument(&$0, .power, cubic: 0.0447)
      return product(&$0, argument, .input)
    },
    PatternSpelling("another slope") {
      let argument = argument(&$0, .products, slope: 0.8)
      return product(&$0, argument, .input)
    },
    PatternSpelling("another exponent") {
      let argument = argument(&$0, .power, exponent: 2)
      return product(&$0, argument, .input)
    },
    PatternSpelling("another factor") {
      let argument = argument(&$0, .power)
      return product(&$0, argument, .input, factor: 0.6)
    },
    PatternSpelling("another term") {
      let argument = argument(&$0, .power)
      return product(&$0, argument, .input, one: 2)
    },
    PatternSpelling("LOGISTIC instead of TANH") {
      let argument = argument(&$0, .power), half = $0.number(0.5), one = $0.number(1)
      let logistic = $0.add(.logistic, [argument])
      let gate = $0.add(.add, [logistic, one])
      let input = $0.add(.mul, [$0.x, half])
      return $0.add(.mul, [input, gate])
    },
    PatternSpelling("another input") {
      let other = $0.graph.input(.float32, $0.shape), argument = argument(&$0, .power), one = $0.number(1)
      let half = $0.number(0.5)
      let tangent = $0.add(.tanh, [argument])
      let gate = $0.add(.add, [tangent, one])
      let input = $0.add(.mul, [other, half])
      return $0.add(.mul, [input, gate])
    },
  ]

  @Test("nothing is replaced for", arguments: misses)
  func nearMiss(_ miss: PatternSpelling) throws {
    var probe = PatternProbe([2, 3, 5])
    let result = miss.add(&probe)
    try probe.expectNone(of: ["GELU"], result)
    try probe.expectSame(result)
  }

  @Test("nothing is replaced if a value in between has another reader")
  func readers() throws {
    var probe = PatternProbe([2, 3, 5])
    let argument = Self.argument(&probe, .products)
    let result = Self.product(&probe, argument, .gate)
    try probe.expectNoneIfRead(of: ["GELU"], result)
  }
}

@Suite("x · LOGISTIC(x)")
struct SwishPatternTests {
  @Test("both orders of the factors", arguments: [[1], [2, 3], [1, 2, 3, 17]], [false, true])
  func orders(shape: [Int], isSwapped: Bool) throws {
    var probe = PatternProbe(shape)
    let gate = probe.add(.logistic, [probe.x])
    let result = probe.add(.mul, isSwapped ? [gate, probe.x] : [probe.x, gate])
    try probe.expect(["Swish"], result)
  }

  @Test("a convolution computes the function itself")
  func convolution() throws {
    var probe = PatternProbe(channels: 17)
    let gate = probe.add(.logistic, [probe.x])
    let result = probe.add(.mul, [probe.x, gate])
    try probe.expect(["CONV_2D"], result, error: 1e-5)
  }

  static let misses = [
    PatternSpelling("another function") {
      let gate = $0.add(.tanh, [$0.x])
      return $0.add(.mul, [$0.x, gate])
    },
    PatternSpelling("a sum") {
      let gate = $0.add(.logistic, [$0.x])
      return $0.add(.add, [$0.x, gate])
    },
    PatternSpelling("a clamped product") {
      let gate = $0.add(.logistic, [$0.x])
      return $0.add(.mul, [$0.x, gate], MulOptions.with { [$0.fusedActivation(.relu)] })
    },
    PatternSpelling("a multiple of the argument") {
      let factor = $0.number(1.702)
      let scaled = $0.add(.mul, [$0.x, factor])
      let gate = $0.add(.logistic, [scaled])
      return $0.add(.mul, [$0.x, gate])
    },
    PatternSpelling("a multiple of the product") {
      let factor = $0.number(2), gate = $0.add(.logistic, [$0.x])
      let scaled = $0.add(.mul, [$0.x, factor])
      return $0.add(.mul, [scaled, gate])
    },
    PatternSpelling("another input") {
      let other = $0.graph.input(.float32, $0.shape), gate = $0.add(.logistic, [other])
      return $0.add(.mul, [$0.x, gate])
    },
    PatternSpelling("a quotient") {
      let gate = $0.add(.logistic, [$0.x])
      return $0.add(.div, [$0.x, gate])
    },
  ]

  @Test("nothing is replaced for", arguments: misses)
  func nearMiss(_ miss: PatternSpelling) throws {
    var probe = PatternProbe([2, 3, 5])
    let result = miss.add(&probe)
    try probe.expectNone(of: ["Swish"], result)
    try probe.expectSame(result)
  }

  @Test("nothing is replaced if a value in between has another reader")
  func readers() throws {
    var probe = PatternProbe([2, 3, 5])
    let gate = probe.add(.logistic, [probe.x])
    let result = probe.add(.mul, [probe.x, gate])
    try probe.expectNoneIfRead(of: ["Swish"], result)
  }
}
