/// Immutable bytes together with whatever keeps them alive: a mapped file, an array, a caller's object.
///
/// A region is a value; slicing it shares the owner. Every access is bounds-checked against the region, so a hostile
/// offset gives `nil` and never reads elsewhere.
///
/// - Thread safety: callable concurrently. Unchecked `Sendable` because pointers never are: the bytes never change
///   after creation.
package struct ByteRegion: @unchecked Sendable {
  /// Keeps the memory alive; `nil` for an empty region.
  package let owner: AnyObject?
  /// The bytes of the region, readable only while some region with the same owner lives.
  ///
  /// The language may release a value right after its last use: `makeRegion().bytes` leaves a pointer to memory that
  /// is gone. Keep the region in a variable or property that outlives the pointer, or use `withBytes`.
  package let bytes: UnsafeRawBufferPointer

  /// An empty region.
  package static let empty = ByteRegion(owner: nil, bytes: UnsafeRawBufferPointer(start: nil, count: 0))

  /// A region over memory that `owner` keeps alive and unchanged.
  package init(owner: AnyObject?, bytes: UnsafeRawBufferPointer) {
    self.owner = owner
    self.bytes = bytes
  }

  /// A region over a copy of `array`, aligned to 64 bytes.
  package init(_ array: [UInt8]) {
    let storage = AlignedBytes(copying: array)
    self.init(owner: storage, bytes: UnsafeRawBufferPointer(storage.bytes))
  }

  package var count: Int { bytes.count }

  /// The part `offset ..< offset + count`, or `nil` when it does not lie inside this region.
  package func slice(offset: Int, count: Int) -> ByteRegion? {
    guard offset >= 0, count >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
    return ByteRegion(owner: owner, bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<(offset + count)]))
  }
}
