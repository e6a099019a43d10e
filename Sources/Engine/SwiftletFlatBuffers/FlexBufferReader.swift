package import SwiftletBase

extension FlexBufferValue {
  /// Creates a value from a FlexBuffer, whose root is at the end of `region`.
  ///
  /// - Parameters:
  ///   - limits: `tables` limits the number of values, `elements` the bytes of text, and `depth` the nesting.
  /// - Throws: `FlatBufferError` if anything is outside the bytes or a limit is exceeded. Cyclic offsets end at the
  ///   depth limit.
  package init(_ region: ByteRegion, limits: FlatBufferLimits = .default) throws(FlatBufferError) {
    var reader = FlexBufferReader(region: region, limits: limits)
    self = try reader.root()
  }
}

/// A reader for the values of one FlexBuffer that counts the values it visits.
private struct FlexBufferReader {
  private let region: ByteRegion
  private let limits: FlatBufferLimits
  private var remainingValues: Int
  private var remainingTextBytes: Int

  init(region: ByteRegion, limits: FlatBufferLimits) {
    self.region = region
    self.limits = limits
    // A buffer without sharing contains fewer values and less text than bytes.
    let (scaled, overflow) = region.count.multipliedReportingOverflow(by: 4)
    let proportional = overflow ? Int.max : max(scaled, 4096)
    remainingValues = min(limits.tables, proportional)
    remainingTextBytes = min(limits.elements, proportional)
  }

  /// A reference to a value: its slot in the parent, and its type and widths as stored in the parent.
  private struct Reference {
    var slot: Int
    /// The size of the slot in bytes.
    var slotWidth: Int
    /// The element size, in bytes, at the target of the value's offset.
    var childWidth: Int
    var type: Int

    init(slot: Int, slotWidth: Int, packedType: UInt8) {
      self.init(slot: slot, slotWidth: slotWidth, childWidth: 1 << Int(packedType & 3), type: Int(packedType >> 2))
    }

    init(slot: Int, slotWidth: Int, childWidth: Int, type: Int) {
      self.slot = slot
      self.slotWidth = slotWidth
      self.childWidth = childWidth
      self.type = type
    }
  }

  mutating func root() throws(FlatBufferError) -> FlexBufferValue {
    guard region.count >= 3, let width = region.byte(at: region.count - 1),
      let packedType = region.byte(at: region.count - 2)
    else {
      throw FlatBufferError(.outOfBounds, "a FlexBuffer has at least 3 bytes, this has \(region.count)", position: 0)
    }
    guard [1, 2, 4, 8].contains(width) else {
      throw FlatBufferError(
        .malformed, "the width of a FlexBuffer's root must be 1, 2, 4 or 8 bytes, got \(width)",
        position: region.count - 1)
    }
    let slot = region.count - 2 - Int(width)
    guard slot >= 0 else {
      throw FlatBufferError(.outOfBounds, "the FlexBuffer's root of \(width) bytes is truncated", position: 0)
    }
    return try value(Reference(slot: slot, slotWidth: Int(width), packedType: packedType), depth: 1)
  }

  private mutating func value(_ reference: Reference, depth: Int) throws(FlatBufferError) -> FlexBufferValue {
    guard depth <= limits.depth else {
      throw FlatBufferError(
        .limitExceeded, "FlexBuffer values are nested deeper than \(limits.depth) levels, the limit",
        position: reference.slot)
    }
    switch reference.type {
    case 0: return .null
    case 1, 2, 3, 26: return try scalar(reference.type, at: reference.slot, width: reference.slotWidth)
    case 4: return .string(try key(at: try target(of: reference)))
    case 5: return .string(try text(try sized(reference, elementWidth: 1)))
    case 6, 7, 8: return try scalar(reference.type - 5, at: try target(of: reference), width: reference.childWidth)
    case 9: return try map(reference, depth: depth)
    case 10: return try vector(reference, depth: depth)
    case 11...15, 36: return try typedVector(reference, depth: depth)
    case 16...24: return try tuple(reference, depth: depth)
    case 25:
      let extent = try sized(reference, elementWidth: 1)
      return .blob(region.slice(offset: extent.start, count: extent.count) ?? .empty)
    case let type:
      throw FlatBufferError(.malformed, "unknown FlexBuffer type \(type)", position: reference.slot)
    }
  }

  // MARK: Scalars and text

  private func scalar(_ type: Int, at position: Int, width: Int) throws(FlatBufferError) -> FlexBufferValue {
    switch type {
    case 1: return .int(try signed(at: position, width: width))
    case 2: return .uint(try unsigned(at: position, width: width))
    case 3: return .float(try float(at: position, width: width))
    default: return .bool(try unsigned(at: position, width: width) != 0)
    }
  }

  private func unsigned(at position: Int, width: Int) throws(FlatBufferError) -> UInt64 {
    let value: UInt64? =
      switch width {
      case 1: region.byte(at: position).map { UInt64($0) }
      case 2: region.integer(UInt16.self, at: position).map { UInt64($0) }
      case 4: region.integer(UInt32.self, at: position).map { UInt64($0) }
      default: region.integer(UInt64.self, at: position)
      }
    guard let value else {
      throw FlatBufferError(
        .outOfBounds, "\(width) bytes lie outside the FlexBuffer of \(region.count) bytes", position: position)
    }
    return value
  }

  private func signed(at position: Int, width: Int) throws(FlatBufferError) -> Int64 {
    let unused = 64 - 8 * width
    return Int64(bitPattern: try unsigned(at: position, width: width) << unused) >> unused
  }

  private func float(at position: Int, width: Int) throws(FlatBufferError) -> Double {
    let bits = try unsigned(at: position, width: width)
    switch width {
    case 2: return Self.half(UInt16(truncatingIfNeeded: bits))
    case 4: return Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 8: return Double(bitPattern: bits)
    default:
      throw FlatBufferError(.malformed, "a float has 2, 4 or 8 bytes, got \(width)", position: position)
    }
  }

  /// Returns the value of a 16-bit float. `Float16` doesn't exist on every platform.
  private static func half(_ bits: UInt16) -> Double {
    let exponent = Int(bits >> 10) & 0x1F
    let fraction = Double(bits & 0x3FF) / 1024
    let magnitude: Double =
      switch exponent {
      case 0: fraction * 0x1p-14
      case 31: fraction == 0 ? .infinity : .nan
      default: Double(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
      }
    return bits >> 15 == 0 ? magnitude : -magnitude
  }

  /// Returns the zero-terminated text at `position`.
  private mutating func key(at position: Int) throws(FlatBufferError) -> String {
    var end = position
    while let byte = region.byte(at: end), byte != 0 {
      end += 1
      guard end - position <= remainingTextBytes else { break }
    }
    guard region.byte(at: end) == 0 else {
      throw FlatBufferError(.outOfBounds, "a key must end with a zero byte inside the FlexBuffer", position: position)
    }
    return try text((position, end - position))
  }

  private mutating func text(_ extent: (start: Int, count: Int)) throws(FlatBufferError) -> String {
    guard extent.count <= remainingTextBytes else {
      throw FlatBufferError(
        .limitExceeded, "the FlexBuffer holds more text than the limit for its size", position: extent.start)
    }
    remainingTextBytes -= extent.count
    return region.slice(offset: extent.start, count: extent.count)?.text ?? ""
  }

  // MARK: Collections

  private mutating func vector(_ reference: Reference, depth: Int) throws(FlatBufferError) -> FlexBufferValue {
    let width = reference.childWidth
    let extent = try sized(reference, elementWidth: width + 1)
    return .vector(try untypedElements(start: extent.start, count: extent.count, width: width, depth: depth))
  }

  /// Returns elements that are followed by one type byte each. The caller has checked that both are inside the buffer.
  private mutating func untypedElements(
    start: Int, count: Int, width: Int, depth: Int
  ) throws(FlatBufferError) -> [FlexBufferValue] {
    try takeValues(count, position: start)
    var elements: [FlexBufferValue] = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      let packedType = region.byte(at: start + count * width + index) ?? 0
      elements.append(
        try value(
          Reference(slot: start + index * width, slotWidth: width, packedType: packedType), depth: depth + 1))
    }
    return elements
  }

  private mutating func typedVector(_ reference: Reference, depth: Int) throws(FlatBufferError) -> FlexBufferValue {
    let extent = try sized(reference, elementWidth: reference.childWidth)
    // Strings in a typed vector (15) have no known lengths. They are read as keys, which end with a zero byte.
    let elementType = reference.type == 36 ? 26 : min(reference.type - 10, 4)
    return .typedVector(
      try typedElements(
        start: extent.start, count: extent.count, width: reference.childWidth, type: elementType, depth: depth))
  }

  private mutating func tuple(_ reference: Reference, depth: Int) throws(FlatBufferError) -> FlexBufferValue {
    let start = try target(of: reference)
    let count = (reference.type - 16) / 3 + 2
    guard region.contains(offset: start, count: count * reference.childWidth) else {
      throw FlatBufferError(.outOfBounds, "a tuple reaches past the end of the FlexBuffer", position: start)
    }
    return .typedVector(
      try typedElements(
        start: start, count: count, width: reference.childWidth, type: (reference.type - 16) % 3 + 1, depth: depth))
  }

  private mutating func typedElements(
    start: Int, count: Int, width: Int, type: Int, depth: Int
  ) throws(FlatBufferError) -> [FlexBufferValue] {
    try takeValues(count, position: start)
    var elements: [FlexBufferValue] = []
    elements.reserveCapacity(count)
    for index in 0..<count {
      elements.append(
        try value(
          Reference(slot: start + index * width, slotWidth: width, childWidth: 1, type: type), depth: depth + 1))
    }
    return elements
  }

  private mutating func map(_ reference: Reference, depth: Int) throws(FlatBufferError) -> FlexBufferValue {
    let width = reference.childWidth
    let extent = try sized(reference, elementWidth: width + 1)
    let keysSlot = extent.start - 3 * width
    guard keysSlot >= 0 else {
      throw FlatBufferError(.outOfBounds, "a map's keys are before the FlexBuffer", position: extent.start)
    }
    let keyWidth = try unsigned(at: keysSlot + width, width: width)
    guard [1, 2, 4, 8].contains(keyWidth) else {
      throw FlatBufferError(
        .malformed, "the width of a map's keys must be 1, 2, 4 or 8 bytes, got \(keyWidth)", position: keysSlot + width)
    }
    let keys = try sized(
      Reference(slot: keysSlot, slotWidth: width, childWidth: Int(keyWidth), type: 14), elementWidth: Int(keyWidth))
    guard keys.count == extent.count else {
      throw FlatBufferError(
        .malformed, "a map has as many keys as values, got \(keys.count) and \(extent.count)", position: keysSlot)
    }
    let values = try untypedElements(start: extent.start, count: extent.count, width: width, depth: depth)
    var entries: [(key: String, value: FlexBufferValue)] = []
    entries.reserveCapacity(values.count)
    for (index, value) in values.enumerated() {
      let slot = keys.start + index * Int(keyWidth)
      let target = try target(of: Reference(slot: slot, slotWidth: Int(keyWidth), childWidth: 1, type: 4))
      entries.append((key: try key(at: target), value: value))
    }
    return .map(entries)
  }

  // MARK: Positions

  /// Returns the target of the offset in the value's slot. Offsets are relative to the slot and point backward.
  private func target(of reference: Reference) throws(FlatBufferError) -> Int {
    let offset = try unsigned(at: reference.slot, width: reference.slotWidth)
    guard offset > 0, offset <= UInt64(reference.slot) else {
      throw FlatBufferError(
        .outOfBounds, "the backward offset \(offset) leads out of the FlexBuffer", position: reference.slot)
    }
    return reference.slot - Int(offset)
  }

  /// Returns the extent of a value that stores its element count before its elements, checked against the buffer.
  private func sized(
    _ reference: Reference, elementWidth: Int
  ) throws(FlatBufferError) -> (start: Int, count: Int) {
    let start = try target(of: reference)
    let count = try unsigned(at: start - reference.childWidth, width: reference.childWidth)
    guard count <= UInt64((region.count - start) / elementWidth) else {
      throw FlatBufferError(
        .outOfBounds, "\(count) elements of \(elementWidth) bytes reach past the end of the FlexBuffer",
        position: start)
    }
    return (start, Int(count))
  }

  /// Deducts a collection's elements from the budget before memory is allocated for them.
  private mutating func takeValues(_ count: Int, position: Int) throws(FlatBufferError) {
    guard count <= remainingValues else {
      throw FlatBufferError(
        .limitExceeded, "the FlexBuffer holds more values than the limit for its size", position: position)
    }
    remainingValues -= count
  }
}
