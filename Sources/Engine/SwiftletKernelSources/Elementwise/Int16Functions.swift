import SwiftletKernels

// Functions of int16 values. Goals, in order: the results of the operators' formulas, bit for bit; output may be an
// operand; one loop per function.

/// The parameters of `Int16BinaryOperation`.
struct Int16Combination<V: VectorISA> {
  let operation: Int32
  let first: V.F
  let second: V.F
  let third: V.F
  let fourth: V.F
  let fifth: V.F
  let lower: V.F
  let upper: V.F

  @inline(__always)
  init(operation: Int32, _ p: Int16BinaryParameters) {
    self.operation = operation
    first = V.splat(p.first)
    second = V.splat(p.second)
    third = V.splat(p.third)
    fourth = V.splat(p.fourth)
    fifth = V.splat(p.fifth)
    lower = V.splat(p.lower)
    upper = V.splat(p.upper)
  }

  /// Products are rounded before additions, as in a loop without vectors.
  @inline(__always)
  func apply(_ left: V.I, _ right: V.I) -> V.I {
    let x = V.toFloat(left), y = V.toFloat(right)
    let value: V.F
    switch operation {
    case Int16BinaryOperation.sum.rawValue: value = x * first + (y * second + third)
    case Int16BinaryOperation.product.rawValue: value = (x - first) * (y - second) * third + fourth
    default:
      let x = x - first
      value = x * V.select(signOf: x, negative: (y - second) * fourth, positive: third) + fifth
    }
    return V.toInt(V.minimum(V.maximum(value, lower), upper))
  }

  @inline(__always)
  func apply(count: Int, left: UnsafeRawPointer, right: UnsafeRawPointer, output: UnsafeMutableRawPointer) {
    let hasByteSlopes = operation == Int16BinaryOperation.parametricRelu.rawValue
    let sign = V.splat(0x80 as Int32)
    var index = 0
    while index &+ V.lanes <= count {
      let y = hasByteSlopes ? (V.loadBytes(right + index) ^ sign) &- sign : V.loadInt16(right + index &* 2)
      V.storeInt16(apply(V.loadInt16(left + index &* 2), y), output + index &* 2)
      index &+= V.lanes
    }
    if index < count {
      let rest = count &- index
      let y =
        hasByteSlopes
        ? (V.loadFirstBytes(rest, right + index) ^ sign) &- sign : V.loadFirstInt16(rest, right + index &* 2)
      V.storeFirstInt16(rest, apply(V.loadFirstInt16(rest, left + index &* 2), y), output + index &* 2)
    }
  }
}

/// Applies `function` to every int16 value.
@inline(__always)
func mapInt16<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafeRawPointer, output: UnsafeMutableRawPointer, _ function: (V.I) -> V.I
) {
  var index = 0
  while index < count {
    let rest = count &- index
    let x = rest >= V.lanes ? V.loadInt16(input + index &* 2) : V.loadFirstInt16(rest, input + index &* 2)
    let y = function(x)
    if rest >= V.lanes {
      V.storeInt16(y, output + index &* 2)
    } else {
      V.storeFirstInt16(rest, y, output + index &* 2)
    }
    index &+= V.lanes
  }
}

/// The fixed-point leaky ReLU.
@inline(__always)
func leakyReluInt16<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafeRawPointer, parameters p: Int16LeakyReluParameters,
  output: UnsafeMutableRawPointer
) {
  let inputZero = V.splat(p.inputZeroPoint), zero = V.splat(p.zeroPoint), low = V.splat(p.lower)
  let high = V.splat(p.upper), flips = V.splat(p.negates)
  let multiplier = V.splat(p.multiplier), difference = V.splat(p.multiplier ^ p.negativeMultiplier)
  let shift = V.splat(p.shift), shiftDifference = V.splat(p.shift ^ p.negativeShift)
  mapInt16(V.self, count: count, input: input, output: output) { input in
    let x = input &- inputZero
    let negative = x &>> 31
    let factor = VectorMultiplier<V>(
      multiplier: multiplier ^ (difference & negative), shift: shift ^ (shiftDifference & negative))
    let sign = negative & flips
    return V.clamp(((factor.apply(x) ^ sign) &- sign) &+ zero, low, high)
  }
}

/// LOGISTIC and TANH by interpolation in a table of the positive half.
@inline(__always)
func sigmoidInt16<V: VectorISA>(
  _: V.Type, count: Int, input: UnsafeRawPointer, table: UnsafePointer<Int32>, parameters p: Int16SigmoidParameters,
  output: UnsafeMutableRawPointer
) {
  let multiplier = V.splat(p.multiplier), half = V.splat(p.half), shift = V.splat(p.shift)
  let last = V.splat((255 &<< p.fractionBits) &- 1), fractionBits = V.splat(p.fractionBits)
  let fractionMask = V.splat((1 &<< p.fractionBits) &- 1), saturated = V.splat(p.saturated)
  let center = V.splat(p.center), reflected = V.splat(p.reflected)
  let resultHalf = V.splat(1 &<< (p.resultShift &- 1)), resultShift = V.splat(p.resultShift)
  mapInt16(V.self, count: count, input: input, output: output) { input in
    let position = (input &* multiplier &+ half) &>> shift
    let sign = position &>> 31
    // Int32.min stays negative.
    let magnitude = (position ^ sign) &- sign
    let inside = V.clamp(magnitude, V.I(), last)
    let word = V.elements(of: table, at: inside &>> fractionBits)
    let line = ((word & V.splat(0xFFFF as Int32)) &<< fractionBits) &+ (inside & fractionMask) &* (word &>> 16)
    let isOutside = ((last &- magnitude) | magnitude) &>> 31
    let value = line ^ ((line ^ saturated) & isOutside)
    let centered = ((value &- center) & ~sign) | ((reflected &- value) & sign)
    return (centered &+ resultHalf) &>> resultShift
  }
}
