import SwiftletSchema

/// MIRROR_PAD: the input's own border, mirrored, around it.
///
/// - Shapes: input of any rank; paddings `[rank, 2]`, in front and behind, at most the axis's size, one less when the border itself
///   is not repeated.
/// - Types: data of every type of whole bytes; paddings int32 or int64.
/// - Source: operator 100 of the model format.
struct MirrorPadOperator: Operator {
  static let identity = OperatorIdentity(
    .mirrorPad, versions: 1...3, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))

  /// How far the mirror lies from the border element: 1 when that is not repeated, 0 when it is.
  private let offset: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    switch try node.options.byte(0) {
    case 0: offset = 1
    case 1: offset = 0
    case let mode: throw node.invalid("has mirror mode \(mode), which the format does not define")
    }
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] { [Shape(try axes(node).compactMap(\.paddedSize))] }

  private func axes(_ node: NodeView) throws -> [PadGeometry.Axis] {
    let axes = try node.paddedAxes()
    for (index, axis) in axes.enumerated() {
      let most = axis.size - offset
      let isValid = axis.before >= 0 && axis.after >= 0 && axis.before <= max(0, most) && axis.after <= max(0, most)
      guard isValid else {
        throw node.invalid(
          "paddings \(axis.before) and \(axis.after) of axis \(index) of input \(try node.input(0)) must be from 0 to \(most)")
      }
    }
    return axes
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    try node.requireSameQuantization()
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let input = try node.input(0).shape
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    let elementBytes = try node.elementBytes(ofInput: 0)
    let inputStrides = input.strides
    let outputStrides = output.strides

    var parts: [MirrorPart] = [MirrorPart()]
    for (index, axis) in try axes(node).enumerated() {
      // In front and behind, the source runs backwards.
      let segments = [
        (count: axis.before, source: axis.before - 1 + offset, step: -1, destination: 0),
        (count: axis.size, source: 0, step: 1, destination: axis.before),
        (count: axis.after, source: axis.size - 1 - offset, step: -1, destination: axis.before + axis.size),
      ]
      parts = parts.flatMap { part in
        segments.filter { $0.count > 0 }.map { segment in
          var part = part
          part.counts.append(segment.count)
          part.sourceStrides.append(segment.step * inputStrides[index])
          part.sourceStart += segment.source * inputStrides[index]
          part.destinationStart += segment.destination * outputStrides[index]
          return part
        }
      }
    }
    return PreparedOperator(
      copies: parts.map { part in
        let copy = StridedCopy(
          elementBytes: elementBytes, counts: part.counts, sourceStrides: part.sourceStrides,
          destinationStrides: outputStrides, sourceStart: part.sourceStart, destinationStart: part.destinationStart)
        return CopyPart(copy: copy, source: source, destination: destination)
      })
  }
}

/// A box of the output that shows the input in one direction along every axis.
private struct MirrorPart {
  var counts: [Int] = []
  var sourceStrides: [Int] = []
  var sourceStart = 0
  var destinationStart = 0
}
