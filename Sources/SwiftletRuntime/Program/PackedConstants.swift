import SwiftletFlatBuffers
import SwiftletSchema
import Synchronization

/// Constants in the layouts that kernels read, shared by everything compiled from one model.
final class PackedConstants: Sendable {
  private struct Source: Hashable {
    var address: UInt
    var count: Int
  }

  private struct Key: Hashable {
    var sources: [Source]
    var layout: String
  }

  private struct Entry {
    var packed: AlignedBytes
    /// Keeps the sources alive, so that their addresses stay their own.
    var sources: [ByteRegion]
  }

  private let entries = Mutex<[Key: Entry]>([:])

  /// The bytes of everything packed so far.
  var byteCount: Int { entries.withLock { $0.values.reduce(0) { $0 + $1.packed.bytes.count } } }

  func value(regions: [ByteRegion], layout: String, make: () throws -> AlignedBytes) rethrows -> AlignedBytes {
    let sources = regions.map { Source(address: UInt(bitPattern: $0.bytes.baseAddress), count: $0.count) }
    let key = Key(sources: sources, layout: layout)
    if let entry = entries.withLock({ $0[key] }) { return entry.packed }
    let packed = try make()
    return entries.withLock {
      if let entry = $0[key] { return entry.packed }
      $0[key] = Entry(packed: packed, sources: regions)
      return packed
    }
  }

  /// A constant as operators expect it: aligned, and with 2- and 4-bit elements expanded to bytes (the spec then says
  /// so).
  static func loadable(
    _ data: ByteRegion, spec: inout TensorSpec, limits: RuntimeOptions.Limits, location: RuntimeError.Location
  ) throws -> ByteRegion {
    let count = spec.shape.elementCount
    guard spec.elementType.bitWidth != nil else { return data }
    guard let bytes = spec.byteCount, bytes <= limits.tensorBytes else {
      throw RuntimeError(
        .limitExceeded, "\(spec) is larger than the limit of \(limits.tensorBytes) bytes a tensor", location: location)
    }
    guard data.count >= bytes else {
      throw RuntimeError(
        .invalidModel, "\(spec) takes \(bytes) bytes, the model holds \(data.count)", location: location)
    }
    switch spec.elementType {
    case .int4: return expand(data, count: count, bits: 4, isSigned: true, spec: &spec)
    case .uint4: return expand(data, count: count, bits: 4, isSigned: false, spec: &spec)
    case .int2: return expand(data, count: count, bits: 2, isSigned: true, spec: &spec)
    default: break
    }
    let isAligned = UInt(bitPattern: data.bytes.baseAddress) % 16 == 0
    if isAligned, data.count == bytes { return data }
    guard let exact = data.slice(offset: 0, count: bytes) else { return data }
    if isAligned { return exact }
    let copy = AlignedBytes(copying: exact.bytes)
    return ByteRegion(owner: copy, bytes: UnsafeRawBufferPointer(copy.bytes))
  }

  /// Elements of `bits` bits, lowest bits first, one to a byte.
  private static func expand(
    _ data: ByteRegion, count: Int, bits: Int, isSigned: Bool, spec: inout TensorSpec
  ) -> ByteRegion {
    let expanded = AlignedBytes(zeroed: count)
    let perByte = 8 / bits
    let top = UInt8(8 - bits)
    for index in 0..<count {
      let shifted = data.bytes[index / perByte] << (top - UInt8(index % perByte * bits))
      expanded.bytes[index] = isSigned ? UInt8(bitPattern: Int8(bitPattern: shifted) >> Int8(top)) : shifted >> top
    }
    spec.elementType = isSigned ? .int8 : .uint8
    return ByteRegion(owner: expanded, bytes: UnsafeRawBufferPointer(expanded.bytes))
  }
}
