import Foundation
import Testing

@testable import SwiftletBase

@Suite("Edge cases of guard pages")
struct GuardedPageEdgeTests {
  private let page = Int(sysconf(Int32(_SC_PAGESIZE)))

  private func pages(_ count: Int, alignment: Int = 1, slack: Int = 0, _ side: GuardedPages.Side) -> GuardedPages? {
    GuardedPages(count, alignment: alignment, slack: slack, side: side, pattern: 0x55)
  }

  @Test("bytes start at the first byte of their pages, or end with their slack at the last")
  func places() throws {
    for count in [1, 63, page - 1, page, page + 1] {
      let start = try #require(pages(count, .start)?.bytes.baseAddress)
      #expect(Int(bitPattern: start) % page == 0)
      for slack in [0, 3] {
        let end = try #require(pages(count, slack: slack, .end)?.bytes.baseAddress)
        #expect((Int(bitPattern: end) + count + slack) % page == 0, "\(count) bytes, slack \(slack)")
      }
      let aligned = try #require(pages(count, alignment: 16, .end)?.bytes.baseAddress)
      #expect(Int(bitPattern: aligned) % 16 == 0 && (Int(bitPattern: aligned) + (count + 15) / 16 * 16) % page == 0)
    }
    // Without bytes, there is nothing to read after them.
    #expect(try #require(pages(0, slack: 3, .end)).bytes.count == 0)
  }

  @Test("alignments and slack of up to a page are accepted, and others are not")
  func limits() {
    #expect(pages(1, alignment: page, .start) != nil && pages(1, alignment: 2 * page, .start) == nil)
    #expect(pages(1, slack: page, .end) != nil && pages(1, slack: page + 1, .end) == nil)
    #expect(pages(1, slack: -1, .end) == nil && pages(1, alignment: 0, .end) == nil && pages(-1, .start) == nil)
    #expect(pages(.max - 4 * page + 1, .start) == nil)
  }

  @Test(
    "a write before or after the bytes is detected", arguments: [GuardedPages.Side.start, .end])
  func margins(side: GuardedPages.Side) throws {
    for isFront in [false, true] {
      let block = try #require(
        GuardedPages(page / 2, alignment: 1, slack: side == .end ? 5 : 0, side: side, pattern: 0x55))
      let first = try #require(block.bytes.baseAddress)
      #expect(block.hasCleanMargins)
      block.bytes.initializeMemory(as: UInt8.self, repeating: 1)
      #expect(block.hasCleanMargins)
      switch (side, isFront) {
      case (.start, false): first.storeBytes(of: 1, toByteOffset: page - 1, as: UInt8.self)
      case (.start, true): first.storeBytes(of: 1, toByteOffset: page / 2, as: UInt8.self)
      case (.end, false): first.storeBytes(of: 1, toByteOffset: page / 2, as: UInt8.self)
      case (.end, true): first.storeBytes(of: 1, toByteOffset: -(page / 2 - 5), as: UInt8.self)
      }
      #expect(!block.hasCleanMargins)
    }
  }

  @Test("the last requested protection applies, and bytes can be overwritten")
  func rights() throws {
    let block = try #require(pages(8, .start))
    #expect(block.rights == .readWrite && block.bytes.allSatisfy { $0 == 0 })
    block.spoil()
    #expect(block.bytes.allSatisfy { $0 == 0x55 })
    for rights in [GuardedPages.Rights.read, .none, .none, .readWrite] {
      #expect(block.allow(rights) && block.rights == rights)
    }
    let empty = try #require(pages(0, .start))
    #expect(empty.allow(.none) && empty.rights == .readWrite && empty.hasCleanMargins)
  }

  @Test("blocks come from the pages of a source, and a source without memory returns none")
  func sources() throws {
    final class Source: PageSource {
      let limit: Int
      init(limit: Int) { self.limit = limit }
      func pages(_ count: Int) -> GuardedPages? {
        count > limit ? nil : GuardedPages(count, alignment: 64, slack: 0, side: .start, pattern: 1)
      }
    }
    try AlignedBytes.taking(from: Source(limit: 10)) {
      let block = try #require(AlignedBytes(zeroedIfAvailable: 10))
      #expect(Int(bitPattern: block.start) % page == 0 && AlignedBytes(zeroedIfAvailable: 11) == nil)
      #expect(AlignedBytes(zeroed: 11).bytes.count == 11 && !AlignedBytes.mayShare)
      AlignedBytes.taking(from: nil) { #expect(!AlignedBytes.mayShare) }
    }
    #expect(AlignedBytes.mayShare && AlignedBytes.alignment == 64)
    #expect(AlignedBytes(zeroedIfAvailable: .max) == nil && AlignedBytes(zeroedIfAvailable: .max - 64) == nil)
    let copy = AlignedBytes(copying: [3, 4])
    withExtendedLifetime(copy) { #expect(Array(copy.bytes) == [3, 4]) }
  }

  @Test("a part may extend to the last byte of its block, and starts at a multiple of the alignment")
  func parts() throws {
    let block = AlignedBytes(copying: (0..<130).map { UInt8($0) })
    #expect(AlignedBytes(2, of: block, at: 128)?.bytes.map { $0 } == [128, 129])
    #expect(AlignedBytes(3, of: block, at: 128) == nil && AlignedBytes(0, of: block, at: 192) == nil)
    #expect(AlignedBytes(130, of: block, at: 0)?.bytes.count == 130 && AlignedBytes(131, of: block, at: 0) == nil)
    #expect(AlignedBytes(1, of: block, at: 63) == nil && AlignedBytes(1, of: block, at: 65) == nil)
    #expect(AlignedBytes(0, of: block, at: 128)?.bytes.count == 0)
  }
}
