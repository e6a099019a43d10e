/// Bytes in pages of their own between two protected ones: reading or writing past the end raises a signal.
///
/// The system protects whole pages, so that only one of the two ends can be exact. What is left of the pages next to
/// the bytes holds a pattern, which shows afterwards whether something was written there.
///
/// Unchecked `Sendable` because the owner orders the accesses, as for `AlignedBytes`.
package final class GuardedPages: @unchecked Sendable {
  /// Where the bytes lie in their pages.
  package enum Side: Sendable { case start, end }

  /// What may be done with the pages.
  package enum Rights: Sendable { case none, read, readWrite }

  package let bytes: UnsafeMutableRawBufferPointer
  /// The pages that hold the bytes.
  private let body: UnsafeMutableRawBufferPointer
  /// The same with the protected page in front and the one behind.
  private let pages: UnsafeMutableRawBufferPointer
  private let pattern: UInt8
  package private(set) var rights = Rights.readWrite

  /// Creates `count` zero bytes that may be read and written, or `nil` when the system has no memory or no mapping
  /// left.
  ///
  /// - Parameters:
  ///   - alignment: of the first byte, a power of two. At the side `end` fewer bytes than that may lie between what may
  ///     be read and the protected page.
  ///   - slack: how many bytes behind the last one may be read, but not written.
  ///   - pattern: what the pages hold next to the bytes.
  package init?(_ count: Int, alignment: Int, slack: Int, side: Side, pattern: UInt8) {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    guard page > 0, alignment > 0, alignment <= page, (0...page).contains(slack), count >= 0,
      count <= Int.max - 4 * page
    else { return nil }
    let readable = count + (count > 0 ? slack : 0)
    let size = (readable + page - 1) / page * page
    guard let address = mmap(nil, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), address != MAP_FAILED
    else { return nil }
    pages = UnsafeMutableRawBufferPointer(start: address, count: size + 2 * page)
    body = UnsafeMutableRawBufferPointer(rebasing: pages[page..<(page + size)])
    let distance = side == .end ? size - (readable + alignment - 1) / alignment * alignment : 0
    bytes = UnsafeMutableRawBufferPointer(start: address + page + distance, count: count)
    self.pattern = pattern
    guard size == 0 || mprotect(address + page, size, PROT_READ | PROT_WRITE) == 0 else { return nil }
    for margin in margins { margin.initializeMemory(as: UInt8.self, repeating: pattern) }
  }

  deinit { munmap(pages.baseAddress, pages.count) }

  /// What is left of the pages in front of the bytes and behind them.
  private var margins: [UnsafeMutableRawBufferPointer] {
    guard let first = body.baseAddress, let start = bytes.baseAddress, !body.isEmpty else { return [] }
    let front = start - first
    return [
      UnsafeMutableRawBufferPointer(rebasing: body[..<front]),
      UnsafeMutableRawBufferPointer(rebasing: body[(front + bytes.count)...]),
    ]
  }

  /// Changes what may be done with the pages; returns whether the system did so.
  package func allow(_ rights: Rights) -> Bool {
    guard rights != self.rights, !body.isEmpty else { return true }
    let protection =
      switch rights {
      case .none: PROT_NONE
      case .read: PROT_READ
      case .readWrite: PROT_READ | PROT_WRITE
      }
    guard mprotect(body.baseAddress, body.count, protection) == 0 else { return false }
    self.rights = rights
    return true
  }

  /// Fills the bytes, which must be writable, with the pattern.
  package func spoil() { bytes.initializeMemory(as: UInt8.self, repeating: pattern) }

  /// Whether nothing was written next to the bytes. The pages must be readable.
  package var hasCleanMargins: Bool { margins.allSatisfy { $0.allSatisfy { $0 == pattern } } }

  /// Writes to the protected page behind the bytes, which raises the signal.
  package func violate() {
    (pages.baseAddress.map { $0 + pages.count - 1 })?.storeBytes(of: pattern, as: UInt8.self)
  }
}

/// Gives memory in the place of the system's, while it is `AlignedBytes.source`.
package protocol PageSource: AnyObject, Sendable {
  /// `count` zero bytes that may be read and written, or `nil` when there is no memory.
  func pages(_ count: Int) -> GuardedPages?
}

/// What a block holds once somebody reads it there: bytes that follow from others, which take less room.
///
/// Whoever passes over them only once, to pack them, expands them elsewhere; the block itself then never gets pages.
///
/// - Thread safety: callable concurrently.
package final class LazyBuffer: Sendable {
  /// Writes all of `target` from the bytes of a source.
  package typealias Expansion =
    @Sendable (
      _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer
    ) -> Void

  /// What the bytes follow from.
  package let source: ByteRegion
  private let expansion: Expansion
  private let isFilled = Mutex(false)

  /// - Parameter expansion: must write the same whenever it is called.
  package init(_ source: ByteRegion, _ expansion: @escaping Expansion) {
    self.source = source
    self.expansion = expansion
  }

  /// Writes the bytes to `target`, which has as many as the block.
  package func expand(into target: UnsafeMutableRawBufferPointer) { source.withBytes { expansion($0, target) } }

  /// Whether the block has its bytes already.
  fileprivate var isDone: Bool { isFilled.withLock { $0 } }

  fileprivate func fill(_ block: AlignedBytes) {
    isFilled.withLock { isFilled in
      guard !isFilled else { return }
      block.takePages(block.bytes.count)
      expand(into: block.bytes)
      isFilled = true
    }
  }
}

extension ByteRegion {
  /// What the bytes are expanded from, when they are a whole block that does not have them yet.
  package var deferred: LazyBuffer? {
    guard let block = owner as? AlignedBytes, let contents = block.deferred, block.bytes.count == count,
      !contents.isDone
    else { return nil }
    return contents
  }

  /// The same region, its bytes there to be read.
  package func filled() -> ByteRegion {
    if let block = owner as? AlignedBytes, let contents = block.deferred { contents.fill(block) }
    return self
  }
}
