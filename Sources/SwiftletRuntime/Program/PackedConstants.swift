import SwiftletFlatBuffers
import SwiftletSchema
import Synchronization

/// Names one form in which constants are packed: a kind, and every number that the packed bytes depend on besides the constants.
package struct PackedLayout: Hashable, Sendable {
  private let kind: String
  private var numbers: [Int]

  package init(_ kind: String, _ numbers: [Int] = []) {
    self.kind = kind
    self.numbers = numbers
  }

  /// The same with further numbers; the last ones, since only their number may vary.
  func adding(_ further: [Int]) -> PackedLayout {
    PackedLayout(kind, numbers + [numbers.count] + further)
  }
}

/// Constants in the layouts that kernels read, shared by everything compiled from one model.
final class PackedConstants: Sendable {
  private struct Source: Equatable {
    var address: UInt
    var count: Int
  }

  /// What is packed, and how.
  struct Key: Equatable {
    private var sources: [Source]
    private var layout: PackedLayout
    /// Its place in a table. Not the address: any number of layouts may be made of one source.
    fileprivate let order: Int

    init(_ regions: [ByteRegion], _ layout: PackedLayout) {
      sources = regions.map { Source(address: UInt(bitPattern: $0.bytes.baseAddress), count: $0.count) }
      self.layout = layout
      var hasher = Hasher()
      for source in sources {
        hasher.combine(source.address)
        hasher.combine(source.count)
      }
      layout.hash(into: &hasher)
      order = hasher.finalize()
    }
  }

  struct Entry {
    var key: Key
    var packed: AlignedBytes
    /// Keeps the sources alive, so that their addresses stay their own.
    var sources: [ByteRegion]
  }

  /// Packed constants by what they are.
  ///
  /// Sorted by hash value, not a dictionary: at its first use that would look for its key's conformance through the whole program, as long
  /// as a small model takes to load otherwise.
  struct Table {
    private(set) var entries: [Entry] = []

    /// The position of the first entry that does not stand before `order`.
    private func position(of order: Int) -> Int {
      var lower = 0, upper = entries.count
      while lower < upper {
        let middle = (lower + upper) / 2
        if entries[middle].key.order < order { lower = middle + 1 } else { upper = middle }
      }
      return lower
    }

    subscript(key: Key) -> AlignedBytes? {
      entries[position(of: key.order)...].prefix { $0.key.order == key.order }.first { $0.key == key }?.packed
    }

    mutating func insert(_ entry: Entry) { entries.insert(entry, at: position(of: entry.key.order)) }
  }

  private struct Contents {
    var table = Table()
    var byteCount = 0
  }

  private let contents = Mutex(Contents())
  private let byteLimit: Int

  /// - Parameter byteLimit: how much may be packed. One source may be packed in several layouts, and sources may overlap.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The bytes of everything packed so far.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  subscript(key: Key) -> AlignedBytes? { contents.withLock { $0.table[key] } }

  /// Shares what a compilation has packed. Where another one was faster, its constants are those that are found from now on.
  ///
  /// - Throws: `limitExceeded` when it is too much.
  func add(_ table: Table) throws(RuntimeError) {
    let isTooMuch = contents.withLock {
      for entry in table.entries where $0.table[entry.key] == nil {
        $0.byteCount += entry.packed.bytes.count
        $0.table.insert(entry)
      }
      return $0.byteCount > byteLimit
    }
    if isTooMuch { throw tooMuch }
  }

  /// - Throws: `limitExceeded` when `byteCount` more bytes are too much.
  func check(room byteCount: Int) throws(RuntimeError) {
    let (total, overflow) = self.byteCount.addingReportingOverflow(byteCount)
    guard !overflow, total <= byteLimit else { throw tooMuch }
  }

  private var tooMuch: RuntimeError {
    RuntimeError(
      .limitExceeded,
      "packed constants take more than the limit of \(byteLimit) bytes; raise RuntimeOptions.limits.arenaBytes if that is meant"
    )
  }
}

extension PackedConstants {
  /// A constant as operators expect it: as long as its shape says, with all elements of a sparse one, and with 2- and 4-bit elements
  /// expanded to bytes (the spec then says so).
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
      budget -= size
      guard budget >= 0 else {
        throw RuntimeError(
          .limitExceeded,
          "constants take more than the limit of \(limits.arenaBytes) bytes when they are expanded; raise RuntimeOptions.limits.arenaBytes if that is meant",
          location: location)
      }
      return try AlignedBytes.available(size, for: "expanded constants", at: location)
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

  /// The elements one to a byte; the model has the first in the lowest bits.
  private static func expand(_ data: ByteRegion, into expanded: AlignedBytes, _ elements: NarrowIntegers) -> ByteRegion {
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
