import SwiftletBase
import SwiftletSchema

extension PackedConstants {
  /// A sparse constant with all its elements, those that are not stored 0.
  ///
  /// - Parameter copy: gives memory of so many bytes, all 0.
  /// - Throws: for elements of no whole number of bytes, and what `copy` throws.
  static func densified(
    _ data: ByteRegion, _ sparsity: SparsityDescription, spec: TensorSpec, location: RuntimeError.Location,
    copy: (Int) throws -> AlignedBytes
  ) throws -> ByteRegion {
    guard let elementBytes = spec.elementType.byteWidth, let byteCount = spec.byteCount else {
      throw RuntimeError(
        .invalidModel, "\(spec) is sparse, which elements of no whole number of bytes cannot be", location: location)
    }
    let stored = try sparsity.checkedStoredElementCount(denseShape: spec.shape.dimensions)
    guard data.count / elementBytes >= stored else {
      throw RuntimeError(
        .invalidModel,
        "\(spec) stores \(stored) elements of \(elementBytes) bytes, the model holds \(data.count) bytes",
        location: location)
    }
    let dense = try copy(byteCount)
    if byteCount > 0, let start = data.bytes.baseAddress {
      SparseLevels(sparsity, shape: spec.shape).forEachElement(level: 0, stored: 0, offset: 0) { stored, offset in
        dense.start.advanced(by: offset * elementBytes)
          .copyMemory(from: start + stored * elementBytes, byteCount: elementBytes)
      }
    }
    return ByteRegion(owner: dense, bytes: UnsafeRawBufferPointer(dense.bytes))
  }
}

/// The levels of a sparse tensor from the outermost in, with what a step along each moves in the dense tensor.
private struct SparseLevels {
  private let levels: [(dimension: SparsityDescription.Dimension, stride: Int)]

  /// The description must fit the shape, see `SparsityDescription.checkedStoredElementCount`.
  init(_ sparsity: SparsityDescription, shape: Shape) {
    let strides = shape.strides
    var blockSizes = [Int](repeating: 1, count: shape.rank)
    for (level, axis) in sparsity.traversalOrder.enumerated() where axis >= shape.rank {
      if case .dense(let size) = sparsity.dimensions[level] { blockSizes[sparsity.blockMap[axis - shape.rank]] = size }
    }
    levels = zip(sparsity.traversalOrder, sparsity.dimensions).map { axis, dimension in
      axis < shape.rank
        ? (dimension, strides[axis] * blockSizes[axis]) : (dimension, strides[sparsity.blockMap[axis - shape.rank]])
    }
  }

  /// Calls `body` with the position of every stored element and its place in the dense tensor.
  func forEachElement(level: Int, stored: Int, offset: Int, _ body: (Int, Int) -> Void) {
    guard level < levels.count else { return body(stored, offset) }
    let stride = levels[level].stride
    switch levels[level].dimension {
    case .dense(let size):
      for index in 0..<size {
        forEachElement(level: level + 1, stored: stored * size + index, offset: offset + index * stride, body)
      }
    case .sparse(let segments, let indices):
      for position in segments[stored]..<segments[stored + 1] {
        forEachElement(level: level + 1, stored: position, offset: offset + indices[position] * stride, body)
      }
    }
  }
}
