/// What a block holds once somebody reads it there: bytes that follow from others, which take less room.
///
/// Whoever passes over them only once, to pack them, expands them elsewhere; the block itself then never gets pages.
///
/// - Thread safety: callable concurrently.
package final class DeferredContents: Sendable {
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
  package var deferred: DeferredContents? {
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
