import SwiftletEngine
import SwiftletSchema

/// The common part of PAD and PADV2: padding of the input with a constant value.
///
/// - Shapes: input of any rank; paddings `[rank, 2]`, before and after, where negative ones crop; the value, if given,
///   one element.
/// - Types: data of every type of whole bytes; paddings int8, int16, int32, int64, or bool.
protocol ConstantPadding: PaddingOperator, AxisNamingOperator {
  /// The row of the paddings for each axis of the input; `nil` if they are in axis order.
  var axisOrder: [Int]? { get set }
}

extension ConstantPadding {
  static var types: [TypeCombination] {
    TypeSet.plain.types.map {
      TypeCombination(
        inputs: [TypeSet($0), [.int8, .int16, .int32, .int64, .bool], TypeSet($0)], outputs: [TypeSet($0)])
    }
  }

  var layoutBehavior: LayoutBehavior { .named(self) }

  func reorderableInputCount(_ node: NodeView) -> Int { 1 }

  func reordered(_ order: [Int], _ node: NodeView) throws -> any Operator {
    var reordered = self
    reordered.axisOrder = order.map { axisOrder?[$0] ?? $0 }
    return reordered
  }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    if let value = node.optionalInput(2), value.shape.elementCount != 1 {
      throw node.invalid("the padding value \(value) must contain one element")
    }
    return [Shape(try node.paddedAxes(axisOrder).compactMap(\.paddedSize))]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let elementBytes = try node.elementBytes(ofInput: 0)
    let geometry = PadGeometry(try node.paddedAxes(axisOrder), elementBytes: elementBytes)
    let zero = ElementFill(node.quantizedZero(ofOutput: 0), elementBytes: elementBytes)
    let value = context.optionalInputSlot(2)
    let source = try context.inputSlot(0)
    let destination = try context.outputSlot(0)
    return PreparedOperator(items: geometry.rowCount, cost: Double(geometry.rowBytes) * 0.05 + 10) { run, rows in
      let fill = value.map { ElementFill(run.pointer($0), elementBytes: elementBytes) } ?? zero
      geometry.fill(rows, with: fill, from: run.pointer(source), to: run.pointer(destination))
    }
  }

  func foldablePadding(_ node: NodeView) throws -> ExplicitPadding? {
    let input = try node.input(0)
    guard input.shape.rank == 4, node.isConstant(1), try input.quantization == node.output(0).quantization else {
      return nil
    }
    let axes = try node.paddedAxes(axisOrder)
    guard axes.allSatisfy({ $0.before >= 0 && $0.after >= 0 }), try isZero(node),
      axes[0].before == 0, axes[0].after == 0, axes[3].before == 0, axes[3].after == 0
    else { return nil }
    return ExplicitPadding(
      top: axes[1].before, bottom: axes[1].after, left: axes[2].before, right: axes[2].after)
  }

  /// Returns whether the value represents zero.
  private func isZero(_ node: NodeView) throws -> Bool {
    guard node.hasInput(2) else { return true }
    guard let bytes = node.constant(2), let start = bytes.baseAddress else { return false }
    switch try node.input(2).elementType {
    case .float32: return start.loadUnaligned(as: Float.self) == 0
    case .int8: return Int64(start.load(as: Int8.self)) == node.quantizedZero(ofOutput: 0)
    case .uint8: return Int64(start.load(as: UInt8.self)) == node.quantizedZero(ofOutput: 0)
    case .int16: return Int64(start.loadUnaligned(as: Int16.self)) == node.quantizedZero(ofOutput: 0)
    default: return false
    }
  }
}

extension PadGeometry {
  fileprivate func fill(
    _ rows: Range<Int>, with fill: ElementFill, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let rowBytes = rowBytes
    var row = rows.lowerBound
    while row < rows.upperBound {
      let (count, sourceRow) = run(from: row, to: rows.upperBound)
      let to = destination.advanced(by: row &* rowBytes)
      row &+= count
      guard copiedBytes > 0, let sourceRow else {
        fill.fill(to, byteCount: count &* rowBytes)
        continue
      }
      let from = source.advanced(by: sourceRow &* sourceRowBytes &+ sourceRowOffset)
      copyRows(count, with: fill, from: from, to: to)
    }
  }

  /// The maximum size, in bytes, of rows that are filled completely before the input is written over the fill.
  private static var shortRow: Int { 256 }

  private func copyRows(
    _ count: Int, with fill: ElementFill, from source: UnsafeRawPointer, to destination: UnsafeMutableRawPointer
  ) {
    let rowBytes = rowBytes
    if copiedBytes == rowBytes, sourceRowBytes == rowBytes {
      return destination.copyMemory(from: source, byteCount: count &* rowBytes)
    }
    let isShort = rowBytes <= Self.shortRow
    if isShort { fill.fill(destination, byteCount: count &* rowBytes) }
    var from = source, to = destination
    for _ in 0..<count {
      if !isShort {
        fill.fill(to, byteCount: leadingBytes)
        fill.fill(to.advanced(by: leadingBytes &+ copiedBytes), byteCount: trailingBytes)
      }
      moveBytes(copiedBytes, from: from, to: to.advanced(by: leadingBytes))
      from = from.advanced(by: sourceRowBytes)
      to = to.advanced(by: rowBytes)
    }
  }
}

extension NodeView {
  /// Returns the axes of input 0 with the paddings in input 1.
  ///
  /// - Parameter order: The row of the paddings for each axis; `nil` if they are in axis order.
  /// - Throws: An error if the paddings don't match the input, and the signal of `inferShapes` if they aren't known
  ///   yet.
  func paddedAxes(_ order: [Int]? = nil) throws -> [PadGeometry.Axis] {
    let data = try input(0)
    let paddings = try input(1)
    guard paddings.shape.dimensions == [data.shape.rank, 2] else {
      throw invalid("paddings \(paddings) must be [\(data.shape.rank)×2], one pair for each axis of input \(data)")
    }
    let values = try integers(1)
    guard values.count == 2 * data.shape.rank else { throw invalid("paddings \(paddings) hold \(values.count) values") }
    return try data.shape.dimensions.enumerated().map { axis, size in
      let row = order?[axis] ?? axis
      let padded = PadGeometry.Axis(size: size, before: values[2 * row], after: values[2 * row + 1])
      guard padded.paddedSize != nil else {
        throw invalid(
          "padding axis \(axis) of input \(data) by \(padded.before) and \(padded.after) gives no valid size")
      }
      return padded.bounded
    }
  }
}
