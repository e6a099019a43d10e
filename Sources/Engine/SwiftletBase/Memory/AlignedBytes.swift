/// A block of raw memory with 64-byte alignment, freed when its last reference is released.
///
/// Unchecked `Sendable` because the owner orders the accesses. A block is either filled by one thread and read-only
/// afterwards, or used by only one session.
package final class AlignedBytes: @unchecked Sendable {
  package let bytes: UnsafeMutableRawBufferPointer
  /// The address of the first byte. It is valid, but must not be read, if the block is empty.
  package let start: UnsafeMutableRawPointer
  /// The memory to release together with the block.
  private let origin: Origin
  /// An object with the lifetime of the block, for example the counter of its bytes.
  package var companion: AnyObject?
  /// The deferred contents of the block, for a block that isn't written before its first reader needs the bytes. Set
  /// before the block is shared.
  package var deferred: LazyBuffer?

  private enum Origin {
    case allocation
    /// Pages mapped directly from the system.
    case mapping(UnsafeMutableRawBufferPointer)
    /// A part of another block.
    case part(of: AlignedBytes)
    case guarded(GuardedPages)
  }

  /// The source of blocks while code runs in checked mode; `nil` for the system.
  @TaskLocal package static var source: (any PageSource)?
  /// The number of active calls of ``taking(_:_:)``. While it is 0, the task-local value isn't read.
  private static let sourceUses = Atomic<Int>(0)

  /// Runs `body` with `source` as the source of blocks. If `source` is `nil`, nothing changes.
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

  /// The active page source, or `nil` if blocks come from the system.
  private static var presentSource: (any PageSource)? { sourceUses.load(ordering: .relaxed) == 0 ? nil : source }

  package static let alignment = 64
  /// The size from which blocks are mapped directly from the system.
  ///
  /// If the system supports large pages, whole large pages are used and populated on first access. With small pages,
  /// four megabytes cause a thousand page faults and take five times as long. `takePages` populates the small pages in
  /// one call, which takes half the time of the separate faults.
  private static let mappingThreshold = 1 << 16
  private static let largePage = 2 << 20

  /// Creates `count` zero bytes, followed by 64 readable zero bytes of slack for kernels that load whole vectors.
  package convenience init(zeroed count: Int) {
    if let pages = Self.presentSource?.pages(count) {
      self.init(pages)
    } else if let mapping = Self.map(count) {
      self.init(start: mapping.start, count: count, origin: .mapping(mapping.pages))
    } else {
      self.init(allocating: count)
    }
  }

  /// Creates the same block as `init(zeroed:)`, or returns `nil` if the system can't allocate it.
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

  /// Creates a view of `count` bytes of `block`, starting at `offset`, or returns `nil` if they aren't inside the
  /// block. `offset` must be a multiple of the alignment. The bytes that follow in `block` are the slack.
  package convenience init?(_ count: Int, of block: AlignedBytes, at offset: Int) {
    guard count >= 0, offset >= 0, offset % Self.alignment == 0, offset <= block.bytes.count,
      count <= block.bytes.count - offset
    else { return nil }
    self.init(start: block.start + offset, count: count, origin: .part(of: block))
  }

  /// Creates a block over `pages`, without slack.
  package convenience init(_ pages: GuardedPages) {
    // The buffer of a mapping always has an address.
    let start =
      pages.bytes.baseAddress ?? UnsafeMutableRawPointer(bitPattern: UInt(Self.alignment))
      ?? .allocate(byteCount: 1, alignment: 1)
    self.init(start: start, count: pages.bytes.count, origin: .guarded(pages))
  }

  /// Whether `init(_:of:at:)` may create parts of other blocks. It may not if every block must have pages of its own.
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

  /// Maps fresh zero pages for a large block. Returns `nil` for a small block or if the mapping fails.
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
      // Only advice, like the call below: a system that doesn't support it, or has no memory left, ignores it.
      if whole > 0 { madvise(start, whole, MADV_HUGEPAGE) }
    #endif
    return (start, UnsafeMutableRawBufferPointer(start: address, count: byteCount))
  }

  /// Returns the number of bytes of a mapping of `count` bytes that are in large pages. The last large page is used if
  /// at most an eighth of it stays unused.
  private static func largePages(_ count: Int) -> Int { (count + largePage / 8) / largePage * largePage }

  /// Populates the small pages of the first `count` bytes in one call, because all of them are about to be written.
  package func takePages(_ count: Int) {
    #if os(Linux) || os(Android)
      guard case .mapping = origin else { return }
      let whole = Self.largePages(bytes.count)
      guard count > whole, count <= bytes.count else { return }
      // `MADV_POPULATE_WRITE`, which is missing in older headers.
      madvise(start + whole, count - whole, 23)
    #endif
  }
}

/// A check for large allocations. An array that can't be allocated ends the program, so code that allocates an array
/// with an untrusted size checks first.
package enum AvailableMemory {
  /// The size below which allocations aren't checked: a program that can't allocate so little can't continue anyway.
  private static let small = 1 << 26

  /// Returns whether the system can allocate a block of that size and the machine has that much memory. Many systems
  /// promise more than they have.
  package static func has(_ byteCount: Int) -> Bool {
    guard byteCount >= small else { return byteCount >= 0 }
    let (pages, pageSize) = (Int(sysconf(Int32(_SC_PHYS_PAGES))), Int(sysconf(Int32(_SC_PAGESIZE))))
    let (memory, overflow) = pages.multipliedReportingOverflow(by: pageSize)
    // If the system doesn't report the amount of memory, the result is -1.
    guard pages <= 0 || pageSize <= 0 || overflow || byteCount <= memory, let block = malloc(byteCount) else {
      return false
    }
    free(block)
    return true
  }
}
