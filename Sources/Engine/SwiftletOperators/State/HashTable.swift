import SwiftletEngine
import SwiftletSchema

/// The memory of a hash table: a header, followed by slots with keys and their values, which are found by the keys'
/// hashes. Strings are represented by their IDs.
///
/// The memory initially contains zeros, which means that nothing has been imported.
struct HashTable: Sendable {
  private let slot: TensorSlot
  /// The number of slots for the pairs that the node imports.
  private let slotCount: Int
  private let maximumSlots: Int
  private let location: RuntimeError.Location

  typealias Types = HashTableTypes

  private struct Header: BitwiseCopyable {
    /// One of the states below.
    var state: Int64
    /// The number of slots, a power of two.
    var slotCount: Int64
    var count: Int64
  }

  private static let imported: Int64 = 1
  /// An import has begun. If it doesn't finish, the next import starts again.
  private static let importing: Int64 = 2

  fileprivate struct Slot: BitwiseCopyable {
    var isUsed: UInt64
    var key: UInt64
    var value: UInt64
  }

  private static let headerByteCount = StateKey.headerByteCount

  /// Creates the hash table.
  ///
  /// - Parameters:
  ///   - types: The types of the node's keys and values.
  ///   - capacity: The maximum number of pairs that the node imports.
  /// - Throws: An error if input 0 doesn't refer to a hash table, or if the table has other types.
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
      throw context.node.invalid("imports \(capacity) pairs, which is too many")
    }
    // At least a quarter of the slots stays free.
    let wanted = capacity + capacity / 3
    slotCount = 1 << (Int.bitWidth - wanted.leadingZeroBitCount)
    guard slotCount <= max(1, maximumSlots) else {
      throw context.node.invalid("imports \(capacity) pairs, which is too many")
    }
    location = context.node.node.location
    slot = context.state(key, bytes: Self.headerByteCount + (capacity == 0 ? 0 : slotCount * MemoryLayout<Slot>.stride))
  }

  private func slots(_ run: RunContext) -> UnsafeMutablePointer<Slot> {
    (run.pointer(slot) + Self.headerByteCount).assumingMemoryBound(to: Slot.self)
  }

  /// Returns stages that import as many pairs as the table was created for, unless it already contains some. The first
  /// of equal keys is used.
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
    // Clear the rest of an unfinished import.
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

  /// Returns the slot of a key, or the free slot where it belongs. Hashes are seeded, so that a file can't predict
  /// collisions. There is always a free slot.
  fileprivate static func position(of key: UInt64, in slots: UnsafePointer<Slot>, _ slotCount: Int) -> Int {
    var position = key.hashValue & (slotCount &- 1)
    while slots[position].isUsed != 0, slots[position].key != key { position = (position &+ 1) & (slotCount &- 1) }
    return position
  }

  /// Returns the imported contents.
  ///
  /// - Throws: `invalidInput` if nothing has been imported.
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

    /// Returns the value of a key, or `nil` if there is none.
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

  /// Whether the reference supports the types: integers for strings, or strings for integers.
  var isSupported: Bool { key == .int64 && value == .string || key == .string && value == .int64 }
}
