/// Functions of two int16 values, computed in float32. Raw values are part of the entry point's interface.
package enum Int16BinaryOperation: Int32, Sendable {
  /// `left * first + (right * second + third)`
  case sum = 0
  /// `(left - first) * (right - second) * third + fourth`
  case product = 1
  /// `x * (x < 0 ? (right - second) * fourth : third) + fifth` with `x = left - first`. The right operand is int8.
  case parametricRelu = 2
}

/// The parameters of an `Int16BinaryOperation`, in this order. Results are clamped to `lower … upper` and rounded half to
/// even.
package struct Int16BinaryParameters: Sendable {
  package var first: Float
  package var second: Float
  package var third: Float
  package var fourth: Float
  package var fifth: Float
  package var lower: Float
  package var upper: Float

  package init(
    _ first: Float, _ second: Float, _ third: Float, _ fourth: Float = 0, _ fifth: Float = 0, lower: Int32,
    upper: Int32
  ) {
    self.first = first
    self.second = second
    self.third = third
    self.fourth = fourth
    self.fifth = fifth
    self.lower = Float(lower)
    self.upper = Float(upper)
  }
}

/// The parameters of a leaky ReLU of int16 values, in this order.
///
/// The result is `zeroPoint + factor · (x - inputZeroPoint)`, clamped, with a fixed-point factor for each sign of the
/// difference. If `negates` is -1, the results of negative differences are negated.
package struct Int16LeakyReluParameters: Sendable {
  package var inputZeroPoint: Int32
  package var multiplier: Int32
  package var shift: Int32
  package var negativeMultiplier: Int32
  package var negativeShift: Int32
  package var negates: Int32
  package var zeroPoint: Int32
  package var lower: Int32
  package var upper: Int32
}

/// The parameters of an odd function of int16 values around a center, in this order.
///
/// - The position in the table is `(x · multiplier + half) >> shift`. Its magnitude has `fractionBits` fraction bits.
/// - The value is interpolated between elements of the table, and is `saturated` from element 255 on.
/// - The result is `value - center`, or `reflected - value` for negative positions, divided by 2^`resultShift`, rounded
///   half up.
package struct Int16SigmoidParameters: Sendable {
  package var multiplier: Int32
  package var half: Int32
  package var shift: Int32
  package var fractionBits: Int32
  package var saturated: Int32
  package var center: Int32
  package var reflected: Int32
  package var resultShift: Int32

  package init(
    multiplier: Int32, half: Int32, shift: Int32, fractionBits: Int32, saturated: Int32, center: Int32,
    reflected: Int32, resultShift: Int32
  ) {
    self.multiplier = multiplier
    self.half = half
    self.shift = shift
    self.fractionBits = fractionBits
    self.saturated = saturated
    self.center = center
    self.reflected = reflected
    self.resultShift = resultShift
  }
}
