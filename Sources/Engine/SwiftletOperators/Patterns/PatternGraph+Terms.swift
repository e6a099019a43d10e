import SwiftletEngine
import SwiftletSchema

// The parts of patterns: float32 operations without a clamp, and constants.
extension PatternGraph {
  /// Returns the operands of the node that computes `value`, if it is this operation.
  func operands<Operation: ArithmeticOperator>(
    _ type: Operation.Type, giving value: ValueID?, clamp: FusedActivation = .none
  ) -> (left: ValueID, right: ValueID)? {
    node(giving: value).flatMap { operands(type, of: $0, clamp: clamp) }
  }

  /// Returns the operands of a node, if it is this operation.
  func operands<Operation: ArithmeticOperator>(
    _ type: Operation.Type, of node: PatternNode, clamp: FusedActivation = .none
  ) -> (left: ValueID, right: ValueID)? {
    guard let operation = node.operation as? Operation, operation.activation == clamp, node.inputs.count == 2,
      let left = node.inputs[0], let right = node.inputs[1], isFloat(left), isFloat(right)
    else { return nil }
    return (left, right)
  }

  /// Returns the operand of the node that computes `value`, if it is this function.
  func operand<Function: UnaryOperator>(_ type: Function.Type, giving value: ValueID?) -> ValueID? {
    guard let node = node(giving: value), node.operation is Function, node.inputs.count == 1,
      let input = node.inputs[0],
      isFloat(input)
    else { return nil }
    return input
  }

  func isFloat(_ value: ValueID) -> Bool { spec(value).elementType == .float32 }

  func shape(_ value: ValueID) -> Shape { spec(value).shape }

  /// The maximum number of elements of a constant that are compared. Larger ones are constants of layers.
  private static var comparedElements: Int { 1 << 13 }

  /// Returns the number that all elements of a float32 constant are equal to, if there is one.
  func number(_ value: ValueID?) -> Float? {
    guard let value, isConstant(value), isFloat(value), 1...Self.comparedElements ~= shape(value).elementCount,
      let elements = elements(value), let first = elements.first, elements.allSatisfy({ $0 == first })
    else { return nil }
    return first
  }

  /// Returns the elements of a float32 constant.
  func elements(_ value: ValueID) -> UnsafeBufferPointer<Float>? {
    guard isFloat(value), let bytes = constant(value) else { return nil }
    let elements = bytes.assumingMemoryBound(to: Float.self)
    return elements.count == shape(value).elementCount ? elements : nil
  }

  /// Returns the value that is multiplied by a number, and the number.
  func scaled(_ value: ValueID?, clamp: FusedActivation = .none) -> (value: ValueID, factor: Float)? {
    guard let (left, right) = operands(MultiplyOperator.self, giving: value, clamp: clamp) else { return nil }
    if let factor = number(right) { return (left, factor) }
    return number(left).map { (right, $0) }
  }

  /// Returns the value whose negative is `value`.
  func negated(_ value: ValueID?) -> ValueID? {
    if let operand = operand(NegateOperator.self, giving: value) { return operand }
    guard let (operand, factor) = scaled(value), factor == -1, shape(operand) == value.map(shape) else { return nil }
    return operand
  }
}

/// A factor or a divisor of a product of several nodes.
struct PatternFactor {
  var value: ValueID
  var isDivisor = false
}

extension PatternGraph {
  /// The maximum depth of products and polynomials.
  private static var maximumDepth: Int { 5 }

  /// The maximum number of factors. Longer products aren't patterns, and would take long to search.
  private static var maximumFactors: Int { 12 }

  /// Returns the factors of a product of several nodes without a clamp; none if there are too many. `stops` is a factor,
  /// even if it is a product.
  func factors(of value: ValueID, stoppingAt stops: ValueID? = nil) -> [PatternFactor] {
    var found: [PatternFactor] = []
    collectFactors(of: value, stops, depth: 0) { factor, isInner in if !isInner { found.append(factor) } }
    return found.count <= Self.maximumFactors ? found : []
  }

  /// Returns all values that are multiplied for a product of several nodes: factors, and products of some factors; none
  /// if there are too many.
  func partialProducts(of value: ValueID) -> [ValueID] {
    var found: [ValueID] = []
    collectFactors(of: value, nil, depth: 0) { factor, _ in
      if factor.value != value, !found.contains(factor.value) { found.append(factor.value) }
    }
    return found.count <= Self.maximumFactors ? found : []
  }

  private func collectFactors(
    of value: ValueID, _ stops: ValueID?, depth: Int, _ collect: (PatternFactor, _ isInner: Bool) -> Void
  ) {
    let isEnd = value == stops || depth == Self.maximumDepth
    if !isEnd, let (left, right) = operands(MultiplyOperator.self, giving: value) {
      collect(PatternFactor(value: value), true)
      collectFactors(of: left, stops, depth: depth + 1, collect)
      collectFactors(of: right, stops, depth: depth + 1, collect)
    } else if !isEnd, let (left, right) = operands(DivideOperator.self, giving: value) {
      collect(PatternFactor(value: value), true)
      collectFactors(of: left, stops, depth: depth + 1, collect)
      collect(PatternFactor(value: right, isDivisor: true), false)
    } else {
      collect(PatternFactor(value: value), false)
    }
  }

  /// Returns the coefficients of `value` as a polynomial in `x` of degree 3 or less, lowest first.
  ///
  /// - Parameter ignoringClamp: Whether a clamp of the last node is ignored.
  func polynomial(_ value: ValueID, in x: ValueID, ignoringClamp: Bool = false) -> Polynomial? {
    var visits = 0
    return polynomial(value, in: x, clamp: ignoringClamp ? nil : FusedActivation.none, &visits)
  }

  private func polynomial(_ value: ValueID, in x: ValueID, clamp: FusedActivation?, _ visits: inout Int) -> Polynomial?
  {
    visits += 1
    guard visits <= 32 else { return nil }
    if value == x { return Polynomial(0, 1) }
    if let number = number(value) { return Polynomial(Double(number)) }
    guard let node = node(giving: value), let first = node.inputs.first ?? nil, isFloat(first) else { return nil }
    func operand(_ index: Int) -> Polynomial? {
      guard index < node.inputs.count, let input = node.inputs[index] else { return nil }
      return polynomial(input, in: x, clamp: FusedActivation.none, &visits)
    }
    switch node.operation {
    case let sum as AddOperator where sum.activation == clamp ?? sum.activation:
      guard let left = operand(0), let right = operand(1) else { return nil }
      return left + right
    case let difference as SubtractOperator where difference.activation == clamp ?? difference.activation:
      guard let left = operand(0), let right = operand(1) else { return nil }
      return left + right * -1
    case let product as MultiplyOperator where product.activation == clamp ?? product.activation:
      guard let left = operand(0), let right = operand(1) else { return nil }
      return left.times(right)
    case let quotient as DivideOperator where quotient.activation == clamp ?? quotient.activation:
      guard let left = operand(0), let divisor = number(node.inputs[1]), divisor != 0 else { return nil }
      return left * (1 / Double(divisor))
    case is NegateOperator: return operand(0).map { $0 * -1 }
    case is SquareOperator: return operand(0).flatMap { $0.times($0) }
    case is PowerOperator:
      guard let base = operand(0) else { return nil }
      switch number(node.inputs[1]) {
      case 2: return base.times(base)
      case 3: return base.times(base)?.times(base)
      default: return nil
      }
    default: return nil
    }
  }
}

/// A polynomial of degree 3 or less.
struct Polynomial {
  /// The coefficients, lowest degree first.
  var coefficients: SIMD4<Double>

  init(_ constant: Double, _ linear: Double = 0, _ quadratic: Double = 0, _ cubic: Double = 0) {
    coefficients = SIMD4(constant, linear, quadratic, cubic)
  }

  static func + (left: Polynomial, right: Polynomial) -> Polynomial {
    var sum = left
    sum.coefficients += right.coefficients
    return sum
  }

  static func * (left: Polynomial, factor: Double) -> Polynomial {
    var product = left
    product.coefficients *= factor
    return product
  }

  /// Returns the product, or `nil` if its degree is above 3.
  func times(_ other: Polynomial) -> Polynomial? {
    var product = Polynomial(0)
    for degree in 0..<4 {
      for second in 0..<4 {
        let coefficient = coefficients[degree] * other.coefficients[second]
        if degree + second < 4 {
          product.coefficients[degree + second] += coefficient
        } else if coefficient != 0 {
          return nil
        }
      }
    }
    return product
  }

  /// Returns whether the coefficients are equal up to the rounding of constants in single precision.
  func isClose(to other: Polynomial) -> Bool {
    (0..<4).allSatisfy { coefficients[$0].isClose(to: other.coefficients[$0]) }
  }
}

extension Double {
  /// Returns whether the numbers are equal up to the rounding of constants in single precision.
  func isClose(to other: Double) -> Bool { abs(self - other) <= 1e-6 * abs(other) }
}

/// Both orders of the operands of a commutative operation.
func bothOrders(_ operands: (left: ValueID, right: ValueID)?) -> [(ValueID, ValueID)] {
  operands.map { [($0.left, $0.right), ($0.right, $0.left)] } ?? []
}
