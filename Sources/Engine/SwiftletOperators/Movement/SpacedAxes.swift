import SwiftletEngine
import SwiftletSchema

/// One axis of a tensor whose elements are spread apart, with padding before and after.
struct SpacedAxis: Sendable, Hashable {
  var size: Int
  /// The number of elements between two adjacent elements.
  var interior: Int
  /// The number of elements before and after. Negative ones crop.
  var before: Int
  var after: Int

  /// A bound above the size of any tensor, and low enough that sums of it fit an integer.
  private static let limit = 1 << 40

  /// The size of the result; `nil` if it exceeds the bound. It is zero or negative if cropping leaves nothing.
  var spacedSize: Int? {
    guard interior >= 0, [interior, before, after].allSatisfy({ $0.magnitude <= Self.limit }) else { return nil }
    let (gaps, isTooWide) = max(size - 1, 0).multipliedReportingOverflow(by: interior)
    return isTooWide || gaps > Self.limit ? nil : size + gaps + before + after
  }

  /// Returns the elements that are kept, and the position of the first of them. `result` is the size of the result.
  func kept(in result: Int) -> (elements: Range<Int>, start: Int) {
    let step = interior + 1
    let first = before >= 0 ? 0 : min(size, (-(before + 1)) / step + 1)
    let room = result - 1 - before
    let end = room < 0 ? 0 : min(size, room / step + 1)
    guard first < end else { return (0..<0, 0) }
    return (first..<end, before + first * step)
  }
}

extension [SpacedAxis] {
  /// Returns the shape of the result. If any axis has no elements, the result has none.
  ///
  /// - Throws: An error if a size exceeds the bound.
  func spacedShape(_ node: NodeView) throws -> Shape {
    let sizes = try enumerated().map { axis, spacing in
      guard let size = spacing.spacedSize else {
        throw node.invalid(
          "axis \(axis) of input \(try node.input(0)) with \(spacing.interior) elements between its elements, \(spacing.before) in front and \(spacing.after) behind is too large"
        )
      }
      return size
    }
    return Shape(sizes.contains { $0 <= 0 } ? sizes.map { _ in 0 } : sizes)
  }
}

extension PreparedOperator {
  /// Prepares output 0, filled with the element of input `value`, with the elements of input 0 spread in it.
  static func spaced(_ context: PrepareContext, _ axes: [SpacedAxis], value: Int) throws -> PreparedOperator {
    let node = context.node
    let elementBytes = try node.elementBytes(ofInput: 0)
    let output = try node.output(0).shape
    guard output.elementCount > 0 else { return .empty }
    let (fill, destination) = (try context.inputSlot(value), try context.outputSlot(0))
    let filling = Stage(items: output.elementCount, cost: Double(elementBytes) * 0.05) { run, range in
      ElementFill(run.pointer(fill), elementBytes: elementBytes)
        .fill(run.pointer(destination) + range.lowerBound * elementBytes, byteCount: range.count * elementBytes)
    }
    let kept = axes.indices.map { axes[$0].kept(in: output[$0]) }
    let (sourceStrides, destinationStrides) = (try node.input(0).shape.strides, output.strides)
    let copy = StridedCopy(
      elementBytes: elementBytes, counts: kept.map(\.elements.count), sourceStrides: sourceStrides,
      destinationStrides: axes.indices.map { destinationStrides[$0] &* (axes[$0].interior &+ 1) },
      sourceStart: axes.indices.reduce(0) { $0 &+ kept[$1].elements.lowerBound &* sourceStrides[$1] },
      destinationStart: axes.indices.reduce(0) { $0 &+ kept[$1].start &* destinationStrides[$1] })
    context.uses("strided copy", .none)
    let copying = Stage(copies: [CopyPart(copy: copy, source: try context.inputSlot(0), destination: destination)])
    return PreparedOperator(stages: [filling, copying])
  }
}

extension NodeView {
  /// Checks input `value`.
  ///
  /// - Throws: An error if the input doesn't have exactly one element.
  func requireSingleElement(_ value: Int) throws {
    let spec = try input(value)
    guard spec.shape.elementCount == 1 else { throw invalid("input \(value) \(spec) must contain one element") }
  }
}

/// DILATE: elements of one value inserted between the elements of a tensor.
///
/// - Shapes: input of rank 1 or more; dilations `[rank]`, the distance between adjacent elements along each axis, at
///   least 1; the value with one element; output sizes `(size − 1) × dilation + 1`.
/// - Types: data of every type of whole bytes; dilations int32.
/// - Source: operator 203 of the model format.
struct DilateOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .dilate, versions: 1...1,
      types: TypeSet.plain.types.map {
        TypeCombination(inputs: [TypeSet($0), .int32, TypeSet($0)], outputs: [TypeSet($0)])
      })
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    try node.requireSingleElement(2)
    return [try axes(node).spacedShape(node)]
  }

  private func axes(_ node: NodeView) throws -> [SpacedAxis] {
    let input = try node.input(0)
    let dilations = try node.integers(1)
    guard input.shape.rank > 0, try node.input(1).shape.dimensions == [input.shape.rank],
      dilations.count == input.shape.rank,
      dilations.allSatisfy({ $0 >= 1 })
    else {
      throw node.invalid("dilations \(dilations) must be one number of 1 or more for each axis of input \(input)")
    }
    return dilations.enumerated().map { axis, dilation in
      SpacedAxis(size: input.shape[axis], interior: dilation - 1, before: 0, after: 0)
    }
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    try .spaced(context, axes(context.node), value: 2)
  }
}
