/// Immutable bytes together with the owner that keeps them alive: a mapped file, an array, or an object of the caller.
///
/// A region is a value, and its slices share the owner. Every access is bounds-checked against the region, so an
/// untrusted offset returns `nil` and never reads memory outside.
///
/// - Thread safety: callable concurrently. Unchecked `Sendable` because pointers aren't `Sendable`; the bytes never
///   change after creation.
package struct ByteRegion: @unchecked Sendable {
  /// The object that keeps the memory alive; `nil` for an empty region.
  package let owner: AnyObject?
  /// The bytes of the region, readable only while a region with the same owner is alive.
  ///
  /// Swift may release a value right after its last use, so `makeRegion().bytes` returns a dangling pointer. Keep the
  /// region in a variable or property that outlives the pointer, or use `withBytes`.
  package let bytes: UnsafeRawBufferPointer

  /// An empty region.
  package static let empty = ByteRegion(owner: nil, bytes: UnsafeRawBufferPointer(start: nil, count: 0))

  /// Creates a region over memory that `owner` keeps alive and unchanged.
  package init(owner: AnyObject?, bytes: UnsafeRawBufferPointer) {
    self.owner = owner
    self.bytes = bytes
  }

  /// Creates a region over a copy of `array`, aligned to 64 bytes.
  package init(_ array: [UInt8]) {
    let storage = AlignedBytes(copying: array)
    self.init(owner: storage, bytes: UnsafeRawBufferPointer(storage.bytes))
  }

  package var count: Int { bytes.count }

  /// Returns the part `offset ..< offset + count`, or `nil` if it isn't inside this region.
  package func slice(offset: Int, count: Int) -> ByteRegion? {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
    return ByteRegion(owner: owner, bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
  }
}

extension ByteRegion {
  /// Calls `body` with the bytes, which stay readable until it returns.
  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(owner) {} }
    return try body(bytes)
  }

  /// Returns whether both regions contain the same bytes, even at different addresses.
  package func hasSameBytes(as other: ByteRegion) -> Bool {
    withBytes { ours in
      other.withBytes { theirs in
        guard ours.count == theirs.count else { return false }
        guard let start = ours.baseAddress, let otherStart = theirs.baseAddress else { return true }
        return start == otherStart || memcmp(start, otherStart, ours.count) == 0
      }
    }
  }

  /// A copy of the bytes.
  package var array: [UInt8] { withBytes { Array($0) } }

  /// Returns the little-endian integer at byte `offset`, or `nil` if it isn't inside the region.
  package func integer<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int) -> Value? {
    guard contains(offset: offset, count: MemoryLayout<Value>.size) else { return nil }
    return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Value.self))
  }

  // Overloads for the types of file formats. The generic method isn't specialized for callers in other modules, and its
  // dynamic dispatch would be a measurable part of the load time.

  package func integer(_ type: UInt16.Type, at offset: Int) -> UInt16? { littleEndian(at: offset) }
  package func integer(_ type: UInt32.Type, at offset: Int) -> UInt32? { littleEndian(at: offset) }
  package func integer(_ type: Int32.Type, at offset: Int) -> Int32? { littleEndian(at: offset) }
  package func integer(_ type: UInt64.Type, at offset: Int) -> UInt64? { littleEndian(at: offset) }

  private func littleEndian<Value: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Value? {
    integer(Value.self, at: offset)
  }

  /// Returns the byte at `offset`, or `nil` if it is outside the region.
  package func byte(at offset: Int) -> UInt8? {
    guard offset >= 0, offset < bytes.count else { return nil }
    return bytes[offset]
  }

  /// Returns whether `offset ..< offset + count` is inside the region. Safe for any pair of values.
  package func contains(offset: Int, count: Int) -> Bool {
    offset >= 0 && count >= 0 && count <= bytes.count && offset <= bytes.count - count
  }

  /// Returns whether the region contains exactly the UTF-8 bytes of `text` at `offset`.
  package func hasBytes(of text: String, at offset: Int = 0) -> Bool {
    let expected = text.utf8
    guard contains(offset: offset, count: expected.count) else { return false }
    var position = offset
    for byte in expected {
      guard bytes[position] == byte else { return false }
      position += 1
    }
    return true
  }

  /// The bytes of the region as text. Bytes that aren't valid UTF-8 become replacement characters.
  package var text: String { withBytes { String(decoding: $0, as: UTF8.self) } }

  /// Returns some bytes for a message: as characters if they are printable ASCII, otherwise in hexadecimal. Bytes
  /// outside the region are omitted.
  package func printable(at offset: Int, count: Int) -> String {
    let found = bytes.dropFirst(max(0, offset)).prefix(max(0, count))
    if found.allSatisfy({ (0x20...0x7E).contains($0) }) { return "\"" + String(decoding: found, as: UTF8.self) + "\"" }
    return "the bytes " + found.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(separator: " ")
  }
}
