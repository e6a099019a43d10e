import CoreVideo
import SwiftletImage
import SwiftletTestSupport
import SwiftletVision
import Testing

@Suite("Pixel buffers")
struct PixelBufferTests {
  /// The luma weights of red and blue, from ITU-R BT.601-7, BT.709-6, and BT.2020-2.
  static let matrices: [(name: String?, red: Double, blue: Double)] = [
    (kCVImageBufferYCbCrMatrix_ITU_R_601_4, 0.299, 0.114),
    (kCVImageBufferYCbCrMatrix_ITU_R_709_2, 0.2126, 0.0722),
    (kCVImageBufferYCbCrMatrix_ITU_R_2020, 0.2627, 0.0593),
    (nil, 0.2126, 0.0722),
    ("something else", 0.2126, 0.0722),
  ]
  static let colors: [[UInt8]] = [
    [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [128, 128, 128], [200, 90, 30], [20, 160, 220],
    [90, 10, 130],
  ]

  /// Expects that a buffer's locks are balanced after a read, successful or not.
  private func expectBalanced(_ buffer: CVPixelBuffer, locks: Int) {
    let record = buffer.stubRecord
    #expect(record.lockCount == 0 && record.faults == 0 && record.totalLocks == locks)
  }

  @Test("of 4:2:0 have the original colors, by matrix and range", arguments: 0..<5, [false, true])
  func planes(matrix: Int, isFull: Bool) throws {
    let (name, red, blue) = Self.matrices[matrix]
    let encoded = Self.colors.map { BroadcastColor($0, red: red, blue: blue, isFull: isFull) }
    // The last column and row of blocks are cropped.
    let buffer = PixelBuffers.planar(encoded, width: 5, height: 5, isFull: isFull, matrix: name)
    let image = try ImageBuffer(copying: buffer)
    expectBalanced(buffer, locks: 1)
    #expect(image.width == 5 && image.height == 5 && image.pixelFormat == .rgb8)
    let bytes = image.packedBytes()
    for y in 0..<5 {
      for x in 0..<5 {
        let found = Array(bytes[3 * (5 * y + x)..<3 * (5 * y + x) + 3])
        let expected = Self.colors[y / 2 * 3 + x / 2]
        // A luma step is up to 255 / 219 of a color step, and a chroma step up to 1.89 · 255 / 224.
        #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 2 }, "\(x), \(y): \(found), \(expected)")
      }
    }
  }

  @Test("of 4:2:0 differ if another matrix is set")
  func matricesDiffer() throws {
    let brown = BroadcastColor([200, 90, 30], red: 0.2627, blue: 0.0593, isFull: true)
    let found = try Self.matrices.prefix(3).map { matrix in
      try ImageBuffer(copying: PixelBuffers.planar([brown], width: 2, height: 2, isFull: true, matrix: matrix.name))
        .packedBytes()
    }
    #expect(Set(found).count == 3, "\(found)")
  }

  @Test(
    "of packed channels are copied without their padding", arguments: [0, 12],
    [
      (kCVPixelFormatType_32BGRA, 4, .bgra8), (kCVPixelFormatType_32RGBA, 4, .rgba8),
      (kCVPixelFormatType_24RGB, 3, .rgb8), (kCVPixelFormatType_OneComponent8, 1, .gray8),
    ] as [(OSType, Int, PixelFormat)])
  func packed(padding: Int, kind: (format: OSType, channels: Int, expected: PixelFormat)) throws {
    var pixels = (0..<3 * 4 * kind.channels).map { UInt8($0 * 5) }
    if kind.channels == 4 { for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 } }
    let buffer = PixelBuffers.packed(
      kind.format, pixels, width: 3, height: 4, channels: kind.channels, padding: padding)
    let image = try ImageBuffer(copying: buffer)
    #expect(image.packedBytes() == pixels && image.pixelFormat == kind.expected)
    #expect(image.width == 3 && image.height == 4)
    expectBalanced(buffer, locks: 1)
  }

  @Test("have straight colors after premultiplication")
  func premultiplied() throws {
    let pixels: [UInt8] = [10, 20, 40, 40, 100, 0, 50, 200, 7, 8, 9, 255, 0, 0, 0, 0, 1, 0, 1, 1]
    let buffer = PixelBuffers.packed(kCVPixelFormatType_32BGRA, pixels, width: 5, height: 1, channels: 4)
    let bytes = try ImageBuffer(copying: buffer).packedBytes()
    for pixel in stride(from: 0, to: pixels.count, by: 4) {
      let alpha = Double(pixels[pixel + 3])
      for index in pixel..<pixel + 3 {
        let expected = alpha == 0 ? 0 : Double(pixels[index]) * 255 / alpha
        #expect(abs(Double(bytes[index]) - expected) <= 0.5, "\(index)")
      }
      #expect(bytes[pixel + 3] == pixels[pixel + 3])
    }
  }

  @Test(
    "of other formats are rejected by name before they are locked",
    arguments: [
      (kCVPixelFormatType_64ARGB, "'b64a'"), (kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange, "'x420'"),
      (kCVPixelFormatType_OneComponent32Float, "'L00f'"), (0, "0"),
    ])
  func unknown(format: OSType, name: String) {
    let buffer = PixelBuffers.packed(format, [UInt8](repeating: 0, count: 64), width: 2, height: 4, channels: 8)
    let error = thrownError { _ = try ImageBuffer(copying: buffer) } as TaskError?
    #expect(
      error?.code == .invalidImage && error?.message.contains("format \(name)") == true, "\(String(describing: error))")
    #expect(error?.message.contains("32BGRA") == true)
    expectBalanced(buffer, locks: 0)
  }

  @Test("are unlocked again if they can't be read")
  func failures() {
    func buffer(_ width: Int = 2) -> CVPixelBuffer {
      PixelBuffers.packed(
        kCVPixelFormatType_32BGRA, [UInt8](repeating: 0, count: 32), width: width, height: 4, channels: 8 / width,
        padding: 0)
    }
    let refusing = buffer()
    refusing.stubLockResult = kCVReturnError
    let empty = buffer()
    empty.stubHasNoMemory = true
    let planar = PixelBuffers.planar(
      [BroadcastColor([1, 2, 3], red: 0.299, blue: 0.114, isFull: true)], width: 2, height: 2, isFull: true, matrix: nil
    )
    planar.stubHasNoMemory = true
    for (buffer, text, locks) in [(refusing, "locked", 0), (empty, "no memory", 1), (planar, "no memory", 1)] {
      let error = thrownError { _ = try ImageBuffer(copying: buffer) } as TaskError?
      #expect(error?.code == .failed && error?.message.contains(text) == true, "\(String(describing: error))")
      expectBalanced(buffer, locks: locks)
    }
    // Eight bytes per row for four pixels of four bytes.
    let narrow = buffer(4)
    #expect((thrownError { _ = try ImageBuffer(copying: narrow) } as ImageError?)?.code == .invalidStride)
    expectBalanced(narrow, locks: 1)
  }
}
