import SwiftletEngine
import SwiftletSchema

/// A product of a value and a function of it, the gate, as several multiplications and divisions in any order.
protocol GatedProductPattern: OperatorPattern {
  /// Returns the factor by which the product of `input` and `value` must be multiplied for a match, and the operator;
  /// `nil` if `value` isn't the gate of `input`.
  func gate(_ value: ValueID, of input: ValueID, in graph: PatternGraph) -> (factor: Double, operation: any Operator)?

  /// Returns whether a value can be a gate. It is asked before `gate`, for each value once.
  func mayBeGate(_ value: ValueID, in graph: PatternGraph) -> Bool
}

extension GatedProductPattern {
  func replacement(of root: PatternNode, in graph: PatternGraph) throws -> PatternReplacement? {
    let parts = graph.partialProducts(of: root.output)
    // Few candidates, so that the search takes little time for any graph. A loop instead of a lazy sequence, whose type
    // the Swift runtime would assemble at every start of a program.
    var gates = 0
    for gate in parts where gates < 2 && mayBeGate(gate, in: graph) {
      gates += 1
      for input in parts where input != gate && graph.shape(input) == graph.shape(root.output) {
        guard let found = self.gate(gate, of: input, in: graph),
          let factor = factor(of: root.output, input: input, gate: gate, graph), factor.isClose(to: found.factor)
        else { continue }
        return PatternReplacement(found.operation, [.value(input)])
      }
    }
    return nil
  }

  /// Returns the number by which the product of `input` and `gate` is multiplied; `nil` if there are other factors.
  private func factor(of product: ValueID, input: ValueID, gate: ValueID, _ graph: PatternGraph) -> Double? {
    var factor = 1.0
    var counts = (input: 0, gate: 0)
    for part in graph.factors(of: product, stoppingAt: input) {
      if part.value == input || part.value == gate {
        guard !part.isDivisor else { return nil }
        if part.value == input { counts.input += 1 } else { counts.gate += 1 }
      } else {
        guard let number = graph.number(part.value).map(Double.init), number != 0 else { return nil }
        factor *= part.isDivisor ? 1 / number : number
      }
    }
    return counts == (1, 1) ? factor : nil
  }
}

/// HARD_SWISH as several operators: `x · RELU6(x + 3) / 6`, with the factor in any place, and with the clamp as
/// RELU6, as a fused activation, or as MAXIMUM and MINIMUM.
struct HardSwishPattern: GatedProductPattern {
  let roots: [any Operator.Type] = [MultiplyOperator.self, DivideOperator.self]

  func mayBeGate(_ value: ValueID, in graph: PatternGraph) -> Bool { graph.clamp(value) != nil }

  func gate(
    _ value: ValueID, of input: ValueID, in graph: PatternGraph
  ) -> (factor: Double, operation: any Operator)? {
    guard let clamp = graph.clamp(value),
      let ramp = graph.polynomial(clamp.input, in: input, ignoringClamp: clamp.isFused)
    else { return nil }
    let factor = 1 / Double(clamp.upper)
    return (ramp * factor).isClose(to: Polynomial(0.5, 1 / 6.0)) ? (factor, HardSwishOperator()) : nil
  }
}

extension PatternGraph {
  /// Returns the input and the upper bound of a clamp from 0. The input is `value` itself if the clamp is fused.
  fileprivate func clamp(_ value: ValueID) -> (input: ValueID, upper: Float, isFused: Bool)? {
    if let input = operand(Relu6Operator.self, giving: value) { return (input, 6, false) }
    if let input = operand(Relu0To1Operator.self, giving: value) { return (input, 1, false) }
    if let (below, upper) = bounded(MinimumOperator.self, value), upper > 0, let input = nonnegative(below) {
      return (input, upper, false)
    }
    if let below = nonnegative(value), let (input, upper) = bounded(MinimumOperator.self, below), upper > 0 {
      return (input, upper, false)
    }
    let isFused =
      operands(AddOperator.self, giving: value, clamp: .relu6) != nil
      || operands(SubtractOperator.self, giving: value, clamp: .relu6) != nil
      || operands(MultiplyOperator.self, giving: value, clamp: .relu6) != nil
    return isFused ? (value, 6, true) : nil
  }

  /// Returns the input of `RELU(x)` or `MAX(x, 0)`.
  private func nonnegative(_ value: ValueID) -> ValueID? {
    if let input = operand(ReluOperator.self, giving: value) { return input }
    guard let (input, bound) = bounded(MaximumOperator.self, value), bound == 0 else { return nil }
    return input
  }

  private func bounded<Bound: ArithmeticOperator>(
    _ type: Bound.Type, _ value: ValueID
  ) -> (input: ValueID, bound: Float)? {
    for (input, bound) in bothOrders(operands(type, giving: value)) {
      if let bound = number(bound) { return (input, bound) }
    }
    return nil
  }
}

/// GELU's approximation with a hyperbolic tangent as several operators: `x / 2 · (1 + TANH(√(2/π) (x + 0.044715 x³)))`.
/// The model format has no operator for the error function of the exact GELU.
struct GeluPattern: GatedProductPattern {
  let roots: [any Operator.Type] = [MultiplyOperator.self, DivideOperator.self]

  func mayBeGate(_ value: ValueID, in graph: PatternGraph) -> Bool { tangent(value, graph) != nil }

  func gate(
    _ value: ValueID, of input: ValueID, in graph: PatternGraph
  ) -> (factor: Double, operation: any Operator)? {
    guard let (argument, height) = tangent(value, graph), let inner = graph.polynomial(argument, in: input) else {
      return nil
    }
    let slope = (2 / Double.pi).squareRoot()
    return inner.isClose(to: Polynomial(0, slope, 0, slope * 0.044715))
      ? (0.5 / height, GeluOperator(isApproximate: true)) : nil
  }

  /// Returns the argument and the factor of `height · (1 + TANH(argument))`.
  private func tangent(_ value: ValueID, _ graph: PatternGraph) -> (argument: ValueID, height: Double)? {
    for (term, height) in bothOrders(graph.operands(AddOperator.self, giving: value)) {
      guard let height = graph.number(height), height != 0 else { continue }
      let scaled = graph.scaled(term)
      guard let argument = graph.operand(TanhOperator.self, giving: scaled?.value ?? term),
        scaled?.factor ?? 1 == height
      else { continue }
      return (argument, Double(height))
    }
    return nil
  }
}

/// `x · LOGISTIC(x)`, which has no operator in the model format.
struct SwishPattern: GatedProductPattern {
  let roots: [any Operator.Type] = [MultiplyOperator.self]

  func mayBeGate(_ value: ValueID, in graph: PatternGraph) -> Bool {
    graph.operand(LogisticOperator.self, giving: value) != nil
  }

  func gate(
    _ value: ValueID, of input: ValueID, in graph: PatternGraph
  ) -> (factor: Double, operation: any Operator)? {
    graph.operand(LogisticOperator.self, giving: value) == input ? (1, SwishOperator()) : nil
  }
}
