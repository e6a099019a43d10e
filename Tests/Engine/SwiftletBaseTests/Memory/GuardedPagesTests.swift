import Foundation
import Testing

@testable import SwiftletBase

/// The signal that terminates a process that accesses a protected page.
#if canImport(Darwin)
  private let violation = SIGBUS
#else
  private let violation = SIGSEGV
#endif

@Suite("Bytes between guard pages")
struct GuardedPagesTests {
  @Test(
    "are at the requested end, aligned, and contain zeros", arguments: [1, 3, 64, 4095, 4096, 4097, 10_000], [1, 4, 64])
  func sides(count: Int, alignment: Int) throws {
    for side in [GuardedPages.Side.start, .end] {
      let pages = try #require(GuardedPages(count, alignment: alignment, slack: 3, side: side, pattern: 0x7F))
      #expect(pages.bytes.count == count)
      #expect(pages.bytes.allSatisfy { $0 == 0 })
      #expect(Int(bitPattern: pages.bytes.baseAddress) % alignment == 0)
      #expect(pages.hasCleanMargins)
      let end = Int(bitPattern: pages.bytes.baseAddress) + count + 3
      if side == .end { #expect((4096 - end % 4096) % 4096 < alignment) }
    }
  }

  @Test("a write next to them is detected")
  func margins() throws {
    let pages = try #require(GuardedPages(10, alignment: 1, slack: 3, side: .end, pattern: 0xFF))
    pages.bytes.baseAddress?.storeBytes(of: 1, toByteOffset: -1, as: UInt8.self)
    #expect(!pages.hasCleanMargins)
    let behind = try #require(GuardedPages(10, alignment: 1, slack: 3, side: .end, pattern: 0xFF))
    behind.bytes.baseAddress?.storeBytes(of: 1, toByteOffset: 12, as: UInt8.self)
    #expect(!behind.hasCleanMargins)
    #expect(pages.bytes.allSatisfy { $0 == 0 })
  }

  @Test("end the process if they are accessed without permission")
  func rights() async {
    await #expect(processExitsWith: .signal(violation)) {
      let pages = GuardedPages(10, alignment: 1, slack: 0, side: .start, pattern: 0)
      _ = pages?.allow(.read)
      pages?.bytes[0] = 1
    }
    await #expect(processExitsWith: .signal(violation)) {
      let pages = GuardedPages(10, alignment: 1, slack: 0, side: .start, pattern: 0)
      _ = pages?.allow(.none)
      if pages?.bytes[0] == 1 { print("never") }
    }
    await #expect(processExitsWith: .signal(violation)) {
      GuardedPages(10, alignment: 1, slack: 0, side: .start, pattern: 0)?.violate()
    }
  }

  @Test("impossible sizes return nil")
  func sizes() {
    #expect(GuardedPages(-1, alignment: 1, slack: 0, side: .start, pattern: 0) == nil)
    #expect(GuardedPages(.max, alignment: 1, slack: 0, side: .start, pattern: 0) == nil)
    #expect(GuardedPages(1, alignment: 0, slack: 0, side: .start, pattern: 0) == nil)
  }

  @Test("blocks come from a source only within it")
  func source() {
    final class Source: PageSource {
      func pages(_ count: Int) -> GuardedPages? { GuardedPages(count, alignment: 1, slack: 0, side: .end, pattern: 1) }
    }
    let (inside, mayShare) = AlignedBytes.taking(from: Source()) { (AlignedBytes(zeroed: 5), AlignedBytes.mayShare) }
    #expect((Int(bitPattern: inside.start) + 5) % 4096 == 0)
    #expect(inside.bytes.count == 5)
    #expect(!mayShare)
    #expect(AlignedBytes.mayShare)
    #expect(Int(bitPattern: AlignedBytes(zeroed: 5).start) % AlignedBytes.alignment == 0)
  }
}
