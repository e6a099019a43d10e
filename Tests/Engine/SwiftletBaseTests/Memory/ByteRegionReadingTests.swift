import SwiftletBase
import Testing

@Suite("Reading byte regions at their edges")
struct ByteRegionReadingTests {
  private let region = ByteRegion([1, 2, 3, 4, 5, 6, 7, 8, 9])

  @Test("regions that differ in a single byte are different")
  func comparesEveryByte() {
    #expect(region.hasSameBytes(as: region) && region.hasSameBytes(as: ByteRegion(region.array)))
    for position in 0..<9 {
      var other = region.array
      other[position] ^= 0x80
      #expect(!region.hasSameBytes(as: ByteRegion(other)), "byte \(position)")
    }
    #expect(!region.hasSameBytes(as: ByteRegion(Array(region.array.dropLast()))))
    #expect(!region.hasSameBytes(as: ByteRegion(region.array + [10])))
    #expect(ByteRegion.empty.hasSameBytes(as: ByteRegion([])) && !ByteRegion.empty.hasSameBytes(as: region))
  }

  @Test("ranges are checked against the last byte, for any pair of numbers")
  func contains() {
    for (offset, count) in [(0, 9), (9, 0), (8, 1), (0, 0), (4, 5)] {
      #expect(region.contains(offset: offset, count: count), "\(offset) \(count)")
    }
    for (offset, count) in [
      (0, 10), (9, 1), (10, 0), (8, 2), (-1, 1), (0, -1), (4, 6), (.max, 1), (1, .max), (.min, .min), (.max, .max),
    ] {
      #expect(!region.contains(offset: offset, count: count), "\(offset) \(count)")
    }
  }

  @Test("integers of every width are read up to the last byte")
  func integers() {
    #expect(region.integer(UInt8.self, at: 8) == 9 && region.integer(UInt8.self, at: 9) == nil)
    #expect(region.integer(UInt16.self, at: 7) == 0x0908 && region.integer(UInt16.self, at: 8) == nil)
    #expect(region.integer(UInt32.self, at: 5) == 0x0908_0706 && region.integer(UInt32.self, at: 6) == nil)
    #expect(region.integer(UInt64.self, at: 0) == 0x0807_0605_0403_0201 && region.integer(UInt64.self, at: 2) == nil)
    #expect(
      region.byte(at: 0) == 1 && region.byte(at: 8) == 9 && region.byte(at: 9) == nil && region.byte(at: -1) == nil)
  }

  @Test("strings are found if all of their bytes match")
  func texts() {
    let text = ByteRegion(Array("abcde".utf8))
    #expect(text.hasBytes(of: "abcde") && text.hasBytes(of: "cde", at: 2) && text.hasBytes(of: "", at: 5))
    #expect(!text.hasBytes(of: "abcdf") && !text.hasBytes(of: "xbcde") && !text.hasBytes(of: "def", at: 3))
    #expect(!text.hasBytes(of: "a", at: -1) && !text.hasBytes(of: "", at: 6) && !text.hasBytes(of: "cde", at: 1))
    #expect(text.text == "abcde" && ByteRegion([0xFF, 65]).text == "\u{FFFD}A")
  }

  @Test("bytes are shown as characters only if all are printable")
  func printable() {
    func shown(_ bytes: [UInt8], at offset: Int = 0, count: Int = 9) -> String {
      ByteRegion(bytes).printable(at: offset, count: count)
    }
    #expect(shown([0x20, 0x7E]) == "\" ~\"" && shown([0x1F]) == "the bytes 1f" && shown([0x7F]) == "the bytes 7f")
    #expect(shown([15, 16, 65]) == "the bytes 0f 10 41" && shown([]) == "\"\"")
    #expect(shown(Array("abc".utf8), at: 1, count: 1) == "\"b\"" && shown([65, 66], at: -3, count: 1) == "\"A\"")
    #expect(shown([65], at: 0, count: -1) == "\"\"")
  }

  @Test("bytes are readable while the region lives, even if created in place")
  func borrowed() {
    #expect(ByteRegion([1, 2, 3]).withBytes { Array($0) } == [1, 2, 3])
    #expect(ByteRegion([1, 2, 3]).array == [1, 2, 3] && ByteRegion([7]).count == 1 && ByteRegion.empty.owner == nil)
    #expect(UInt(bitPattern: ByteRegion([1]).bytes.baseAddress) % 64 == 0)
  }
}
