import SwiftletEngine
import SwiftletSchema

/// PAD: padding with zeros, or with the zero point for a quantized input.
///
/// - Source: operator 34 of the model format.
struct PadOperator: ConstantPadding {
  static var identity: OperatorIdentity {
    OperatorIdentity(.pad, versions: 1...6, types: types)
  }

  var axisOrder: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...3) }
}

/// PADV2: padding with a given value.
///
/// - Source: operator 60 of the model format.
struct PadV2Operator: ConstantPadding {
  static var identity: OperatorIdentity {
    OperatorIdentity(.padV2, versions: 1...6, types: types)
  }

  var axisOrder: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...3) }
}

/// The padding along every axis. An axis is merged with the outer one if it isn't padded.
struct PadGeometry: Sendable {
  struct Axis: Sendable, Hashable {
    var size: Int
    /// The number of steps added at the start, or removed if negative.
    var before: Int
    /// The number of steps added at the end, or removed if negative.
    var after: Int

    /// The size after padding, or `nil` if it is negative or overflows.
    var paddedSize: Int? {
      let (first, firstOverflows) = size.addingReportingOverflow(before)
      let (second, secondOverflows) = first.addingReportingOverflow(after)
      return firstOverflows || secondOverflows || second < 0 ? nil : second
    }

    /// The same padding with numbers no larger than the sizes. If a side removes more steps than there are, nothing of
    /// the axis remains, however large the number is. Products of these numbers and the sizes of other axes don't
    /// overflow.
    var bounded: Axis {
      guard let paddedSize else { return self }
      if before < 0 - size { return Axis(size: size, before: 0 - size, after: paddedSize) }
      if after < 0 - size { return Axis(size: size, before: paddedSize, after: 0 - size) }
      return self
    }
  }

  /// The axes except the innermost. The strides are those of the rows of the padded and unpadded tensors in bytes.
  let outer: [Axis]
  let outerCounts: [Int]
  /// The innermost axis in bytes: fill, copy, fill.
  let leadingBytes: Int
  let copiedBytes: Int
  let trailingBytes: Int
  let sourceRowBytes: Int
  let sourceRowOffset: Int

  /// Creates the geometry.
  ///
  /// - Parameter axes: The axes, outermost first. No `paddedSize` may be `nil`.
  init(_ axes: [Axis], elementBytes: Int) {
    var merged = [Axis(size: elementBytes, before: 0, after: 0)]
    for axis in axes.reversed() {
      if let inner = merged.last, inner.before == 0, inner.after == 0 {
        merged[merged.count - 1] = Axis(
          size: axis.size &* inner.size, before: axis.before &* inner.size, after: axis.after &* inner.size)
      } else {
        merged.append(axis)
      }
    }
    outer = merged.dropFirst().reversed()
    outerCounts = outer.map { $0.paddedSize ?? 0 }
    let row = merged[0]
    let rowBytes = row.paddedSize ?? 0
    sourceRowBytes = row.size
    sourceRowOffset = max(0, 0 &- row.before)
    leadingBytes = min(max(0, row.before), rowBytes)
    copiedBytes = max(0, min(row.size, row.size &+ row.after) &- sourceRowOffset)
    trailingBytes = rowBytes &- leadingBytes &- copiedBytes
  }

  var rowBytes: Int { leadingBytes &+ copiedBytes &+ trailingBytes }
  var rowCount: Int { outerCounts.reduce(1, &*) }

  /// Returns the source row of padded row `row`, or `nil` if the row is only padding.
  func sourceRow(of row: Int) -> Int? {
    var rest = row
    var sourceRow = 0
    var stride = 1
    for axis in Swift.stride(from: outer.count &- 1, through: 0, by: -1) {
      let (quotient, position) = rest.quotientAndRemainder(dividingBy: outerCounts[axis])
      let source = position &- outer[axis].before
      guard source >= 0, source < outer[axis].size else { return nil }
      sourceRow &+= source &* stride
      stride &*= outer[axis].size
      rest = quotient
    }
    return sourceRow
  }

  /// Returns the number of rows from `row` on, up to `end`, that are contiguous in the source, and the first of them
  /// there; or the number of rows that are only padding, and `nil`.
  func run(from row: Int, to end: Int) -> (count: Int, sourceRow: Int?) {
    guard let axis = outer.last, let size = outerCounts.last else { return (end &- row, sourceRow(of: row)) }
    let position = row % size
    let sourceRow = sourceRow(of: row)
    let inside = min(size, max(0, axis.before &+ axis.size))
    let last: Int
    if position < axis.before {
      last = min(axis.before, size)
    } else {
      last = position < inside ? inside : size
    }
    return (min(end &- row, last &- position), sourceRow)
  }
}
