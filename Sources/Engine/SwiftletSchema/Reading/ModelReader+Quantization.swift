import SwiftletBase
import SwiftletFlatBuffers

extension ModelReader {
  private static let blockwiseTag: UInt8 = 2
  private static let multiAxisTag: UInt8 = 3

  /// Returns the tensor's quantization, or `nil` if it has none. A table without scales only describes value ranges.
  mutating func quantization(
    of tensorTable: FlatTable, type: ElementType, shape: [Int], tensorCount: Int
  ) throws(SchemaError) -> QuantizationDescription? {
    guard let table = try table(TensorField.quantization, of: tensorTable) else { return nil }
    return try locating(TensorField.quantization.name) { () throws(SchemaError) in
      let scales = try floats(QuantizationField.scale, of: table)
      let zeroPoints =
        try read { (budget) throws(FlatBufferError) in
          try table.integers(QuantizationField.zeroPoint, storedAs: Int64.self, budget: &budget)
        } ?? []
      let axis = try int(QuantizationField.quantizedDimension, of: table)
      let blockwise = try blockwise(table, shape: shape, tensorCount: tensorCount)
      guard !scales.isEmpty else {
        return blockwise.map { QuantizationDescription(scales: [0], zeroPoints: [0], axis: axis, blockwise: $0) }
      }
      try Self.check(scales: scales, zeroPoints: zeroPoints, axis: axis, type: type, shape: shape)
      return QuantizationDescription(scales: scales, zeroPoints: zeroPoints, axis: axis, blockwise: blockwise)
    }
  }

  private static func check(
    scales: [Float], zeroPoints: [Int], axis: Int, type: ElementType, shape: [Int]
  ) throws(SchemaError) {
    guard scales.count == zeroPoints.count else {
      throw SchemaError(
        .invalid, "there must be as many zero points as scales, got \(zeroPoints.count) and \(scales.count)")
    }
    if let scale = scales.first(where: { !$0.isFinite || $0 < 0 }) {
      throw SchemaError(.invalid, "a scale must be finite and not negative, got \(scale)")
    }
    let range = zeroPointRange(of: type)
    if let zeroPoint = zeroPoints.first(where: { !range.contains($0) }) {
      throw SchemaError(
        .invalid,
        "a zero point of type \(type.name) must be in \(range.lowerBound) ... \(range.upperBound), got \(zeroPoint)")
    }
    guard !shape.isEmpty else {
      guard scales.count == 1 else {
        throw SchemaError(.invalid, "a scalar has a single scale, got \(scales.count)")
      }
      return
    }
    guard shape.indices.contains(axis) else {
      throw SchemaError(
        .invalid, "quantized_dimension must be a dimension of the shape \(shape), got \(axis)")
    }
    guard scales.count == 1 || scales.count == shape[axis] else {
      throw SchemaError(
        .invalid, "dimension \(axis) of shape \(shape) needs 1 or \(shape[axis]) scales, got \(scales.count)")
    }
  }

  private static func zeroPointRange(of type: ElementType) -> ClosedRange<Int> {
    switch type {
    case .int2: -2...1
    case .int4: -8...7
    case .uint4: 0...15
    case .int8: -128...127
    case .uint8: 0...255
    case .int16: -32_768...32_767
    case .uint16: 0...65_535
    default: Int(Int32.min)...Int(Int32.max)
    }
  }

  /// Returns the quantization details that refer to tensors, for both table types. Other details are ignored.
  private mutating func blockwise(
    _ table: FlatTable, shape: [Int], tensorCount: Int
  ) throws(SchemaError) -> BlockwiseQuantization? {
    let union = try read { (budget) throws(FlatBufferError) in
      try table.union(
        tag: QuantizationField.detailsTag, value: QuantizationField.details,
        knownTags: Self.blockwiseTag...Self.multiAxisTag, budget: &budget)
    }
    guard let tag = union?.tag, let details = union?.table else { return nil }
    return try locating(QuantizationField.details.name) { () throws(SchemaError) in
      let scales = try int(BlockwiseField.scales, of: details)
      let zeroPoints = try int(BlockwiseField.zeroPoints, of: details)
      let blockSize = try int(BlockwiseField.blockSize, of: details)
      let axes = tag == Self.multiAxisTag ? try ints(BlockwiseField.axes, of: details) ?? [] : []
      guard (0..<tensorCount).contains(scales), (-1..<tensorCount).contains(zeroPoints) else {
        throw SchemaError(
          .invalid,
          """
          the tensors of scales and zero points must be in 0 ..< \(tensorCount) (or be -1 for no zero points), got \
          \(scales) and \(zeroPoints)
          """
        )
      }
      // If the dimensions are listed, a block size of 0 means one scale for the whole dimension.
      guard blockSize > 0 || (tag == Self.multiAxisTag && blockSize == 0) else {
        throw SchemaError(.invalid, "block_size must be positive, got \(blockSize)")
      }
      guard tag != Self.multiAxisTag || !axes.isEmpty, axes.allSatisfy(shape.indices.contains) else {
        throw SchemaError(
          .invalid, "quantized_dimensions must be dimensions of the shape \(shape), at least one, got \(axes.excerpt)")
      }
      return BlockwiseQuantization(
        scalesTensor: scales, zeroPointsTensor: zeroPoints < 0 ? nil : zeroPoints, blockSize: blockSize, axes: axes)
    }
  }
}
