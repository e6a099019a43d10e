package import SwiftletSchema

/// The memory of a hash table: a header, then pairs of eight-byte words, sorted by key. Strings are the numbers that tensors hold for them.
///
/// It starts as zeros, which means that nothing was imported yet.
struct HashTable: Sendable {
  private let slot: TensorSlot
  private let types: Types
  private let location: RuntimeError.Location

  typealias Types = HashTableTypes

  private struct Header: BitwiseCopyable {
    var isImported: Int64
    var keyType: Int64
    var valueType: Int64
    var count: Int64
  }

  private struct Pair: BitwiseCopyable {
    var key: UInt64
    var value: UInt64
  }

  private static let headerByteCount = 64

  /// - Parameters:
  ///   - types: of the keys and values that the node gives or takes.
  ///   - capacity: the most pairs that the node imports.
  /// - Throws: when input 0 does not name a hash table, or it has other types.
  init(_ context: PrepareContext, _ types: Types?, capacity: Int = 0) throws {
    let key = try context.resource(ofInput: 0)
    guard case .table(_, let declared) = key else {
      throw context.node.invalid("input 0 names a variable, not a hash table")
    }
    guard types == nil || types == declared else {
      throw context.node.invalid("works on other types than the table's, \(declared.key.name) for \(declared.value.name)")
    }
    let (bytes, overflow) = capacity.multipliedReportingOverflow(by: MemoryLayout<Pair>.stride)
    guard !overflow, bytes <= context.options.limits.tensorBytes else {
      throw context.node.invalid("imports \(capacity) pairs, which are too many")
    }
    self.types = declared
    location = context.node.node.location
    slot = context.state(key, bytes: Self.headerByteCount + bytes)
  }

  /// Takes over the pairs, unless it has some already; of equal keys the first counts.
  func fill(_ run: RunContext, keys: UnsafePointer<UInt64>, values: UnsafePointer<UInt64>, count: Int) {
    let memory = run.pointer(slot)
    guard memory.load(as: Header.self).isImported == 0 else { return }
    let pairs = memory.advanced(by: Self.headerByteCount).assumingMemoryBound(to: Pair.self)
    var stored = 0
    // The sort is stable by position, so the first of equal keys comes first.
    for position in (0..<count).sorted(by: { (keys[$0], $0) < (keys[$1], $1) }) {
      if stored > 0, pairs[stored - 1].key == keys[position] { continue }
      pairs[stored] = Pair(key: keys[position], value: values[position])
      stored += 1
    }
    memory.storeBytes(
      of: Header(
        isImported: 1, keyType: Int64(types.key.rawValue), valueType: Int64(types.value.rawValue), count: Int64(stored)),
      as: Header.self)
  }

  /// What was imported.
  ///
  /// - Throws: `invalidInput` when nothing was.
  func contents(_ run: RunContext) throws -> Contents {
    let memory = run.pointer(slot)
    let header = memory.load(as: Header.self)
    guard header.isImported == 1 else {
      throw RuntimeError(.invalidInput, "looks into a hash table before anything is imported into it", location: location)
    }
    return Contents(pairs: memory.advanced(by: Self.headerByteCount), count: Int(header.count))
  }

  struct Contents {
    fileprivate let pairs: UnsafeMutableRawPointer
    let count: Int

    /// The value of a key, or `nil`.
    func value(of key: UInt64) -> UInt64? {
      let pairs = pairs.assumingMemoryBound(to: Pair.self)
      var (lower, upper) = (0, count)
      while lower < upper {
        let middle = (lower &+ upper) / 2
        if pairs[middle].key < key { lower = middle &+ 1 } else { upper = middle }
      }
      return lower < count && pairs[lower].key == key ? pairs[lower].value : nil
    }
  }
}

/// The types of a hash table's keys and values.
package struct HashTableTypes: Sendable, Hashable {
  package var key: ElementType
  package var value: ElementType

  /// Those that the reference has: numbers for strings, or strings for numbers.
  var isSupported: Bool { key == .int64 && value == .string || key == .string && value == .int64 }
}
