import SwiftletEngine
import SwiftletSchema

/// DYNAMIC_UPDATE_SLICE: the data with a box of it replaced.
///
/// - Shapes: data; update of the same rank, nowhere larger; start `[rank]`, moved so that the box lies inside.
/// - Types: data of every type of whole bytes; start int32 or int64.
/// - Source: operator 151 of the model format.
struct DynamicUpdateSliceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .dynamicUpdateSlice, versions: 1...6,
      types: TypeSet.plain.union(.narrow).types.map {
        TypeCombination(inputs: [TypeSet($0), TypeSet($0), [.int32, .int64]], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let data = try node.input(0)
    let update = try node.input(1)
    guard update.shape.rank == data.shape.rank,
      zip(update.shape.dimensions, data.shape.dimensions).allSatisfy({ $0 <= $1 })
    else { throw node.invalid("update \(update) must have the rank of data \(data) and be nowhere larger") }
    guard try node.input(2).shape == [data.shape.rank] else {
      throw node.invalid("start \(try node.input(2)) must have one element for each axis of data \(data)")
    }
    return [data.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let shape = try node.input(0).shape
    let updateShape = try node.input(1).shape
    guard shape.elementCount > 0 else { return .empty }
    let elementBytes = try node.elementBytes(ofInput: 0)
    let data = CopyPart(
      copy: StridedCopy(
        elementBytes: elementBytes, counts: [shape.elementCount], sourceStrides: [1], destinationStrides: [1]),
      source: try context.inputSlot(0), destination: try context.outputSlot(0))
    let box = StridedCopy(
      elementBytes: elementBytes, counts: updateShape.dimensions, sourceStrides: updateShape.strides,
      destinationStrides: shape.strides)
    let start = try IndexTensor(input: 2, context)
    let latest = zip(shape.dimensions, updateShape.dimensions).map { $0 - $1 }
    let strides = shape.strides.map { $0 &* elementBytes }
    let (update, destination) = (try context.inputSlot(1), data.destination)
    let replace = PreparedOperator.Stage(items: box.itemCount, cost: box.itemCost) { run, items in
      let start = start.values(run)
      var offset = 0
      for axis in latest.indices { offset &+= min(max(0, start[axis]), latest[axis]) &* strides[axis] }
      box.run(items, from: run.pointer(update), to: run.pointer(destination).advanced(by: offset))
    }
    if shape == updateShape { return PreparedOperator(stages: [replace]) }
    return PreparedOperator(stages: [.init(copies: [data]), replace])
  }
}
