import SwiftletEngine
import SwiftletSchema

/// STABLEHLO_GATHER: slices of a tensor at the positions given by index vectors.
///
/// - Shapes: operand of any rank; indices with index vectors along `index_vector_dim`, or of one number each if
///   `index_vector_dim` is the rank. The output has the other axes of the indices, and at `offset_dims` the axes of the
///   slices that aren't collapsed.
/// - Types: data of every type of 1, 2, 4, or 8 bytes; indices int32 or int64.
/// - Source: operator 201 of the model format. Slices are clamped so that they are inside the operand. Slices have one
///   element along collapsed axes.
struct StableHLOGatherOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .stablehloGather, versions: 1...1,
      types: .uniform(TypeSet.plain.types.filter { ($0.byteWidth ?? 16) <= 8 }, then: [.int32, .int64]))
  }

  private let offsetAxes: [Int]
  private let collapsedAxes: [Int]
  private let indexedAxes: [Int]
  private let vectorAxis: Int
  private let sliceSizes: [Int]

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    offsetAxes = try node.options[StableHLOGatherOptions.offsetDimensions]
    collapsedAxes = try node.options[StableHLOGatherOptions.collapsedSliceDimensions]
    indexedAxes = try node.options[StableHLOGatherOptions.startIndexMap]
    vectorAxis = try node.options[StableHLOGatherOptions.indexVectorDimension]
    sliceSizes = try node.options[StableHLOGatherOptions.sliceSizes]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [try plan(node).shape] }

  /// The mapping from output positions to positions in the operand and in the indices.
  private struct Plan {
    var shape: Shape
    /// The number of operand elements per step along each axis of the output.
    var operandStrides: [Int]
    var indexStrides: [Int]
    /// The operand stride and limit of each number in an index vector.
    var moves: [(operandStride: Int, limit: Int)]
    var vectorStride: Int
  }

  private func plan(_ node: NodeView) throws -> Plan {
    let (operand, indices) = (try node.input(0), try node.input(1))
    let vectors = try IndexVectorAxes(indices, vectorAxis: vectorAxis, count: indexedAxes.count, node)
    let kept = operand.shape.dimensions.indices.filter { !collapsedAxes.contains($0) }
    let rank = offsetAxes.count + vectors.sizes.count
    guard sliceSizes.count == operand.shape.rank,
      zip(sliceSizes, operand.shape.dimensions).allSatisfy({ $0 >= 0 && $0 <= $1 })
    else {
      throw node.invalid("slices of \(sliceSizes) are inconsistent with operand \(operand)")
    }
    guard collapsedAxes.areDifferent(below: operand.shape.rank), indexedAxes.areDifferent(below: operand.shape.rank),
      offsetAxes.areDifferent(below: rank), offsetAxes.count == kept.count
    else {
      throw node.invalid(
        "its axes do not fit: \(offsetAxes) of the output for slices, \(collapsedAxes) collapsed and \(indexedAxes) indexed of operand \(operand)"
      )
    }
    // The format requires it. An empty slice could begin past the end of its axis.
    guard collapsedAxes.allSatisfy({ sliceSizes[$0] == 1 }) else {
      throw node.invalid(
        "collapses axes \(collapsedAxes) of slices of \(sliceSizes); collapsed axes must have slices of 1")
    }
    let strides = operand.shape.strides
    var plan = Plan(
      shape: Shape(Array(repeating: 0, count: rank)), operandStrides: Array(repeating: 0, count: rank),
      indexStrides: Array(repeating: 0, count: rank),
      moves: indexedAxes.map { (strides[$0], operand.shape[$0] - sliceSizes[$0]) }, vectorStride: vectors.vectorStride)
    for (axis, source) in zip(offsetAxes.sorted(), kept) {
      plan.shape[axis] = sliceSizes[source]
      plan.operandStrides[axis] = strides[source]
    }
    let batchAxes = (0..<rank).filter { !offsetAxes.contains($0) }
    for (position, axis) in batchAxes.enumerated() {
      plan.shape[axis] = vectors.sizes[position]
      plan.indexStrides[axis] = vectors.strides[position]
    }
    return plan
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    switch try context.node.elementBytes(ofInput: 0) {
    case 1: try gather(context, UInt8.self)
    case 2: try gather(context, UInt16.self)
    case 4: try gather(context, UInt32.self)
    default: try gather(context, UInt64.self)
    }
  }

  private func gather<Element: IntegerElement>(_ context: PrepareContext, _ type: Element.Type) throws
    -> PreparedOperator
  {
    let plan = try plan(context.node)
    let sizes = plan.shape.dimensions
    let (operandStrides, indexStrides, moves, vectorStride) = (
      plan.operandStrides, plan.indexStrides, plan.moves, plan.vectorStride
    )
    let indices = try IndexTensor(input: 1, context)
    let (source, destination) = (try context.inputSlot(0), try context.outputSlot(0))
    let cost = Double(4 * sizes.count + 3 * moves.count + 2)
    return PreparedOperator(items: plan.shape.elementCount, cost: cost) { run, items in
      let (input, output) = (run.pointer(source, as: type), run.pointer(destination, as: type))
      let numbers = indices.values(run)
      for item in items {
        var (place, vector, rest) = (0, 0, item)
        for axis in stride(from: sizes.count &- 1, through: 0, by: -1) {
          let (quotient, position) = rest.quotientAndRemainder(dividingBy: sizes[axis])
          place &+= position &* operandStrides[axis]
          vector &+= position &* indexStrides[axis]
          rest = quotient
        }
        for (number, move) in moves.enumerated() {
          place &+= min(max(numbers[vector &+ number &* vectorStride], 0), move.limit) &* move.operandStride
        }
        output[item] = input[place]
      }
    }
  }
}

/// The axes of a tensor of index vectors, without the axis of the vectors.
struct IndexVectorAxes {
  let sizes: [Int]
  /// The strides in elements.
  let strides: [Int]
  let vectorStride: Int

  /// Creates the axes.
  ///
  /// - Throws: An error if vectors don't have `count` numbers.
  init(_ indices: TensorSpec, vectorAxis: Int, count: Int, _ node: NodeView) throws {
    let rank = indices.shape.rank
    guard (0...rank).contains(vectorAxis), vectorAxis == rank ? count == 1 : indices.shape[vectorAxis] == count else {
      throw node.invalid("indices \(indices) do not contain vectors of \(count) numbers along axis \(vectorAxis)")
    }
    let all = indices.shape.strides
    let others = (0..<rank).filter { $0 != vectorAxis }
    sizes = others.map { indices.shape[$0] }
    strides = others.map { all[$0] }
    vectorStride = vectorAxis == rank ? 0 : all[vectorAxis]
  }
}

extension [Int] {
  /// Returns whether all numbers are distinct and are axes of a tensor of rank `rank`.
  func areDifferent(below rank: Int) -> Bool {
    Set(self).count == count && allSatisfy { (0..<rank).contains($0) }
  }
}
