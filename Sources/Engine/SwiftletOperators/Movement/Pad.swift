import SwiftletEngine
import SwiftletSchema

/// PAD: zeros around the input; the zero point around a quantized one.
///
/// - Source: operator 34 of the model format.
struct PadOperator: ConstantPadding {
  static var identity: OperatorIdentity {
    OperatorIdentity(.pad, versions: 1...6, types: types)
  }

  var axisOrder: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...3) }
}

/// PADV2: a value of its own around the input.
///
/// - Source: operator 60 of the model format.
struct PadV2Operator: ConstantPadding {
  static var identity: OperatorIdentity {
    OperatorIdentity(.padV2, versions: 1...6, types: types)
  }

  var axisOrder: [Int]?

  init(parsing node: NodeReader) throws { try node.require(inputs: 2...3) }
}

/// Padding along every axis, with neighboring axes merged where the inner one is not padded.
struct PadGeometry: Sendable {
  struct Axis: Sendable, Hashable {
    var size: Int
    /// Steps added in front; taken away when negative.
    var before: Int
    /// Steps added behind; taken away when negative.
    var after: Int

    /// The size after padding, or `nil` if it is negative or overflows.
    var paddedSize: Int? {
      let (first, firstOverflows) = size.addingReportingOverflow(before)
      let (second, secondOverflows) = first.addingReportingOverflow(after)
      return firstOverflows || secondOverflows || second < 0 ? nil : second
    }

    /// The same padding in numbers no larger than the sizes: a side that takes away more than there is shows nothing of
    /// the axis, however far it goes on. Products of these numbers with the sizes of other axes do not overflow.
    var bounded: Axis {
      guard let paddedSize else { return self }
      if before < 0 - size { return Axis(size: size, before: 0 - size, after: paddedSize) }
      if after < 0 - size { return Axis(size: size, before: paddedSize, after: 0 - size) }
      return self
    }
  }

  /// The axes except the innermost; the strides are those of the padded and of the unpadded tensor's rows, in bytes.
  let outer: [Axis]
  let outerCounts: [Int]
  /// The innermost axis in bytes: fill, copy, fill.
  let leadingBytes: Int
  let copiedBytes: Int
  let trailingBytes: Int
  let sourceRowBytes: Int
  let sourceRowOffset: Int

  /// - Parameter axes: Outermost first; every `paddedSize` exists.
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

  /// Returns the source row that padded row `row` shows, or `nil` if that is all padding.
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

  /// How many rows from `row` on, up to `end`, follow each other in the source too, and the first of them there; or how
  /// many are all padding, and `nil`.
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
