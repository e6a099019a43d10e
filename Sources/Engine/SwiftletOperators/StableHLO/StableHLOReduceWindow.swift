import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_REDUCE_WINDOW: windows of a padded tensor reduced to one element each, by the operator of a subgraph.
///
/// - Shapes: input of rank 1 to 8; initial value of one element; options give for every axis the window, its stride,
///   the distance of the input's elements, that of the window's, and two paddings, of which negative ones crop.
/// - Types: float32, float64, int8, uint8, int16, int32, int64, bool.
/// - Throws: when the subgraph is not one addition, multiplication, minimum, maximum, and, or.
/// - Source: operator 198 of the model format. Padding holds the initial value.
struct StableHLOReduceWindowOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stablehloReduceWindow, versions: 1...1, types: .uniform(WindowReduction.types))
  }

  private let windows: [Int]
  private let strides: [Int]
  private let spacings: [Int]
  private let dilations: [Int]
  private let paddings: [Int]
  private let function: WindowFunction

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    windows = try node.options[StableHLOReduceWindowOptions.windowDimensions]
    let rank = windows.count
    func numbers(_ field: OptionField<[Int]>, default value: Int, count: Int) throws -> [Int] {
      let values = try node.options[field]
      return values.isEmpty ? Array(repeating: value, count: count) : values
    }
    strides = try numbers(StableHLOReduceWindowOptions.windowStrides, default: 1, count: rank)
    spacings = try numbers(StableHLOReduceWindowOptions.baseDilations, default: 1, count: rank)
    dilations = try numbers(StableHLOReduceWindowOptions.windowDilations, default: 1, count: rank)
    paddings = try numbers(StableHLOReduceWindowOptions.padding, default: 0, count: 2 * rank)
    guard [strides.count, spacings.count, dilations.count].allSatisfy({ $0 == rank }), paddings.count == 2 * rank,
      spacings.allSatisfy({ $0 > 0 })
    else { throw node.invalid("its windows, strides, dilations and paddings must be as many, and distances positive") }
    let kind = try node.operation(ofSubgraph: try node.options[StableHLOReduceWindowOptions.bodySubgraphIndex])
    guard let function = WindowFunction(kind) else {
      throw node.invalid("cannot reduce windows by \(kind?.name ?? "a subgraph without operators")")
    }
    self.function = function
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(1)
    return [Shape(try axes(node).map(\.count))]
  }

  private func axes(_ node: NodeView) throws -> [SlidingAxis] {
    let input = try node.input(0)
    guard input.shape.rank == windows.count, input.shape.rank > 0 else {
      throw node.invalid("has windows of \(windows.count) axes, input \(input) has \(input.shape.rank)")
    }
    return try windows.indices.map { axis in
      let spacing = SpacedAxis(
        size: input.shape[axis], interior: spacings[axis] - 1, before: paddings[2 * axis], after: paddings[2 * axis + 1]
      )
      guard let size = spacing.spacedSize, size > 0 || input.shape[axis] == 0 else {
        throw node.invalid("cropping leaves nothing of axis \(axis) of input \(input)")
      }
      return try SlidingAxis(spacing, window: windows[axis], stride: strides[axis], dilation: dilations[axis], node)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try WindowReduction(axes(context.node), of: context.node.input(0).shape, context.node).prepare(context, function)
  }
}
