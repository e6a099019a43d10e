package import SwiftletBase

/// A vector whose whole extent lies inside the buffer.
struct FlatVector {
  /// Position of the first element.
  let start: Int
  let count: Int
}

extension FlatTable {
  /// The vector that `field` refers to, its extent checked, or `nil` when it is absent.
  func vector(_ field: FlatField, elementByteCount: Int) throws(FlatBufferError) -> FlatVector? {
    guard let target = try target(of: field) else { return nil }
    do {
      return try Self.vector(at: target, elementByteCount: elementByteCount, in: region)
    } catch {
      throw error.prefixed(by: field.name)
    }
  }

  private static func vector(
    at position: Int, elementByteCount: Int, in region: ByteRegion
  ) throws(FlatBufferError) -> FlatVector {
    guard position % 4 == 0 else {
      throw FlatBufferError(.malformed, "a vector must start at a multiple of 4", position: position)
    }
    guard let count = region.integer(UInt32.self, at: position) else {
      throw FlatBufferError(.outOfBounds, "the vector lies outside the buffer", position: position)
    }
    let (byteCount, overflow) = Int(count).multipliedReportingOverflow(by: elementByteCount)
    guard !overflow, region.contains(offset: position + 4, count: byteCount) else {
      throw FlatBufferError(
        .outOfBounds,
        """
        the vector's \(count) elements of \(elementByteCount) bytes reach past the end of the buffer of \
        \(region.count) bytes
        """,
        position: position)
    }
    return FlatVector(start: position + 4, count: Int(count))
  }

  /// The bytes of a vector of bytes, not copied; `nil` when the field is absent.
  package func bytes(_ field: FlatField) throws(FlatBufferError) -> ByteRegion? {
    guard let vector = try vector(field, elementByteCount: 1) else { return nil }
    return region.slice(offset: vector.start, count: vector.count)
  }

  /// The elements of a vector of integers stored as `Stored`; `nil` when the field is absent.
  package func integers<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ field: FlatField, storedAs: Stored.Type, budget: inout FlatBufferBudget
  ) throws(FlatBufferError) -> [Int]? {
    // One loop for each size: the generic one would not be specialised for other modules.
    try elements(field, stride: MemoryLayout<Stored>.size, budget: &budget) { bytes, index in
      switch (MemoryLayout<Stored>.size, Stored.isSigned) {
      case (4, true): Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
      case (8, _):
        Int(truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
      default:
        Int(
          truncatingIfNeeded: Stored(
            littleEndian: bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Stored>.size, as: Stored.self)))
      }
    }
  }

  /// The elements of a vector of 32-bit floats; `nil` when the field is absent.
  package func floats(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> [Float]? {
    try elements(field, stride: 4, budget: &budget) { bytes, index in
      Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
    }
  }

  /// The elements of a vector of truth values; `nil` when the field is absent.
  package func bools(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> [Bool]? {
    try elements(field, stride: 1, budget: &budget) { bytes, index in bytes[index] != 0 }
  }

  @inline(__always)
  private func elements<Element>(
    _ field: FlatField, stride: Int, budget: inout FlatBufferBudget,
    _ element: (_ bytes: UnsafeRawBufferPointer, _ index: Int) -> Element
  ) throws(FlatBufferError) -> [Element]? {
    guard let vector = try vector(field, elementByteCount: stride),
      let bytes = region.slice(offset: vector.start, count: vector.count * stride)?.bytes
    else { return nil }
    do {
      try budget.takeElements(vector.count, position: vector.start)
    } catch {
      throw error.prefixed(by: field.name)
    }
    var values: [Element] = []
    values.reserveCapacity(vector.count)
    for index in 0..<vector.count { values.append(element(bytes, index)) }
    return values
  }

  // MARK: Text

  /// The text in `field`; bytes that are not UTF-8 become replacement characters. `nil` when the field is absent.
  package func string(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> String? {
    guard let target = try target(of: field) else { return nil }
    do {
      return try Self.string(at: target, in: region, budget: &budget)
    } catch {
      throw error.prefixed(by: field.name)
    }
  }

  /// The texts of a vector of strings; `nil` when the field is absent.
  package func strings(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> [String]? {
    guard let vector = try vector(field, elementByteCount: 4) else { return nil }
    var strings: [String] = []
    for index in 0..<vector.count {
      do {
        let target = try Self.target(ofOffsetAt: vector.start + 4 * index, in: region)
        try budget.takeElements(1, position: target)
        strings.append(try Self.string(at: target, in: region, budget: &budget))
      } catch {
        throw error.prefixed(by: "\(field.name)[\(index)]")
      }
    }
    return strings
  }

  private static func string(
    at position: Int, in region: ByteRegion, budget: inout FlatBufferBudget
  ) throws(FlatBufferError) -> String {
    let vector = try vector(at: position, elementByteCount: 1, in: region)
    guard region.byte(at: vector.start + vector.count) == 0,
      let bytes = region.slice(offset: vector.start, count: vector.count)
    else {
      throw FlatBufferError(.malformed, "a string must end with a zero byte inside the buffer", position: position)
    }
    try budget.takeElements(vector.count, position: position)
    return bytes.text
  }
}
