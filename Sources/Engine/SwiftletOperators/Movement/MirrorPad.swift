import SwiftletEngine
import SwiftletSchema

/// MIRROR_PAD: padding with the mirrored border of the input.
///
/// - Shapes: input of any rank; paddings `[rank, 2]`, before and after, at most the size of the axis, or one less if
///   the border element isn't repeated.
/// - Types: data of every type of whole bytes; paddings int32 or int64.
/// - Source: operator 100 of the model format.
struct MirrorPadOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .mirrorPad, versions: 1...3, types: .uniform(TypeSet.plain.types, then: [.int32, .int64]))
  }

  /// The distance of the mirror axis from the border element: 1 if the border element isn't repeated, and 0 if it is.
  private let offset: Int

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...2)
    let mode = try node.options.code(of: MirrorPadOptions.mode)
    switch MirrorPadMode(rawValue: mode) {
    case .reflect: offset = 1
    case .symmetric: offset = 0
    case nil: throw node.invalid("has mirror mode \(mode), which the format does not define")
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
          "paddings \(axis.before) and \(axis.after) of axis \(index) of input \(try node.input(0)) must be from 0 to \(most)"
        )
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

    // Every mirrored axis triples the number of boxes, and many small boxes take more memory than the tensor.
    let axes = try axes(node)
    guard axes.count(where: { $0.before > 0 || $0.after > 0 }) <= 2 else {
      let rows = MirrorRows(axes: axes, offset: offset, inputStrides: inputStrides, elementBytes: elementBytes)
      return PreparedOperator(items: output.elementCount / output.innermost, cost: rows.cost) { run, items in
        for row in items { rows.write(row, from: run.pointer(source), to: run.pointer(destination)) }
      }
    }
    var parts: [MirrorPart] = [MirrorPart()]
    for (index, axis) in axes.enumerated() {
      // Before and after the input, the source is read backward.
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

/// A box of the output that contains the input in one direction along every axis.
private struct MirrorPart {
  var counts: [Int] = []
  var sourceStrides: [Int] = []
  var sourceStart = 0
  var destinationStart = 0
}

/// The output as rows along its last axis. The position of each row in the input is computed separately.
private struct MirrorRows: Sendable {
  let axes: [PadGeometry.Axis]
  let offset: Int
  let inputStrides: [Int]
  let elementBytes: Int

  /// The approximate time per row in nanoseconds.
  var cost: Double {
    let last = axes[axes.count - 1]
    return Double(last.size * elementBytes) * 0.05 + Double(last.before + last.after) * 2 + Double(10 * axes.count)
  }

  /// Returns the step of an input axis that corresponds to step `position` of the output axis.
  private func source(_ position: Int, _ axis: PadGeometry.Axis) -> Int {
    let step = position &- axis.before
    if step < 0 { return offset &- 1 &- step }
    return step < axis.size ? step : 2 &* axis.size &- 1 &- offset &- step
  }

  func write(_ row: Int, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer) {
    let last = axes[axes.count &- 1]
    var rest = row, start = 0
    for index in stride(from: axes.count &- 2, through: 0, by: -1) {
      let axis = axes[index]
      let (quotient, position) = rest.quotientAndRemainder(dividingBy: axis.before &+ axis.size &+ axis.after)
      start &+= self.source(position, axis) &* inputStrides[index]
      rest = quotient
    }
    let size = last.before &+ last.size &+ last.after
    let from = source + start &* elementBytes, to = destination + row &* size &* elementBytes
    moveBytes(last.size &* elementBytes, from: from, to: to + last.before &* elementBytes)
    for position in 0..<(last.before &+ last.after) {
      let place = position < last.before ? position : position &+ last.size
      moveBytes(elementBytes, from: from + self.source(place, last) &* elementBytes, to: to + place &* elementBytes)
    }
  }
}
