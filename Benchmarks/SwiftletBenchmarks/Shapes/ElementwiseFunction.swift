/// The measured elementwise operators.
enum ElementwiseFunction: String, CaseIterable, Sendable {
  case add, multiply, subtract, divide, maximum, greater, select, prelu, gelu, logistic, tanh, exp
  case leakyRelu = "leaky relu"
  case hardSwish = "hard-swish"

  var types: [ShapeType] {
    switch self {
    case .divide, .exp: [.float32]
    case .hardSwish: [.float32, .int8, .uint8]
    default: [.float32, .int8, .uint8, .int16]
    }
  }

  /// Whether the second input can have fewer elements than the result.
  var isBroadcasting: Bool {
    switch self {
    case .add, .multiply, .subtract, .divide, .maximum, .greater, .select: true
    default: false
    }
  }

  /// The approximate number of multiply-adds per float32 element in a vector polynomial. Functions of quantized values
  /// count 1, because a table or a line of the function is enough.
  func multiplyAdds(_ type: ShapeType) -> Int {
    switch self {
    case .add, .multiply, .subtract, .maximum, .greater, .select: 1
    case .prelu, .leakyRelu: 2
    case _ where type != .float32: 1
    case .hardSwish: 3
    case .divide: 4
    case .exp: 8
    case .logistic: 10
    case .tanh: 12
    case .gelu: 16
    }
  }
}

/// The shape of the second operand of a binary elementwise operator.
enum OperandShape: String, CaseIterable, Sendable {
  case whole
  case perChannel = "per channel"
  case perPixel = "per pixel"
  case scalar
}
