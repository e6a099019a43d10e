import SwiftletEngine

extension StridedCopy {
  /// A dense tensor written as steps `start ..< start + count` along `axis` of a tensor of shape `whole`.
  static func joining(elementBytes: Int, whole: Shape, axis: Int, start: Int, count: Int) -> StridedCopy {
    let (outer, step) = outerCountAndStep(elementBytes, whole, axis)
    let loops = [
      CopyLoop(count: outer, sourceStride: count &* step, destinationStride: whole[axis] &* step),
      CopyLoop(count: count &* step, sourceStride: 1, destinationStride: 1),
    ]
    return StridedCopy(elementBytes: 1, loops: loops, destinationOffset: start &* step)
  }

  /// Steps `start ..< start + count` along `axis` of a tensor of shape `whole`, written as a dense tensor.
  static func cutting(elementBytes: Int, whole: Shape, axis: Int, start: Int, count: Int) -> StridedCopy {
    let (outer, step) = outerCountAndStep(elementBytes, whole, axis)
    let loops = [
      CopyLoop(count: outer, sourceStride: whole[axis] &* step, destinationStride: count &* step),
      CopyLoop(count: count &* step, sourceStride: 1, destinationStride: 1),
    ]
    return StridedCopy(elementBytes: 1, loops: loops, sourceOffset: start &* step)
  }

  private static func outerCountAndStep(_ elementBytes: Int, _ whole: Shape, _ axis: Int) -> (outer: Int, step: Int) {
    (whole.elementCount(0..<axis), whole.elementCount((axis + 1)..<whole.rank) &* elementBytes)
  }
}

extension PreparedOperator {
  /// Input `input`, of shape `whole`, cut along `axis` into one output per element of `counts`, which add up to the
  /// axis's size.
  init(splitting whole: Shape, axis: Int, counts: [Int], input: Int, _ context: PrepareContext) throws {
    guard whole.elementCount > 0 else {
      self = .empty
      return
    }
    context.uses("strided copy", .none)
    let elementBytes = try context.node.elementBytes(ofInput: input)
    let source = try context.inputSlot(input)
    var start = 0
    var parts: [CopyPart] = []
    for (index, count) in counts.enumerated() {
      let copy = StridedCopy.cutting(elementBytes: elementBytes, whole: whole, axis: axis, start: start, count: count)
      parts.append(CopyPart(copy: copy, source: source, destination: try context.outputSlot(index)))
      start += count
    }
    self.init(copies: parts)
  }
}
