import SwiftletBase
import SwiftletSchema

extension PackedConstants {
  /// Returns a constant as operators expect it: with the size of its shape, with all elements of a sparse constant, and
  /// with 2- and 4-bit elements expanded to bytes. The spec is updated accordingly.
  ///
  /// - Parameter budget: The number of bytes that may still be copied. Many tensors may share the bytes of one buffer.
  static func loadable(
    _ data: ByteRegion, sparsity: SparsityDescription? = nil, spec: inout TensorSpec, limits: RuntimeOptions.Limits,
    budget: inout Int, location: RuntimeError.Location
  ) throws -> ByteRegion {
    let count = spec.shape.elementCount
    guard spec.elementType.bitWidth != nil else { return data }
    try limits.check(spec, "constant", at: location)
    func copy(_ size: Int) throws -> AlignedBytes {
      try expanded(size, limits: limits, budget: &budget, location: location)
    }
    if let sparsity {
      spec.isSpread = true
      return try densified(data, sparsity, spec: spec, location: location, copy: copy)
    }
    let bytes = spec.byteCount ?? 0
    guard data.count >= bytes else {
      throw RuntimeError(
        .invalidModel, "\(spec) takes \(bytes) bytes, the model holds \(data.count)", location: location)
    }
    if let narrow = SubByteIntegers(spec.elementType) {
      spec.setType(spec.elementType)
      return expand(data, into: try copy(count), narrow)
    }
    // The reader has aligned the data for its elements, and vector loads need no more alignment.
    return data.slice(offset: 0, count: bytes) ?? data
  }

  /// Allocates memory for a constant that is larger than its data in the file.
  ///
  /// - Throws: `limitExceeded` if the size exceeds `budget`.
  static func expanded(
    _ size: Int, limits: RuntimeOptions.Limits, budget: inout Int, location: RuntimeError.Location
  ) throws(RuntimeError) -> AlignedBytes {
    guard size <= budget else {
      throw RuntimeError(
        .limitExceeded,
        "the expanded constants exceed the limit of \(limits.foldedBytes) bytes plus \(RuntimeOptions.Limits.expandedBytesPerByte) per byte of the file; if this is intended, raise RuntimeOptions.limits.foldedBytes",
        location: location)
    }
    budget -= size
    return try AlignedBytes.available(size, for: "expanded constants", at: location)
  }

  /// Expands the elements to one byte each. The model stores the first element in the lowest bits.
  private static func expand(_ data: ByteRegion, into expanded: AlignedBytes, _ elements: SubByteIntegers) -> ByteRegion
  {
    if elements.bits == 4 {
      expand(data.bytes, into: expanded.bytes, isSigned: elements.isSigned, to: UInt16.self)
    } else {
      expand(data.bytes, into: expanded.bytes, isSigned: elements.isSigned, to: UInt32.self)
    }
    return ByteRegion(owner: expanded, bytes: UnsafeRawBufferPointer(expanded.bytes))
  }

  /// Expands each byte to a word with a byte per element, in steps that vectors take for several words at a time.
  @inline(__always)
  private static func expand<Word: FixedWidthInteger & UnsignedInteger>(
    _ data: UnsafeRawBufferPointer, into expanded: UnsafeMutableRawBufferPointer, isSigned: Bool, to _: Word.Type
  ) {
    let perByte = Word.bitWidth / 8, bits = 8 / perByte, ones = Word.max / 0xFF
    let sign: Word = isSigned ? ones << (bits - 1) : 0, top = ones << 7
    func word(_ byte: UInt8) -> Word {
      var word: Word = 0
      for element in 0..<perByte {
        word |= (Word(byte) & (1 << bits &- 1) << (element &* bits)) << (element &* (8 &- bits))
      }
      // Extends the signs: inverted, the sign bit is the value plus half the range. The top bits prevent borrows.
      return ((word ^ sign | top) &- sign) ^ top
    }
    let words = min(data.count, expanded.count / perByte)
    guard let source = data.baseAddress, let target = expanded.baseAddress else { return }
    for index in 0..<words {
      let value = word(source.load(fromByteOffset: index, as: UInt8.self)).littleEndian
      target.storeBytes(of: value, toByteOffset: index &* perByte, as: Word.self)
    }
    let rest = expanded.count &- words &* perByte
    guard rest > 0, words < data.count else { return }
    let last = word(data[words])
    for element in 0..<min(rest, perByte) {
      expanded[words &* perByte &+ element] = UInt8(truncatingIfNeeded: last >> (8 &* element))
    }
  }
}

extension PackedConstants {
  /// Returns a sparse constant with all its elements. Elements that aren't stored are 0.
  ///
  /// - Parameter copy: Allocates the given number of zero bytes.
  /// - Throws: An error for elements that aren't a whole number of bytes, or the error of `copy`.
  static func densified(
    _ data: ByteRegion, _ sparsity: SparsityDescription, spec: TensorSpec, location: RuntimeError.Location,
    copy: (Int) throws -> AlignedBytes
  ) throws -> ByteRegion {
    guard let elementBytes = spec.elementType.byteWidth, let byteCount = spec.byteCount else {
      throw RuntimeError(
        .invalidModel, "\(spec) is sparse, which is not supported for sub-byte elements", location: location)
    }
    let stored = try sparsity.checkedStoredElementCount(denseShape: spec.shape.dimensions)
    guard data.count / elementBytes >= stored else {
      throw RuntimeError(
        .invalidModel,
        "\(spec) stores \(stored) elements of \(elementBytes) bytes, but the model contains \(data.count) bytes",
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

/// The levels of a sparse tensor, outermost first, with the stride of each level in the dense tensor.
private struct SparseLevels {
  private let levels: [(dimension: SparsityDescription.Dimension, stride: Int)]

  /// Creates levels from a description that matches the shape; see `SparsityDescription.checkedStoredElementCount`.
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

  /// Calls `body` with the index of every stored element and its position in the dense tensor.
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
