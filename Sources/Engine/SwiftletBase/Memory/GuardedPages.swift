/// Bytes in dedicated pages between two protected pages. An access to a protected page raises a signal.
///
/// The system protects whole pages, so only one end of the bytes can be adjacent to a protected page. The rest of the
/// pages is filled with a pattern, which later shows whether it was overwritten.
///
/// Unchecked `Sendable` because the owner orders the accesses, as for `AlignedBytes`.
package final class GuardedPages: @unchecked Sendable {
  /// The end of the pages that the bytes are aligned to.
  package enum Side: Sendable { case start, end }

  /// The access rights of the pages.
  package enum Rights: Sendable { case none, read, readWrite }

  package let bytes: UnsafeMutableRawBufferPointer
  /// The pages that contain the bytes.
  private let body: UnsafeMutableRawBufferPointer
  /// The pages in `body`, and the protected pages before and after them.
  private let pages: UnsafeMutableRawBufferPointer
  private let pattern: UInt8
  package private(set) var rights = Rights.readWrite

  /// Creates `count` zero bytes that can be read and written, or returns `nil` if the system has no memory or no
  /// mapping left.
  ///
  /// - Parameters:
  ///   - alignment: The alignment of the first byte, a power of two. For the side `end`, a gap smaller than the
  ///     alignment can remain between the readable bytes and the protected page.
  ///   - slack: The number of bytes after the last byte that may be read, but not written.
  ///   - pattern: The value of the other bytes in the pages.
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

  /// The unused parts of the pages before and after the bytes.
  private var margins: [UnsafeMutableRawBufferPointer] {
    guard let first = body.baseAddress, let start = bytes.baseAddress, !body.isEmpty else { return [] }
    let front = start - first
    return [
      UnsafeMutableRawBufferPointer(rebasing: body[..<front]),
      UnsafeMutableRawBufferPointer(rebasing: body[(front + bytes.count)...]),
    ]
  }

  /// Changes the access rights of the pages. Returns whether the system did so.
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

  /// Whether nothing was written before or after the bytes. The pages must be readable.
  package var hasCleanMargins: Bool { margins.allSatisfy { $0.allSatisfy { $0 == pattern } } }

  /// Writes to the protected page after the bytes, which raises the signal.
  package func violate() {
    (pages.baseAddress.map { $0 + pages.count - 1 })?.storeBytes(of: pattern, as: UInt8.self)
  }
}

/// A replacement for the system as the source of blocks, while it is `AlignedBytes.source`.
package protocol PageSource: AnyObject, Sendable {
  /// Returns `count` zero bytes that can be read and written, or `nil` if there is no memory.
  func pages(_ count: Int) -> GuardedPages?
}

/// Block contents that are expanded from other, smaller data on the first read.
///
/// Code that reads the contents only once, to pack them, expands them into its own memory, so the block never gets
/// pages.
///
/// - Thread safety: callable concurrently.
package final class LazyBuffer: Sendable {
  /// A function that writes all of `target` from the bytes of a source.
  package typealias Expansion =
    @Sendable (
      _ source: UnsafeRawBufferPointer, _ target: UnsafeMutableRawBufferPointer
    ) -> Void

  /// The bytes to expand.
  package let source: ByteRegion
  private let expansion: Expansion
  private let isFilled = Mutex(false)

  /// Creates a lazy buffer.
  ///
  /// - Parameter expansion: The expansion, which must write the same bytes on every call.
  package init(_ source: ByteRegion, _ expansion: @escaping Expansion) {
    self.source = source
    self.expansion = expansion
  }

  /// Writes the expanded bytes to `target`, which has the size of the block.
  package func expand(into target: UnsafeMutableRawBufferPointer) { source.withBytes { expansion($0, target) } }

  /// Whether the block is already filled.
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
  /// The lazy buffer of the bytes if they are a whole block that isn't filled yet; otherwise `nil`.
  package var deferred: LazyBuffer? {
    guard let block = owner as? AlignedBytes, let contents = block.deferred, block.bytes.count == count,
      !contents.isDone
    else { return nil }
    return contents
  }

  /// Returns the same region with its bytes filled in.
  package func filled() -> ByteRegion {
    if let block = owner as? AlignedBytes, let contents = block.deferred { contents.fill(block) }
    return self
  }
}
