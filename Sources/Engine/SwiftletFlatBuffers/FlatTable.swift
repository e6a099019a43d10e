package import SwiftletBase

/// One field of a table: its ID in the schema, and its name for messages.
package struct FlatField: Sendable, Hashable {
  package let id: Int
  package let name: String

  package init(_ id: Int, _ name: String) {
    self.id = id
    self.name = name
  }
}

/// A table whose vtable and extent have been checked; every field access is checked again against the buffer.
///
/// Absent fields have the default value that the caller passes. Positions are counted from the start of `region`, which
/// is the start of the FlatBuffer.
///
/// - Thread safety: callable concurrently.
/// - Source: the FlatBuffers binary format. The checks include at least those of the standard verifier.
package struct FlatTable: Sendable {
  package let region: ByteRegion
  package let position: Int
  private let vtable: Int
  private let vtableByteCount: Int
  private let tableByteCount: Int
  private let depth: Int

  /// The maximum buffer size that 31-bit offsets can address. The rest of a longer file is ignored.
  package static let maximumBuffer = Int(Int32.max) - 1

  /// Creates the root table of `region`.
  ///
  /// - Parameters:
  ///   - identifier: The required value of bytes 4…7, four characters, or `nil` to accept any.
  /// - Throws: `FlatBufferError` if the buffer is shorter than a header, has another identifier, or its root table is
  ///   damaged.
  package init(
    rootOf region: ByteRegion, identifier: String?, budget: inout FlatBufferBudget
  ) throws(FlatBufferError) {
    let prefix = region.slice(offset: 0, count: min(region.count, Self.maximumBuffer)) ?? region
    guard prefix.count >= 8 else {
      throw FlatBufferError(
        .outOfBounds, "a FlatBuffer has at least 8 bytes, this has \(prefix.count)", position: 0)
    }
    if let identifier, !prefix.hasBytes(of: identifier, at: 4) {
      throw FlatBufferError(
        .malformed, "expected the file identifier \"\(identifier)\", got \(prefix.printable(at: 4, count: 4))",
        position: 4)
    }
    let target = try Self.target(ofOffsetAt: 0, in: prefix)
    try self.init(region: prefix, position: target, depth: 1, budget: &budget)
  }

  init(
    region: ByteRegion, position: Int, depth: Int, budget: inout FlatBufferBudget
  ) throws(FlatBufferError) {
    guard depth <= budget.limits.depth else {
      throw FlatBufferError(
        .limitExceeded, "tables are nested deeper than \(budget.limits.depth) levels, the limit", position: position)
    }
    try budget.takeTables(1, position: position)
    guard position % 4 == 0 else {
      throw FlatBufferError(.malformed, "a table must start at a multiple of 4", position: position)
    }
    guard let distance = region.integer(Int32.self, at: position) else {
      throw FlatBufferError(.outOfBounds, "the table is outside the buffer", position: position)
    }
    let vtable = position - Int(distance)
    guard vtable >= 0, vtable % 2 == 0,
      let vtableByteCount = region.integer(UInt16.self, at: vtable),
      let tableByteCount = region.integer(UInt16.self, at: vtable + 2),
      region.contains(offset: vtable, count: Int(vtableByteCount))
    else {
      throw FlatBufferError(
        .outOfBounds, "the table's vtable, at byte \(vtable), lies outside the buffer or is misaligned",
        position: position)
    }
    guard vtableByteCount >= 4, vtableByteCount % 2 == 0, tableByteCount >= 4 else {
      throw FlatBufferError(
        .malformed,
        """
        a vtable has an even size of 4 or more and describes a table of 4 bytes or more, got \(vtableByteCount) and \
        \(tableByteCount)
        """,
        position: vtable)
    }
    guard region.contains(offset: position, count: Int(tableByteCount)) else {
      throw FlatBufferError(
        .outOfBounds, "the table's \(tableByteCount) bytes reach past the end of the buffer", position: position)
    }
    self.region = region
    self.position = position
    self.vtable = vtable
    self.vtableByteCount = Int(vtableByteCount)
    self.tableByteCount = Int(tableByteCount)
    self.depth = depth
  }

  // MARK: Scalars

  /// Returns whether the table stores the field.
  package func has(_ field: FlatField) -> Bool { slot(of: field) != 0 }

  /// Returns the integer stored in `field`, or `defaultValue` if it is absent.
  package func integer<Value: FixedWidthInteger>(
    _ field: FlatField, default defaultValue: Value
  ) throws(FlatBufferError) -> Value {
    guard let bits = try bits(of: field, byteCount: MemoryLayout<Value>.size) else { return defaultValue }
    return Value(truncatingIfNeeded: bits)
  }

  /// Returns the number stored in `field` in the lowest bytes of the result, or `nil` if it is absent.
  ///
  /// Code that reads many fields uses this method instead of the generic one, which isn't specialized in other modules.
  ///
  /// - Parameter byteCount: 1, 2, 4, or 8.
  package func bits(of field: FlatField, byteCount: Int) throws(FlatBufferError) -> UInt64? {
    guard let position = try position(of: field, byteCount: byteCount) else { return nil }
    let value: UInt64? =
      switch byteCount {
      case 1: region.byte(at: position).map { UInt64($0) }
      case 2: region.integer(UInt16.self, at: position).map { UInt64($0) }
      case 4: region.integer(UInt32.self, at: position).map { UInt64($0) }
      case 8: region.integer(UInt64.self, at: position)
      default: nil
      }
    guard let value else {
      throw FlatBufferError(.outOfBounds, "the field is outside the buffer", position: position, path: field.name)
    }
    return value
  }

  /// Returns the float stored in `field`, or `defaultValue` if it is absent.
  package func float(_ field: FlatField, default defaultValue: Float) throws(FlatBufferError) -> Float {
    Float(bitPattern: try integer(field, default: defaultValue.bitPattern))
  }

  /// Returns the Boolean stored in `field` (anything but 0 is true), or `defaultValue` if it is absent.
  package func bool(_ field: FlatField, default defaultValue: Bool) throws(FlatBufferError) -> Bool {
    try integer(field, default: UInt8(defaultValue ? 1 : 0)) != 0
  }

  // MARK: Tables

  /// Returns the table that `field` refers to, or `nil` if it is absent.
  package func table(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> FlatTable? {
    guard let target = try target(of: field) else { return nil }
    do {
      return try FlatTable(region: region, position: target, depth: depth + 1, budget: &budget)
    } catch {
      throw error.prefixed(by: field.name)
    }
  }

  /// Returns the tables of the vector in `field`, or `nil` if it is absent.
  package func tables(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> [FlatTable]? {
    guard let vector = try vector(field, elementByteCount: 4) else { return nil }
    guard vector.count <= budget.remainingTables else {
      throw FlatBufferError(
        .limitExceeded,
        "the vector makes the number of tables exceed the limit of \(budget.limits.tables), or the number that a buffer of this size can contain",
        position: vector.start, path: field.name)
    }
    var tables: [FlatTable] = []
    tables.reserveCapacity(vector.count)
    for index in 0..<vector.count {
      do {
        let target = try Self.target(ofOffsetAt: vector.start + 4 * index, in: region)
        tables.append(try FlatTable(region: region, position: target, depth: depth + 1, budget: &budget))
      } catch {
        throw error.prefixed(by: "\(field.name)[\(index)]")
      }
    }
    return tables
  }

  /// Returns the union stored in `tagField` and `valueField`: its tag, and its table if the tag is in `knownTags`.
  ///
  /// A tag from a newer schema isn't an error; its table isn't read. Returns `nil` if there is no tag.
  package func union(
    tag tagField: FlatField, value valueField: FlatField, knownTags: ClosedRange<UInt8>,
    budget: inout FlatBufferBudget
  ) throws(FlatBufferError) -> (tag: UInt8, table: FlatTable?)? {
    let tag = try integer(tagField, default: UInt8(0))
    guard tag != 0 else { return nil }
    guard knownTags.contains(tag) else { return (tag, nil) }
    return (tag, try table(valueField, budget: &budget))
  }

  // MARK: Positions

  /// Returns the offset of the field from the start of the table; 0 if the field is absent.
  private func slot(of field: FlatField) -> Int {
    let entry = 4 + 2 * field.id
    guard entry + 2 <= vtableByteCount else { return 0 }
    return Int(region.integer(UInt16.self, at: vtable + entry) ?? 0)
  }

  /// Returns the position in the buffer of an inline field, or `nil` if it is absent.
  package func position(of field: FlatField, byteCount: Int) throws(FlatBufferError) -> Int? {
    let slot = slot(of: field)
    guard slot != 0 else { return nil }
    guard slot >= 4, slot + byteCount <= tableByteCount else {
      throw FlatBufferError(
        .malformed, "the field's \(byteCount) bytes at \(slot) lie outside its table of \(tableByteCount) bytes",
        position: position, path: field.name)
    }
    guard (position + slot) % byteCount == 0 else {
      throw FlatBufferError(
        .malformed, "a field of \(byteCount) bytes must start at a multiple of its size", position: position + slot,
        path: field.name)
    }
    return position + slot
  }

  /// Returns the target position of the offset stored in `field`, or `nil` if the field is absent.
  func target(of field: FlatField) throws(FlatBufferError) -> Int? {
    guard let slot = try position(of: field, byteCount: 4) else { return nil }
    do {
      return try Self.target(ofOffsetAt: slot, in: region)
    } catch {
      throw error.prefixed(by: field.name)
    }
  }

  /// Returns the target of the offset at byte `slot`. Offsets are relative to their own position and only point
  /// forward.
  static func target(ofOffsetAt slot: Int, in region: ByteRegion) throws(FlatBufferError) -> Int {
    guard let offset = region.integer(UInt32.self, at: slot) else {
      throw FlatBufferError(.outOfBounds, "the offset is outside the buffer", position: slot)
    }
    guard offset != 0, offset <= UInt32(Int32.max) else {
      throw FlatBufferError(.malformed, "an offset must be in 1 ..< 2^31, got \(offset)", position: slot)
    }
    guard Int(offset) < region.count - slot else {
      throw FlatBufferError(
        .outOfBounds, "the offset \(offset) points past the end of the buffer of \(region.count) bytes", position: slot)
    }
    return slot + Int(offset)
  }
}

/// A vector whose whole extent is inside the buffer.
struct FlatVector {
  /// The position of the first element.
  let start: Int
  let count: Int
}

extension FlatTable {
  /// Returns the vector that `field` refers to, with its extent checked, or `nil` if it is absent.
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
      throw FlatBufferError(.outOfBounds, "the vector is outside the buffer", position: position)
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

  /// Returns the bytes of a byte vector, without a copy; `nil` if the field is absent.
  package func bytes(_ field: FlatField) throws(FlatBufferError) -> ByteRegion? {
    guard let vector = try vector(field, elementByteCount: 1) else { return nil }
    return region.slice(offset: vector.start, count: vector.count)
  }

  /// Returns the elements of a vector of integers stored as `Stored`; `nil` if the field is absent.
  package func integers<Stored: FixedWidthInteger & BitwiseCopyable>(
    _ field: FlatField, storedAs: Stored.Type, budget: inout FlatBufferBudget
  ) throws(FlatBufferError) -> [Int]? {
    // A loop per common size, because the generic loop isn't specialized for callers in other modules.
    switch (MemoryLayout<Stored>.size, Stored.isSigned) {
    case (4, true):
      try elements(field, stride: 4, budget: &budget) { bytes, index in
        Int(Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: Int32.self)))
      }
    case (8, _):
      try elements(field, stride: 8, budget: &budget) { bytes, index in
        Int(truncatingIfNeeded: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)))
      }
    default:
      try elements(field, stride: MemoryLayout<Stored>.size, budget: &budget) { bytes, index in
        Int(
          truncatingIfNeeded: Stored(
            littleEndian: bytes.loadUnaligned(fromByteOffset: index * MemoryLayout<Stored>.size, as: Stored.self)))
      }
    }
  }

  /// Returns the elements of a vector of 32-bit floats; `nil` if the field is absent.
  package func floats(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> [Float]? {
    try elements(field, stride: 4, budget: &budget) { bytes, index in
      Float(bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
    }
  }

  /// Returns the elements of a vector of Booleans; `nil` if the field is absent.
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

  /// Returns the text in `field`, or `nil` if it is absent. Bytes that aren't valid UTF-8 become replacement
  /// characters.
  package func string(_ field: FlatField, budget: inout FlatBufferBudget) throws(FlatBufferError) -> String? {
    guard let target = try target(of: field) else { return nil }
    do {
      return try Self.string(at: target, in: region, budget: &budget)
    } catch {
      throw error.prefixed(by: field.name)
    }
  }

  /// Returns the strings of a vector; `nil` if the field is absent.
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
