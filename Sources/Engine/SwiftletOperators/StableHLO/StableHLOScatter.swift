import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_SCATTER: a tensor with updates at the positions given by index vectors, either replaced or combined by the
/// operator of a subgraph.
///
/// - Shapes: input of any rank, with the output shape; indices with index vectors along `index_vector_dim`, or of one
///   number each if `index_vector_dim` is the rank; updates with the other axes of the indices, and windows along
///   `update_window_dims`.
/// - Types: data float32, float16, float64, integers of 8 to 64 bits, bool; indices int32 or int64.
/// - Throws: An error if the subgraph isn't empty or a single addition, multiplication, minimum, or maximum.
/// - Source: operator 190 of the model format. Updates outside the input are ignored, and overlapping updates are
///   applied in order.
struct StableHLOScatterOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stablehloScatter, versions: 1...1,
      types: StableHLOAddOperator.realAndIntegerTypes.map {
        TypeCombination(inputs: [TypeSet($0), [.int32, .int64], TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  private let windowAxes: [Int]
  private let insertedAxes: [Int]
  private let indexedAxes: [Int]
  private let vectorAxis: Int
  private let combination: Combination

  private enum Combination {
    case update, add, multiply, minimum, maximum
  }

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 3...3)
    windowAxes = try node.options[StableHLOScatterOptions.updateWindowDimensions]
    insertedAxes = try node.options[StableHLOScatterOptions.insertedWindowDimensions]
    indexedAxes = try node.options[StableHLOScatterOptions.scatterDimensionsToOperandDimensions]
    vectorAxis = try node.options[StableHLOScatterOptions.indexVectorDimension]
    let kind = try node.operation(ofSubgraph: try node.options[StableHLOScatterOptions.updateComputationSubgraphIndex])
    switch kind {
    case nil: combination = .update
    case .builtin(.stablehloAdd), .builtin(.add): combination = .add
    case .builtin(.stablehloMultiply), .builtin(.mul): combination = .multiply
    case .builtin(.stablehloMaximum), .builtin(.maximum): combination = .maximum
    case .builtin(.stablehloMinimum), .builtin(.minimum): combination = .minimum
    case let kind?: throw node.invalid("cannot combine updates by \(kind.name)")
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    _ = try plan(node)
    return [try node.input(0).shape]
  }

  /// The mapping from update positions to positions in the input and in the indices.
  private struct Plan {
    /// For every axis of the updates, the input axis of which it is a window, or `nil`.
    var inputAxes: [Int?]
    var indexStrides: [Int]
    var vectorStride: Int
  }

  private func plan(_ node: NodeView) throws -> Plan {
    let (input, indices, updates) = (try node.input(0), try node.input(1), try node.input(2))
    let vectors = try IndexVectorAxes(indices, vectorAxis: vectorAxis, count: indexedAxes.count, node)
    let kept = input.shape.dimensions.indices.filter { !insertedAxes.contains($0) }
    guard insertedAxes.areDifferent(below: input.shape.rank), indexedAxes.areDifferent(below: input.shape.rank),
      windowAxes.areDifferent(below: updates.shape.rank), windowAxes.count == kept.count,
      updates.shape.rank == windowAxes.count + vectors.sizes.count
    else {
      throw node.invalid(
        "its axes do not fit: \(windowAxes) of updates \(updates) are windows, \(insertedAxes) inserted and \(indexedAxes) indexed of input \(input)"
      )
    }
    var plan = Plan(
      inputAxes: Array(repeating: nil, count: updates.shape.rank),
      indexStrides: Array(repeating: 0, count: updates.shape.rank), vectorStride: vectors.vectorStride)
    for (axis, target) in zip(windowAxes.sorted(), kept) { plan.inputAxes[axis] = target }
    let others = updates.shape.dimensions.indices.filter { !windowAxes.contains($0) }
    for (position, axis) in others.enumerated() {
      guard updates.shape[axis] == vectors.sizes[position] else {
        throw node.invalid("axis \(axis) of updates \(updates) must be as long as that of indices \(indices)")
      }
      plan.indexStrides[axis] = vectors.strides[position]
    }
    return plan
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let input = try context.node.input(0)
    switch input.elementType {
    case .float32: return try scatter(context, Float.self, Self.combined)
    case .float64: return try scatter(context, Double.self, Self.combined)
    case .float16:
      return try scatter(context, Half.self) { combination, old, new in
        Half(Self.combined(combination, old.floatValue, new.floatValue))
      }
    case .int8: return try scatter(context, Int8.self, Self.integer)
    case .int16: return try scatter(context, Int16.self, Self.integer)
    case .int32: return try scatter(context, Int32.self, Self.integer)
    case .int64: return try scatter(context, Int64.self, Self.integer)
    case .uint8: return try scatter(context, UInt8.self, Self.integer)
    case .uint16: return try scatter(context, UInt16.self, Self.integer)
    case .uint32: return try scatter(context, UInt32.self, Self.integer)
    case .uint64: return try scatter(context, UInt64.self, Self.integer)
    case .bool: return try scatter(context, TruthValue.self) { min(Self.integer($0, min($1, 1), min($2, 1)), 1) }
    default: throw context.node.invalid("does not take \(input)")
    }
  }

  @Sendable
  private static func combined<Element: BinaryFloatingPoint>(
    _ combination: Combination, _ old: Element, _ new: Element
  ) -> Element {
    switch combination {
    case .update: new
    case .add: old + new
    case .multiply: old * new
    case .maximum: old < new ? new : old
    case .minimum: new < old ? new : old
    }
  }

  @Sendable
  private static func integer<Element: FixedWidthInteger>(
    _ combination: Combination, _ old: Element, _ new: Element
  ) -> Element {
    switch combination {
    case .update: new
    case .add: old &+ new
    case .multiply: old &* new
    case .maximum: max(old, new)
    case .minimum: min(old, new)
    }
  }

  private func scatter<Element: BitwiseCopyable & Sendable>(
    _ context: PrepareContext, _ type: Element.Type,
    _ combine: @escaping @Sendable (Combination, Element, Element) -> Element
  ) throws -> PreparedOperator {
    let node = context.node
    let (shape, updateSizes) = (try node.input(0).shape, try node.input(2).shape.dimensions)
    let updateCount = try node.input(2).shape.elementCount
    let plan = try plan(node)
    let (inputAxes, indexStrides, vectorStride) = (plan.inputAxes, plan.indexStrides, plan.vectorStride)
    let (strides, sizes, indexedAxes, combination) = (shape.strides, shape.dimensions, indexedAxes, combination)
    let indices = try IndexTensor(input: 1, context)
    let (updates, destination) = (try context.inputSlot(2), try context.outputSlot(0))
    let places = try context.scratch(bytes: max(1, shape.rank) * MemoryLayout<Int>.stride)
    var prepared = try PreparedOperator.copy(context)
    // The copy is changed, so it must not share memory with the input.
    prepared.sharesMemoryWithInput = nil
    let cost = Double(8 * updateSizes.count + 6 * sizes.count + 3 * indexedAxes.count + 10)
    prepared.stages.append(
      contentsOf: PreparedOperator.Stage.inOrder(items: updateCount, cost: cost) { run, _, items in
        let (values, output) = (run.pointer(updates, as: type), run.pointer(destination, as: type))
        let place = run.pointer(places, as: Int.self)
        let numbers = indices.values(run)
        for item in items {
          place.update(repeating: 0, count: sizes.count)
          var (vector, rest) = (0, item)
          for axis in stride(from: updateSizes.count &- 1, through: 0, by: -1) {
            let (quotient, position) = rest.quotientAndRemainder(dividingBy: updateSizes[axis])
            if let target = inputAxes[axis] { place[target] = position }
            vector &+= position &* indexStrides[axis]
            rest = quotient
          }
          for (number, axis) in indexedAxes.enumerated() { place[axis] &+= numbers[vector &+ number &* vectorStride] }
          var offset: Int? = 0
          for axis in 0..<sizes.count {
            guard place[axis] >= 0, place[axis] < sizes[axis] else {
              offset = nil
              break
            }
            offset = offset.map { $0 &+ place[axis] &* strides[axis] }
          }
          if let offset { output[offset] = combine(combination, output[offset], values[item]) }
        }
      })
    return prepared
  }
}
