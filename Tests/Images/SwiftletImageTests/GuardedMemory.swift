import SwiftletBase

/// Bytes that end at a guard page: reading one byte beyond the end crashes the test.
///
/// It's unchecked `Sendable` because of the pointers; the bytes are written once, before they are shared.
final class GuardedMemory: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let pages: UnsafeMutableRawPointer
  private let mappedByteCount: Int

  struct MappingFailed: Error {}

  init(_ content: [UInt8]) throws {
    let pageSize = Int(sysconf(Int32(_SC_PAGESIZE)))
    let usable = (content.count + pageSize - 1) / pageSize * pageSize
    mappedByteCount = usable + pageSize
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
    #endif
    guard let pages = mmap(nil, mappedByteCount, PROT_READ | PROT_WRITE, flags, -1, 0), pages != MAP_FAILED,
      mprotect(pages + usable, pageSize, PROT_NONE) == 0
    else { throw MappingFailed() }
    self.pages = pages
    let start = pages + (usable - content.count)
    UnsafeMutableRawBufferPointer(start: start, count: content.count).copyBytes(from: content)
    bytes = UnsafeRawBufferPointer(start: start, count: content.count)
  }

  deinit { munmap(pages, mappedByteCount) }
}
