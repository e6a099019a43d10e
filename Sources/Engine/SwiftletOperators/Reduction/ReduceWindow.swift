import SwiftletEngine
import SwiftletSchema

/// REDUCE_WINDOW: windows of a tensor reduced to one element each.
///
/// - Shapes: input of rank 1 to 8; initial value of one element; windows, strides and dilations `[rank]`.
/// - Types: data float32, float64, int8, uint8, int16, int32, int64, bool; the others int64.
/// - Throws: when the function is none of those that the format defines.
/// - Source: operator 205 of the model format.
struct ReduceWindowOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reduceWindow, versions: 1...1,
      types: WindowReduction.types.map {
        TypeCombination(inputs: [TypeSet($0), TypeSet($0), .int64], outputs: [TypeSet($0)])
      })
  }

  private let function: WindowFunction

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 5...5)
    let code = try node.options.code(of: ReduceWindowOptions.reduceFunction)
    guard let function = ReduceWindowFunction(rawValue: code).flatMap(WindowFunction.init) else {
      throw node.invalid("has window function \(code), it must be 1 to 6")
    }
    self.function = function
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(1)
    return [Shape(try axes(node).map(\.count))]
  }

  private func axes(_ node: NodeView) throws -> [SlidingAxis] {
    let input = try node.input(0)
    let numbers = try (2...4).map { index in
      let values = try node.integers(index)
      guard values.count == input.shape.rank, input.shape.rank > 0 else {
        throw node.invalid(
          "input \(index) must hold one number for each axis of input \(input), it holds \(values.count)")
      }
      return values
    }
    return try input.shape.dimensions.enumerated().map { axis, size in
      try SlidingAxis(
        SpacedAxis(size: size, interior: 0, before: 0, after: 0), window: numbers[0][axis], stride: numbers[1][axis],
        dilation: numbers[2][axis], node)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try WindowReduction(axes(context.node), of: context.node.input(0).shape, context.node).prepare(context, function)
  }
}

extension WindowFunction {
  fileprivate init?(_ function: ReduceWindowFunction) {
    switch function {
    case .unsupported: return nil
    case .add: self = .add
    case .multiply: self = .multiply
    case .minimum: self = .minimum
    case .maximum: self = .maximum
    case .all: self = .all
    case .any: self = .any
    }
  }
}
