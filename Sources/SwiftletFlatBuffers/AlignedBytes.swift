#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A block of raw memory with 64-byte alignment, freed when the last reference goes away.
///
/// Unchecked `Sendable` because the owner decides: a block is filled by one thread and then only read, or belongs
/// to one session.
package final class AlignedBytes: @unchecked Sendable {
  package let bytes: UnsafeMutableRawBufferPointer
  /// The first byte; valid, though not to be read, when the block is empty.
  package let start: UnsafeMutableRawPointer
  /// The size of the mapping, for blocks that the system gave directly.
  private let mappedByteCount: Int?

  package static let alignment = 64
  /// From this size on, pages come from the system when they are first touched: large blocks cost nothing until used.
  private static let mappingThreshold = 1 << 20

  /// `count` zero bytes, with 64 readable zero bytes of slack behind them for kernels that load whole vectors.
  package convenience init(zeroed count: Int) {
    if let mapping = Self.map(count) {
      self.init(start: mapping.start, count: count, mappedByteCount: mapping.byteCount)
    } else {
      self.init(allocating: count)
    }
  }

  /// As `init(zeroed:)`, or `nil` when the system has no memory of that size.
  package convenience init?(zeroedIfAvailable count: Int) {
    if count >= Self.mappingThreshold {
      guard let mapping = Self.map(count) else { return nil }
      self.init(start: mapping.start, count: count, mappedByteCount: mapping.byteCount)
    } else {
      self.init(allocating: count)
    }
  }

  package convenience init(copying source: some Collection<UInt8>) {
    self.init(zeroed: source.count)
    bytes.copyBytes(from: source)
  }

  private convenience init(allocating count: Int) {
    let start = UnsafeMutableRawPointer.allocate(byteCount: count + Self.alignment, alignment: Self.alignment)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: count + Self.alignment)
    self.init(start: start, count: count, mappedByteCount: nil)
  }

  private init(start: UnsafeMutableRawPointer, count: Int, mappedByteCount: Int?) {
    self.start = start
    self.mappedByteCount = mappedByteCount
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit {
    if let mappedByteCount {
      munmap(start, mappedByteCount)
    } else {
      start.deallocate()
    }
  }

  /// Fresh zero pages for a large block, `nil` for a small one and when there are none.
  private static func map(_ count: Int) -> (start: UnsafeMutableRawPointer, byteCount: Int)? {
    guard count >= mappingThreshold, count <= Int.max - alignment else { return nil }
    let byteCount = count + alignment
    let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address, address != MAP_FAILED else { return nil }
    return (address, byteCount)
  }
}
