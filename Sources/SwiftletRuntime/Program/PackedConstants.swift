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
  private struct Source: Hashable {
    var address: UInt
    var count: Int
  }

  /// What is packed, and how.
  struct Key: Hashable {
    private var sources: [Source]
    private var layout: PackedLayout

    init(_ regions: [ByteRegion], _ layout: PackedLayout) {
      sources = regions.map { Source(address: UInt(bitPattern: $0.bytes.baseAddress), count: $0.count) }
      self.layout = layout
    }
  }

  struct Entry {
    var packed: AlignedBytes
    /// Keeps the sources alive, so that their addresses stay their own.
    var sources: [ByteRegion]
  }

  private struct Contents {
    var entries: [Key: Entry] = [:]
    var byteCount = 0
  }

  private let contents = Mutex(Contents())
  private let byteLimit: Int

  /// - Parameter byteLimit: how much may be packed. One source may be packed in several layouts, and sources may overlap.
  init(byteLimit: Int) { self.byteLimit = byteLimit }

  /// The bytes of everything packed so far.
  var byteCount: Int { contents.withLock { $0.byteCount } }

  subscript(key: Key) -> AlignedBytes? { contents.withLock { $0.entries[key]?.packed } }

  /// Shares what a compilation has packed. Where another one was faster, its constants are those that are found from now on.
  ///
  /// - Throws: `limitExceeded` when it is too much.
  func add(_ entries: [Key: Entry]) throws(RuntimeError) {
    let isTooMuch = contents.withLock {
      for (key, entry) in entries where $0.entries[key] == nil {
        $0.byteCount += entry.packed.bytes.count
        $0.entries[key] = entry
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
  /// A constant as operators expect it: as long as its shape says, and with 2- and 4-bit elements expanded to bytes (the spec then says
  /// so).
  ///
  /// - Parameter budget: how many bytes may still be copied; many tensors may share the bytes of one buffer.
  static func loadable(
    _ data: ByteRegion, spec: inout TensorSpec, limits: RuntimeOptions.Limits, budget: inout Int,
    location: RuntimeError.Location
  ) throws -> ByteRegion {
    let count = spec.shape.elementCount
    guard spec.elementType.bitWidth != nil else { return data }
    try limits.check(spec, "constant", at: location)
    let bytes = spec.byteCount ?? 0
    guard data.count >= bytes else {
      throw RuntimeError(
        .invalidModel, "\(spec) takes \(bytes) bytes, the model holds \(data.count)", location: location)
    }
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
    switch spec.elementType {
    case .int4: return expand(data, into: try copy(count), bits: 4, isSigned: true, spec: &spec)
    case .uint4: return expand(data, into: try copy(count), bits: 4, isSigned: false, spec: &spec)
    case .int2: return expand(data, into: try copy(count), bits: 2, isSigned: true, spec: &spec)
    default: break
    }
    // The reader has aligned it for its elements, and vectors are loaded from anywhere.
    return data.slice(offset: 0, count: bytes) ?? data
  }

  /// Elements of `bits` bits, lowest bits first, one to a byte.
  private static func expand(
    _ data: ByteRegion, into expanded: AlignedBytes, bits: Int, isSigned: Bool, spec: inout TensorSpec
  ) -> ByteRegion {
    let perByte = 8 / bits
    let top = UInt8(8 - bits)
    for index in expanded.bytes.indices {
      let shifted = data.bytes[index / perByte] << (top - UInt8(index % perByte * bits))
      expanded.bytes[index] = isSigned ? UInt8(bitPattern: Int8(bitPattern: shifted) >> Int8(top)) : shifted >> top
    }
    spec.elementType = isSigned ? .int8 : .uint8
    return ByteRegion(owner: expanded, bytes: UnsafeRawBufferPointer(expanded.bytes))
  }
}
