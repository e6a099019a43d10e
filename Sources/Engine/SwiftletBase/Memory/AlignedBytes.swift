/// A block of raw memory with 64-byte alignment, freed when the last reference goes away.
///
/// Unchecked `Sendable` because the owner orders the accesses: a block is filled by one thread and then only read, or
/// belongs to one session.
package final class AlignedBytes: @unchecked Sendable {
  package let bytes: UnsafeMutableRawBufferPointer
  /// The first byte; valid, though not to be read, when the block is empty.
  package let start: UnsafeMutableRawPointer
  /// What is given back at the end.
  private let origin: Origin
  /// An object that lives as long as the block: what counts its bytes.
  package var companion: AnyObject?
  /// What the block will hold, where its bytes are not written before somebody reads them. Set before it is shared.
  package var deferred: LazyBuffer?

  private enum Origin {
    case allocation
    /// Pages that the system gave directly.
    case mapping(UnsafeMutableRawBufferPointer)
    /// A part of another block.
    case part(of: AlignedBytes)
    case guarded(GuardedPages)
  }

  /// Where blocks come from instead of the system while something runs in checked mode.
  @TaskLocal package static var source: (any PageSource)?
  /// How many calls of ``taking(_:_:)`` are running. While it is 0, the task-local value is not read.
  private static let sourceUses = Atomic<Int>(0)

  /// Runs `body` with blocks from `source`; with `nil` nothing changes.
  package static func taking<Value, Failure: Error>(
    from source: (any PageSource)?, _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard let source else { return try body() }
    sourceUses.add(1, ordering: .relaxed)
    defer { sourceUses.subtract(1, ordering: .relaxed) }
    let result: Result<Value, Failure> = $source.withValue(source) {
      do throws(Failure) {
        return .success(try body())
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The source that gives this block; `nil` for the system.
  private static var presentSource: (any PageSource)? { sourceUses.load(ordering: .relaxed) == 0 ? nil : source }

  package static let alignment = 64
  /// From this size on, pages come from the system directly. Where it has large pages these are taken as far as whole
  /// ones go, when they are first touched: with small pages, four megabytes take a thousand page faults and five times
  /// as long. `takePages` takes the small ones all at once, in half the time of as many faults.
  private static let mappingThreshold = 1 << 16
  private static let largePage = 2 << 20

  /// Creates `count` zero bytes, with 64 readable zero bytes of slack behind them for kernels that load whole vectors.
  package convenience init(zeroed count: Int) {
    if let pages = Self.presentSource?.pages(count) {
      self.init(pages)
    } else if let mapping = Self.map(count) {
      self.init(start: mapping.start, count: count, origin: .mapping(mapping.pages))
    } else {
      self.init(allocating: count)
    }
  }

  /// As `init(zeroed:)`, or `nil` when the system has no memory of that size.
  package convenience init?(zeroedIfAvailable count: Int) {
    if let source = Self.presentSource {
      guard let pages = source.pages(count) else { return nil }
      self.init(pages)
    } else if count >= Self.mappingThreshold {
      guard let mapping = Self.map(count) else { return nil }
      self.init(start: mapping.start, count: count, origin: .mapping(mapping.pages))
    } else {
      self.init(allocating: count)
    }
  }

  package convenience init(copying source: some Collection<UInt8>) {
    self.init(zeroed: source.count)
    bytes.copyBytes(from: source)
  }

  /// Creates `count` bytes of `block` from `offset` on, a multiple of the alignment; `nil` unless they lie in it. Its
  /// slack is what follows there.
  package convenience init?(_ count: Int, of block: AlignedBytes, at offset: Int) {
    guard count >= 0, offset >= 0, offset % Self.alignment == 0, offset <= block.bytes.count,
      count <= block.bytes.count - offset
    else { return nil }
    self.init(start: block.start + offset, count: count, origin: .part(of: block))
  }

  /// Creates the bytes of `pages`, without slack.
  package convenience init(_ pages: GuardedPages) {
    // A buffer over a mapping has an address.
    let start =
      pages.bytes.baseAddress ?? UnsafeMutableRawPointer(bitPattern: UInt(Self.alignment))
      ?? .allocate(byteCount: 1, alignment: 1)
    self.init(start: start, count: pages.bytes.count, origin: .guarded(pages))
  }

  /// Whether `init(_:of:at:)` may cut blocks from others. Not where each has to have pages of its own.
  package static var mayShare: Bool { presentSource == nil }

  private convenience init(allocating count: Int) {
    let start = UnsafeMutableRawPointer.allocate(byteCount: count + Self.alignment, alignment: Self.alignment)
    start.initializeMemory(as: UInt8.self, repeating: 0, count: count + Self.alignment)
    self.init(start: start, count: count, origin: .allocation)
  }

  private init(start: UnsafeMutableRawPointer, count: Int, origin: Origin) {
    self.start = start
    self.origin = origin
    bytes = UnsafeMutableRawBufferPointer(start: start, count: count)
  }

  deinit {
    switch origin {
    case .allocation: start.deallocate()
    case .mapping(let pages): munmap(pages.baseAddress, pages.count)
    case .part, .guarded: break
    }
  }

  /// Fresh zero pages for a large block, `nil` for a small one and when there are none.
  private static func map(_ count: Int) -> (start: UnsafeMutableRawPointer, pages: UnsafeMutableRawBufferPointer)? {
    guard count >= mappingThreshold, count <= Int.max - alignment - 2 * largePage else { return nil }
    // Large pages start at a multiple of their size.
    let whole = Self.largePages(count)
    let byteCount = max(count + alignment, whole) + (whole > 0 ? largePage : 0)
    let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let address, address != MAP_FAILED else { return nil }
    let offset = whole > 0 ? (largePage - Int(bitPattern: address) & (largePage - 1)) % largePage : 0
    let start = address + offset
    #if os(Linux) || os(Android)
      // Only advice, as below: a system that does not know it, or has no memory left, ignores it.
      if whole > 0 { madvise(start, whole, MADV_HUGEPAGE) }
    #endif
    return (start, UnsafeMutableRawBufferPointer(start: address, count: byteCount))
  }

  /// How much of a mapping of `count` bytes is in large pages: whole ones, and a last one of which an eighth stays
  /// unused.
  private static func largePages(_ count: Int) -> Int { (count + largePage / 8) / largePage * largePage }

  /// Asks the system for the small pages of the first `count` bytes at once: all of them are about to be written.
  package func takePages(_ count: Int) {
    #if os(Linux) || os(Android)
      guard case .mapping = origin else { return }
      let whole = Self.largePages(bytes.count)
      guard count > whole, count <= bytes.count else { return }
      // `MADV_POPULATE_WRITE`, which older headers lack.
      madvise(start + whole, count - whole, 23)
    #endif
  }
}

/// Whether there is memory for something large. An array that does not fit ends the program. So code that makes an
/// array of a size from outside asks first.
package enum AvailableMemory {
  /// Blocks below this size are not checked: a program that cannot have them cannot do anything.
  private static let small = 1 << 26

  /// Whether the system would give a block of that size, and the machine has as much memory at all: many systems
  /// promise more than they have.
  package static func has(_ byteCount: Int) -> Bool {
    guard byteCount >= small else { return byteCount >= 0 }
    let (pages, pageSize) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
    let (memory, overflow) = pages.multipliedReportingOverflow(by: pageSize)
    // A system that does not say how much there is answers -1.
    guard pages <= 0 || pageSize <= 0 || overflow || byteCount <= memory, let block = malloc(byteCount) else {
      return false
    }
    free(block)
    return true
  }
}
