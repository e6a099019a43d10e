import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletImageCodecs

@Suite("EXIF blocks, byte by byte")
struct ExifReaderTests {
  private typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  private static func number(_ value: Int, _ count: Int, littleEndian: Bool) -> [UInt8] {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return littleEndian ? bytes : bytes.reversed()
  }

  /// Returns a block whose directory has these entries, and which ends after them.
  private static func block(
    _ entries: [Entry], littleEndian: Bool = true, directory: Int = 8,
    magic: Int = 42, order: String? = nil
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { Self.number(value, count, littleEndian: littleEndian) }
    let head = Array((order ?? (littleEndian ? "II" : "MM")).utf8) + number(magic, 2) + number(directory, 4)
    let padding = [UInt8](repeating: 0, count: max(0, directory - 8))
    var bytes: [UInt8] = head + padding + number(entries.count, 2)
    for entry in entries {
      bytes += number(entry.tag, 2) + number(entry.type, 2)
      bytes += number(entry.count, 4) + entry.value
    }
    return bytes
  }

  private static func orientation(_ value: Int, littleEndian: Bool = true) -> Entry {
    (0x0112, 3, 1, number(value, 2, littleEndian: littleEndian) + [0, 0])
  }

  private static let other: Entry = (0x0100, 4, 1, [77, 0, 0, 0])

  private func read(_ bytes: [UInt8]) -> ImageOrientation? {
    bytes.withUnsafeBytes { ExifReader.orientation(in: $0) }
  }

  @Test("the entry may be first, last, or the only one", arguments: 0..<4, [true, false])
  func positions(position: Int, littleEndian: Bool) {
    var entries = [Entry](repeating: Self.other, count: 3)
    entries.insert(Self.orientation(6, littleEndian: littleEndian), at: position)
    let bytes = Self.block(entries, littleEndian: littleEndian)
    #expect(read(bytes) == .right)
    // A truncated entry isn't read.
    #expect(read(Array(bytes.prefix(10 + 12 * position + 9))) == nil)
    #expect(read(Array(bytes.prefix(10 + 12 * position + 10))) == .right)
    #expect(read(Self.block([Self.orientation(8, littleEndian: littleEndian)], littleEndian: littleEndian)) == .left)
    // Entries beyond the directory's count aren't read.
    #expect(read(Self.block([Self.other], littleEndian: littleEndian) + bytes.suffix(12)) == nil)
  }

  @Test("the directory may be anywhere in the block")
  func directory() {
    #expect(read(Self.block([Self.orientation(3)], directory: 20)) == .down)
    var far = Self.block([Self.orientation(3)])
    far.replaceSubrange(4..<8, with: Self.number(far.count - 1, 4, littleEndian: true))
    #expect(read(far) == nil)
  }

  @Test("a block begins with its byte order and 42")
  func beginning() {
    let entries = [Self.orientation(6)]
    #expect(read(Self.block(entries)) == .right)
    for order in ["IM", "MI", "II".lowercased(), "MM".lowercased(), "JJ"] {
      #expect(read(Self.block(entries, order: order)) == nil, "\(order)")
    }
    for magic in [41, 43, 0x2A00] { #expect(read(Self.block(entries, magic: magic)) == nil) }
    #expect(read([]) == nil && read(Array("II*".utf8) + [0, 8, 0, 0]) == nil)
  }

  @Test("the value is one short or one long, in 1...8")
  func values() {
    for value in 0...9 {
      #expect(read(Self.block([Self.orientation(value)]))?.rawValue == ((1...8).contains(value) ? value : nil))
      #expect(
        read(Self.block([(0x0112, 4, 1, Self.number(value, 4, littleEndian: true))]))?.rawValue
          == ((1...8).contains(value) ? value : nil))
    }
    for (tag, type, count) in [
      (0x0112, 2, 1), (0x0112, 5, 1), (0x0112, 3, 0), (0x0112, 3, 2), (0x0111, 3, 1), (0x0113, 3, 1),
    ] {
      #expect(read(Self.block([(tag, type, count, [6, 0, 0, 0])])) == nil, "\(tag) \(type) \(count)")
    }
    // The upper half belongs to a long, not to a short.
    #expect(read(Self.block([(0x0112, 3, 1, [6, 0, 9, 9])])) == .right)
    #expect(read(Self.block([(0x0112, 4, 1, [6, 0, 1, 0])])) == nil)
    // The first entry of the tag decides.
    #expect(read(Self.block([(0x0112, 2, 1, [6, 0, 0, 0]), Self.orientation(6)])) == nil)
  }

  // MARK: Position of the block

  private func located(_ bytes: [UInt8], _ format: ImageFileFormat) -> [UInt8]? {
    bytes.withUnsafeBytes { ExifLocator.exif(in: $0, format: format).map { Array($0) } }
  }

  private static let exif: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

  @Test("a JPEG file's block is in its first application segment of that name")
  func jpeg() {
    func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
      [0xFF, marker, 0, UInt8(content.count + 2)] + content
    }
    let block = segment(0xE1, Self.exif + [1, 2, 3])
    let start: [UInt8] = [0xFF, 0xD8]
    #expect(located(start + block, .jpeg) == [1, 2, 3])
    #expect(located(start + segment(0xE1, Self.exif), .jpeg) == [])
    #expect(located(Array((start + block).dropLast()), .jpeg) == nil)
    let between: [[UInt8]] = [
      segment(0xE0, [9]), segment(0xFE, []), segment(0xE1, [9, 9, 9, 9, 9, 9, 9]), [0xFF], [0xFF, 0xFF, 0xFF],
      [0xFF, 0x01], [0xFF, 0xD0], [0xFF, 0xD7], [0xFF, 0xD8], segment(0xE2, Self.exif + [7]),
      segment(0xE1, Array(Self.exif.prefix(5)) + [1, 7]), segment(0x02, [9]), segment(0xCF, [9]), segment(0xDB, [9]),
    ]
    for other in between { #expect(located(start + other + block, .jpeg) == [1, 2, 3], "\(other)") }
    for end in [segment(0xDA, [9]), [0xFF, 0xD9], [0, 0xE0, 0, 2], [0xFF, 0xE0, 0, 1], [0xFF, 0xE0, 0, 0]] {
      #expect(located(start + end + block, .jpeg) == nil, "\(end)")
    }
    #expect(located(start, .jpeg) == nil && located(start + [0xFF, 0xE1, 0], .jpeg) == nil)
  }

  @Test("a PNG file's block is a separate chunk")
  func png() {
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      [0, 0, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + Array(name.utf8) + content + [9, 9, 9, 9]
    }
    let start = ImageFileFormat.pngSignature
    let block = chunk("eXIf", [1, 2, 3])
    #expect(located(start + block, .png) == [1, 2, 3] && located(start + chunk("eXIf", []), .png) == [])
    // The checksum after it isn't checked.
    #expect(
      located(Array((start + block).dropLast(4)), .png) == [1, 2, 3]
        && located(Array((start + block).dropLast(5)), .png) == nil)
    #expect(located(start + chunk("IHDR", [UInt8](repeating: 7, count: 300)) + block, .png) == [1, 2, 3])
    #expect(located(start + chunk("exif", [7]) + chunk("eXIg", []) + block, .png) == [1, 2, 3])
    #expect(located(start + chunk("IHDR", [7]), .png) == nil && located(start, .png) == nil)
    #expect(located(start + [0, 0, 0, 0, 0x65, 0x58, 0x49], .png) == nil)
    #expect(located(start + [0x7F, 0xFF, 0xFF, 0xFF, 0x65, 0x58, 0x49, 0x66, 1], .png) == nil)
  }

  @Test("a decoded image is rotated upright by its orientation")
  func upright() throws {
    let image = try ImageBuffer(bytes: [1, 2, 3, 4, 5, 6], width: 3, height: 2, pixelFormat: .gray8)
    let decoded = DecodedImage(image: image, orientation: .right, format: .png)
    #expect(decoded.orientation == .right && decoded.format == .png && decoded.image.width == 3)
    let upright = try decoded.uprightImage()
    #expect(upright.width == 2 && upright.height == 3 && upright.packedBytes() == [4, 1, 5, 2, 6, 3])
  }
}
