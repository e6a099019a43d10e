import SwiftletBase
import SwiftletSchema

extension PackedConstants {
  /// A constant as operators expect it: as long as its shape says, with all elements of a sparse one, and with 2- and
  /// 4-bit elements expanded to bytes (the spec then says so).
  ///
  /// - Parameter budget: how many bytes may still be copied; many tensors may share the bytes of one buffer.
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
    if let narrow = NarrowIntegers(spec.elementType) {
      spec.setType(spec.elementType)
      return expand(data, into: try copy(count), narrow)
    }
    // The reader has aligned it for its elements, and vectors are loaded from anywhere.
    return data.slice(offset: 0, count: bytes) ?? data
  }

  /// Memory for a constant that takes more than the file holds.
  ///
  /// - Throws: `limitExceeded` when `budget` does not suffice.
  static func expanded(
    _ size: Int, limits: RuntimeOptions.Limits, budget: inout Int, location: RuntimeError.Location
  ) throws(RuntimeError) -> AlignedBytes {
    guard size <= budget else {
      throw RuntimeError(
        .limitExceeded,
        "constants take more bytes when they are expanded than the limit, which is \(limits.foldedBytes) and \(RuntimeOptions.Limits.expandedBytesPerByte) for each byte of the file; raise RuntimeOptions.limits.foldedBytes if that is meant",
        location: location)
    }
    budget -= size
    return try AlignedBytes.available(size, for: "expanded constants", at: location)
  }

  /// The elements one to a byte; the model has the first in the lowest bits.
  private static func expand(_ data: ByteRegion, into expanded: AlignedBytes, _ elements: NarrowIntegers) -> ByteRegion
  {
    let (bits, isSigned) = (elements.bits, elements.isSigned)
    let perByte = 8 / bits
    let top = UInt8(8 - bits)
    let count = expanded.bytes.count
    var index = 0
    for byte in data.bytes {
      var shift = top
      for position in index..<min(index + perByte, count) {
        let shifted = byte << shift
        expanded.bytes[position] = isSigned ? UInt8(bitPattern: Int8(bitPattern: shifted) >> Int8(top)) : shifted >> top
        shift &-= UInt8(truncatingIfNeeded: bits)
      }
      index += perByte
      if index >= count { break }
    }
    return ByteRegion(owner: expanded, bytes: UnsafeRawBufferPointer(expanded.bytes))
  }
}
