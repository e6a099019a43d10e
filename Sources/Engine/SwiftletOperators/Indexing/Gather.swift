import SwiftletEngine
import SwiftletSchema

/// GATHER: the steps along one axis that indices name.
///
/// - Shapes: data, indices; output `data[..<axis] + indices[batchDimensions...] + data[(axis + 1)...]`. The leading
///   `batchDimensions` axes of both inputs go together.
/// - Types: data of every type of fixed size, and strings; indices int16, int32 or int64.
/// - Throws: in a run, when an index is outside of the axis.
/// - Source: operator 36 of the model format.
struct GatherOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .gather, versions: 1...8, types: .uniform(TypeSet.movable.types, then: IndexTensor.types))
  }

  private let axis: Int
  private let batchDimensions: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    axis = try node.options[GatherOptions.axis]
    batchDimensions = try node.options[GatherOptions.batchDimensions]
  }

  /// The axis and the number of batch axes, counted from the front.
  private func resolved(_ node: NodeView) throws -> (axis: Int, batch: Int) {
    let data = try node.input(0)
    let indices = try node.input(1)
    let axis = try node.axis(axis, of: data)
    let batch = batchDimensions < 0 ? batchDimensions + indices.shape.rank : batchDimensions
    guard batch >= 0, batch <= axis, batch <= indices.shape.rank,
      data.shape.dimensions.prefix(batch) == indices.shape.dimensions.prefix(batch)
    else {
      throw node.invalid(
        "\(batchDimensions) batch axes do not fit data \(data), indices \(indices) and axis \(axis): they must be equal in both and lie before the axis"
      )
    }
    return (axis, batch)
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (axis, batch) = try resolved(node)
    let data = try node.input(0).shape.dimensions
    let indices = try node.input(1).shape.dimensions
    return [Shape(Array(data[..<axis]) + Array(indices[batch...]) + Array(data[(axis + 1)...]))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let (axis, batch) = try resolved(node)
    let data = try node.input(0).shape
    let indexShape = try node.input(1).shape
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let bytes = data.elementCount((axis + 1)..<data.rank) &* (try node.elementBytes(ofInput: 0))
    let size = data[axis]
    let outerCount = data.elementCount(batch..<axis)
    let indexCount = indexShape.elementCount(batch..<indexShape.rank)
    let batchCount = data.elementCount(0..<batch)
    let indices = try IndexTensor(input: 1, context)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let location = node.node.location

    return PreparedOperator(items: batchCount &* outerCount &* indexCount, cost: Double(bytes) * 0.05 + 3) {
      run, items in
      let from = run.pointer(source)
      let to = run.pointer(destination)
      let indices = indices.values(run)
      var (outer, position) = items.lowerBound.quotientAndRemainder(dividingBy: indexCount)
      var item = items.lowerBound
      while item < items.upperBound {
        let first = outer / outerCount &* indexCount &+ position
        let count = min(indexCount &- position, items.upperBound &- item)
        if let outside = indices.position(outside: size, in: first..<first &+ count) {
          throw RuntimeError.index(indices[outside], position: outside, size: size, at: location)
        }
        indices.copyRows(
          first..<first &+ count, of: bytes, from: from + outer &* size &* bytes, to: to + item &* bytes)
        item &+= count
        position = 0
        outer &+= 1
      }
    }
  }
}
