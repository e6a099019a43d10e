import SwiftletBase

extension KernelReference {
  /// Returns the exact function, computed in double precision.
  package static func apply(_ operation: UnaryOperation, _ x: Double, first: Double, second: Double) -> Double {
    switch operation {
    case .clamp: x.isNaN ? x : min(max(x, first), second)
    case .absolute: abs(x)
    case .negate: -x
    case .square: x * x
    case .squareRoot: x.squareRoot()
    case .reciprocalSquareRoot: 1 / x.squareRoot()
    case .exponential: exp(x)
    case .logarithm: log(x)
    case .hyperbolicTangent: tanh(x)
    case .logistic: 1 / (1 + exp(-x))
    case .hardSwish: x * min(max(x + 3, 0), 6) / 6
    case .gelu: x * 0.5 * erfc(-x * 0.5.squareRoot())
    case .geluByTangent: x / (1 + exp(-2 * (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)))
    case .elu: x < 0 ? expm1(x) : x
    case .leakyRelu: x < 0 ? x * first : x
    case .floor: x.rounded(.down)
    case .ceiling: x.rounded(.up)
    case .roundToEven: x.rounded(.toNearestOrEven)
    case .swish: x / (1 + exp(-x))
    }
  }

  /// Returns the exact function, as defined by IEEE arithmetic.
  package static func combine(_ operation: BinaryOperation, _ left: Float, _ right: Float) -> Float {
    switch operation {
    case .add: left + right
    case .subtract: left - right
    case .multiply: left * right
    case .divide: left / right
    case .maximum: left > right ? left : right
    case .minimum: left < right ? left : right
    case .squaredDifference: (left - right) * (left - right)
    case .parametricRelu: left < 0 ? left * right : left
    }
  }
}
