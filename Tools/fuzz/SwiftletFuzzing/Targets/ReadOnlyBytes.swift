import Foundation
import SwiftletBase

/// Bytes as in a mapped file: read-only, with an inaccessible page after the last one.
final class ReadOnlyBytes {
  private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))
  /// The guaranteed alignment of a mapped model's constants.
  private static let alignment = 64

  private let pages: UnsafeMutableRawPointer
  private let pageByteCount: Int
  private let content: UnsafeRawBufferPointer

  /// Creates the bytes, or `nil` if the system has no pages left.
  init?(_ bytes: UnsafeRawBufferPointer) {
    let size = (bytes.count + Self.alignment - 1) / Self.alignment * Self.alignment
    let used = (size + Self.page - 1) / Self.page * Self.page
    pageByteCount = used + Self.page
    guard let start = mmap(nil, pageByteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
      start != MAP_FAILED
    else { return nil }
    pages = start
    // As close to the end as the alignment allows.
    let place = start + (used - size)
    if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
    content = UnsafeRawBufferPointer(start: place, count: bytes.count)
    mprotect(start, used, PROT_READ)
    mprotect(start + used, Self.page, PROT_NONE)
  }

  deinit { munmap(pages, pageByteCount) }

  var region: ByteRegion { ByteRegion(owner: self, bytes: content) }
}
