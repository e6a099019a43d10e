import SwiftletEngine
import SwiftletSchema

/// REVERSE_V2: the elements in reverse order along some axes.
///
/// - Types: data of every type of fixed size, and strings; axes int32.
/// - Source: operator 105 of the model format. The axes needn't be adjacent.
struct ReverseV2Operator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reverseV2, versions: 1...4, types: .uniform(TypeSet.movable.types, then: .int32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...2) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    _ = try axes(node)
    return [try node.input(0).shape]
  }

  private func axes(_ node: NodeView) throws -> Set<Int> {
    let input = try node.input(0)
    return Set(try node.integers(1).map { try node.axis($0, of: input) })
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let shape = try node.input(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let reversed = try axes(node).filter { shape[$0] > 1 }
    if reversed.isEmpty { return try .copy(context) }
    let strides = shape.strides
    let copy = StridedCopy(
      elementBytes: try node.elementBytes(ofInput: 0), counts: shape.dimensions,
      sourceStrides: strides.enumerated().map { reversed.contains($0.offset) ? -$0.element : $0.element },
      destinationStrides: strides, sourceStart: reversed.reduce(0) { $0 + (shape[$1] - 1) * strides[$1] })
    return try PreparedOperator(copy: copy, context)
  }
}

/// REVERSE_SEQUENCE: the first steps of every sequence in a batch in reverse order, and the others unchanged.
///
/// - Shapes: data of any rank; lengths `[batch]`, one per step of the batch axis.
/// - Types: data of every type of whole bytes; lengths int32 or int64.
/// - Throws: An error in a run if a length is negative or longer than the sequence.
/// - Source: operator 112 of the model format.
struct ReverseSequenceOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .reverseSequence, versions: 1...1, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))
  }

  private let sequenceAxis: Int
  private let batchAxis: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    sequenceAxis = try node.options[ReverseSequenceOptions.sequenceDimension]
    batchAxis = try node.options[ReverseSequenceOptions.batchDimension]
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let input = try node.input(0)
    let axes = 0..<input.shape.rank
    guard axes.contains(sequenceAxis), axes.contains(batchAxis), sequenceAxis != batchAxis else {
      throw node.invalid("sequence axis \(sequenceAxis) and batch axis \(batchAxis) must be two axes of input \(input)")
    }
    guard try node.input(1).shape == [input.shape[batchAxis]] else {
      throw node.invalid("lengths \(try node.input(1)) must be one for each of the \(input.shape[batchAxis]) sequences")
    }
    return [input.shape]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    let shape = try node.input(0).shape
    guard shape.elementCount > 0 else { return .empty }
    let (sequenceAxis, batchAxis) = (sequenceAxis, batchAxis)
    let innermost = max(sequenceAxis, batchAxis)
    let bytes = shape.elementCount((innermost + 1)..<shape.rank) &* (try node.elementBytes(ofInput: 0))
    let items = shape.elementCount(0...innermost)
    // The number of items per step along either axis.
    let sequenceStride = shape.elementCount((sequenceAxis + 1)..<(innermost + 1))
    let batchStride = shape.elementCount((batchAxis + 1)..<(innermost + 1))
    let (steps, batch) = (shape[sequenceAxis], shape[batchAxis])
    let lengths = try IndexTensor(input: 1, context)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let location = node.node.location

    return PreparedOperator(items: items, cost: Double(bytes) * 0.05 + 8) { run, items in
      let lengths = lengths.values(run)
      for item in items {
        let sequence = item / batchStride % batch
        let length = lengths[sequence]
        guard length >= 0, length <= steps else {
          throw RuntimeError(
            .invalidInput, "length \(length) of sequence \(sequence) must be from 0 to \(steps)", location: location)
        }
        let step = item / sequenceStride % steps
        let from = step < length ? item &+ (length &- 1 &- 2 &* step) &* sequenceStride : item
        moveBytes(
          bytes, from: run.pointer(source).advanced(by: from &* bytes),
          to: run.pointer(destination).advanced(by: item &* bytes))
      }
    }
  }
}
