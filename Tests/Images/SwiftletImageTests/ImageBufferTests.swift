import SwiftletImage
import Testing

@Suite("Image buffer")
struct ImageBufferTests {
  @Test("accepts every format with tight and padded rows", arguments: PixelFormat.allCases)
  func takesEveryFormat(format: PixelFormat) throws {
    let tight = try TestImages.pattern(width: 5, height: 3, format: format)
    let padded = try TestImages.pattern(width: 5, height: 3, format: format, rowPadding: 7)
    #expect(tight.bytesPerRow == 5 * format.bytesPerPixel)
    #expect(padded.bytesPerRow == 5 * format.bytesPerPixel + 7)
    #expect(padded.packedBytes() == tight.packedBytes())
    #expect(tight.packedBytes().count == 15 * format.bytesPerPixel)
  }

  @Test("needs no padding after the last row")
  func needsNoPaddingAfterLastRow() throws {
    let image = try ImageBuffer(
      bytes: [1, 2, 0, 0, 3, 4], width: 2, height: 2, bytesPerRow: 4, pixelFormat: .gray8)
    #expect(image.packedBytes() == [1, 2, 3, 4])
    let error = imageError {
      _ = try ImageBuffer(bytes: [1, 2, 0, 0, 3], width: 2, height: 2, bytesPerRow: 4, pixelFormat: .gray8)
    }
    #expect(error?.code == .tooFewBytes)
    #expect(error?.message.contains("need 6 bytes, but 5 were given") == true)
  }

  @Test(
    "rejects impossible sizes",
    arguments: [(0, 1), (1, 0), (-1, 4), (4, -1), (Int.max, 1), (1, Int.max), (Int.max, Int.max), (1 << 21, 1)])
  func rejectsImpossibleSizes(width: Int, height: Int) {
    let error = imageError { _ = try ImageBuffer(bytes: [0], width: width, height: height, pixelFormat: .rgba8) }
    #expect(error?.code == .invalidSize)
  }

  @Test("rejects a stride shorter than a row, and an overflowing stride")
  func rejectsBadStrides() {
    for stride in [-12, 0, 11] {
      let error = imageError {
        _ = try ImageBuffer(
          bytes: [UInt8](repeating: 0, count: 100), width: 4, height: 2, bytesPerRow: stride, pixelFormat: .rgb8)
      }
      #expect(error?.code == .invalidStride)
      #expect(error?.message.contains("takes at least 12") == true)
    }
    let error = imageError {
      _ = try ImageBuffer(bytes: [0], width: 1, height: 3, bytesPerRow: Int.max / 2 + 1, pixelFormat: .gray8)
    }
    #expect(error?.code == .invalidSize)
  }

  @Test("keeps the owner of borrowed bytes alive, and releases it with the last copy")
  func keepsOwnerAlive() throws {
    final class Owner: Sendable {
      let memory: SendablePointer
      init() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4, alignment: 1)
        memory.copyBytes(from: [5, 6, 7, 8])
        self.memory = SendablePointer(bytes: UnsafeRawBufferPointer(memory))
      }
      deinit { memory.bytes.deallocate() }
    }
    var owner: Owner? = Owner()
    weak let watched = owner
    var image = try owner.map {
      try ImageBuffer(borrowing: $0.memory.bytes, owner: $0, width: 2, height: 2, pixelFormat: .gray8)
    }
    owner = nil
    var copy = image
    image = nil
    #expect(watched != nil)
    #expect(copy?.packedBytes() == [5, 6, 7, 8])
    copy = nil
    #expect(watched == nil)
  }

  /// A pointer to memory that is written once, before it is shared.
  private struct SendablePointer: @unchecked Sendable {
    let bytes: UnsafeRawBufferPointer
  }

  @Test("copies padded rows into a tight image")
  func copiesPaddedRows() throws {
    let bytes: [UInt8] = [1, 2, 99, 3, 4, 99]
    let image = try bytes.withUnsafeBytes {
      try ImageBuffer(copying: $0, width: 2, height: 2, bytesPerRow: 3, pixelFormat: .gray8)
    }
    #expect(image.bytesPerRow == 2)
    #expect(image.packedBytes() == [1, 2, 3, 4])
  }

  @Test("reports an unknown pixel format, and the supported ones")
  func namesUnknownFormat() throws {
    #expect(try PixelFormat(coreVideoCode: 0x4247_5241) == .bgra8)
    #expect(try PixelFormat(coreVideoCode: 24) == .rgb8)
    let biplanar = imageError { _ = try PixelFormat(coreVideoCode: 0x3432_3066) }
    #expect(biplanar?.code == .unsupportedFormat)
    #expect(biplanar?.message.contains("'420f'") == true)
    #expect(biplanar?.message.contains("BGRA") == true)
    let numeric = imageError { _ = try PixelFormat(coreVideoCode: 32) }
    #expect(numeric?.message.contains("32 is not supported") == true)
  }
}
