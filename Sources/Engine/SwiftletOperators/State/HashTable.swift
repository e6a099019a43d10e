import SwiftletEngine
import SwiftletSchema

/// The memory of a hash table: a header, then slots of keys and their values, found by the keys' hashes. Strings are
/// the numbers that tensors hold for them.
///
/// It starts as zeros, which means that nothing was imported yet.
struct HashTable: Sendable {
  private let slot: TensorSlot
  /// For the pairs that the node imports.
  private let slotCount: Int
  private let maximumSlots: Int
  private let location: RuntimeError.Location

  typealias Types = HashTableTypes

  private struct Header: BitwiseCopyable {
    /// One of the states below.
    var state: Int64
    /// A power of two.
    var slotCount: Int64
    var count: Int64
  }

  private static let imported: Int64 = 1
  /// An import has begun; where it comes to no end, the next one begins again.
  private static let importing: Int64 = 2

  fileprivate struct Slot: BitwiseCopyable {
    var isUsed: UInt64
    var key: UInt64
    var value: UInt64
  }

  private static let headerByteCount = StateKey.headerByteCount

  /// - Parameters:
  ///   - types: Of the keys and values that the node gives or takes.
  ///   - capacity: The most pairs that the node imports.
  /// - Throws: An error if input 0 does not name a hash table, or it has other types.
  init(_ context: PrepareContext, _ types: Types?, capacity: Int = 0) throws {
    let key = try context.resource(ofInput: 0)
    guard case .numbered(_, let elements) = key, elements.count == 2 else {
      throw context.node.invalid("input 0 names a variable, not a hash table")
    }
    let declared = Types(key: elements[0], value: elements[1])
    guard types == nil || types == declared else {
      throw context.node.invalid(
        "works on other types than the table's, \(declared.key.name) for \(declared.value.name)")
    }
    maximumSlots = max(0, context.options.limits.tensorBytes - Self.headerByteCount) / MemoryLayout<Slot>.stride
    guard capacity <= maximumSlots / 2 else {
      throw context.node.invalid("imports \(capacity) pairs, which are too many")
    }
    // At least a quarter of the slots stays free.
    let wanted = capacity + capacity / 3
    slotCount = 1 << (Int.bitWidth - wanted.leadingZeroBitCount)
    guard slotCount <= max(1, maximumSlots) else {
      throw context.node.invalid("imports \(capacity) pairs, which are too many")
    }
    location = context.node.node.location
    slot = context.state(key, bytes: Self.headerByteCount + (capacity == 0 ? 0 : slotCount * MemoryLayout<Slot>.stride))
  }

  private func slots(_ run: RunContext) -> UnsafeMutablePointer<Slot> {
    (run.pointer(slot) + Self.headerByteCount).assumingMemoryBound(to: Slot.self)
  }

  /// Stages that take over as many pairs as the table was made for, unless it has some already; of equal keys the first
  /// counts.
  func filling(keys: TensorSlot, values: TensorSlot, count: Int) -> [PreparedOperator.Stage] {
    guard count > 0 else {
      return [
        PreparedOperator.Stage(tileCount: 1) { run, _ in
          let header = run.pointer(slot, as: Header.self)
          if header.pointee.state != Self.imported {
            header.pointee = Header(state: Self.imported, slotCount: 0, count: 0)
          }
        }
      ]
    }
    // What an import without an end has left.
    let clearing = PreparedOperator.Stage(items: slotCount, cost: 1) { run, range in
      guard run.pointer(slot, as: Header.self).pointee.state == Self.importing else { return }
      (slots(run) + range.lowerBound).update(repeating: Slot(isUsed: 0, key: 0, value: 0), count: range.count)
    }
    let storing = PreparedOperator.Stage.inOrder(items: count, cost: 100) { run, _, pairs in
      let header = run.pointer(slot, as: Header.self), slots = slots(run)
      guard header.pointee.state != Self.imported else { return }
      if pairs.lowerBound == 0 { header.pointee = Header(state: Self.importing, slotCount: Int64(slotCount), count: 0) }
      let (keys, values) = (run.pointer(keys, as: UInt64.self), run.pointer(values, as: UInt64.self))
      for pair in pairs {
        let position = Self.position(of: keys[pair], in: slots, slotCount)
        guard slots[position].isUsed == 0 else { continue }
        slots[position] = Slot(isUsed: 1, key: keys[pair], value: values[pair])
        header.pointee.count &+= 1
      }
      if pairs.upperBound == count { header.pointee.state = Self.imported }
    }
    return [clearing] + storing
  }

  /// Returns the slot of a key, or the free one where it belongs. Hashes are seeded, so that no file knows which keys
  /// meet; some slot is always free.
  fileprivate static func position(of key: UInt64, in slots: UnsafePointer<Slot>, _ slotCount: Int) -> Int {
    var position = key.hashValue & (slotCount &- 1)
    while slots[position].isUsed != 0, slots[position].key != key { position = (position &+ 1) & (slotCount &- 1) }
    return position
  }

  /// What was imported.
  ///
  /// - Throws: `invalidInput` if nothing was.
  func contents(_ run: RunContext) throws -> Contents {
    let header = run.pointer(slot, as: Header.self).pointee
    guard header.state == Self.imported, header.slotCount >= 0, header.slotCount <= Int64(maximumSlots),
      header.count >= 0,
      header.slotCount & (header.slotCount &- 1) == 0, header.count == 0 || header.count < header.slotCount
    else {
      throw RuntimeError(
        .invalidInput, "looks into a hash table before anything is imported into it", location: location)
    }
    return Contents(slots: slots(run), slotCount: Int(header.slotCount), count: Int(header.count))
  }

  struct Contents {
    fileprivate let slots: UnsafePointer<Slot>
    fileprivate let slotCount: Int
    let count: Int

    /// Returns the value of a key, or `nil`.
    func value(of key: UInt64) -> UInt64? {
      guard count > 0 else { return nil }
      let position = HashTable.position(of: key, in: slots, slotCount)
      return slots[position].isUsed != 0 ? slots[position].value : nil
    }
  }
}

/// The types of a hash table's keys and values.
struct HashTableTypes: Sendable, Hashable {
  var key: ElementType
  var value: ElementType

  /// Those that the reference has: numbers for strings, or strings for numbers.
  var isSupported: Bool { key == .int64 && value == .string || key == .string && value == .int64 }
}
