import SwiftletImage
import Testing

@Suite("Resizing")
struct ResizeTests {
  struct Expected: Sendable {
    let width: Int
    let height: Int
    let newWidth: Int
    let newHeight: Int
    let format: PixelFormat
    let digest: UInt64
  }

  /// Recorded from `cv2.resize(…, interpolation=cv2.INTER_LINEAR)` of OpenCV 5.0.0 on `Pictures.pattern`.
  static let expected = [
    Expected(width: 61, height: 47, newWidth: 20, newHeight: 30, format: .rgb8, digest: 0x9163_4B43_F7B0_CD4D),
    Expected(width: 61, height: 47, newWidth: 130, newHeight: 101, format: .rgb8, digest: 0x94C4_FE28_3226_67C5),
    Expected(width: 7, height: 5, newWidth: 64, newHeight: 1, format: .rgba8, digest: 0x5315_F400_F205_AD42),
    Expected(width: 1, height: 1, newWidth: 5, newHeight: 4, format: .gray8, digest: 0xEE85_FAFD_354B_0935),
    Expected(width: 202, height: 150, newWidth: 64, newHeight: 64, format: .rgba8, digest: 0x3076_CB3C_0BB3_8975),
    Expected(width: 20, height: 20, newWidth: 20, newHeight: 40, format: .gray8, digest: 0x4488_F6B6_EB1B_1CDB),
  ]

  @Test("bytes are OpenCV's", arguments: expected)
  func bytesAreOpenCVs(expected: Expected) throws {
    for padding in [0, 5] {
      let image = try Pictures.pattern(
        width: expected.width, height: expected.height, format: expected.format, rowPadding: padding)
      let resized = try image.resized(width: expected.newWidth, height: expected.newHeight)
      #expect(digest(resized.packedBytes()) == expected.digest)
      #expect(resized.pixelFormat == expected.format)
    }
  }

  @Test("the same size is the same picture")
  func sameSize() throws {
    let image = try Pictures.pattern(width: 9, height: 8, format: .bgra8)
    #expect(try image.resized(width: 9, height: 8).packedBytes() == image.packedBytes())
  }

  @Test("a new size must be possible", arguments: [(0, 4), (4, 0), (-1, 1), (Int.max, 2)])
  func newSizeMustBePossible(width: Int, height: Int) throws {
    let image = try Pictures.pattern(width: 3, height: 3)
    #expect(imageError { _ = try image.resized(width: width, height: height) }?.code == .invalidSize)
  }

  /// `(3x + 5y) mod 7 − 2.5`
  private static let plane: [Float] = (0..<20).map { index in
    let (x, y) = (index % 5, index / 5)
    return Float((3 * x + 5 * y) % 7) - 2.5
  }

  private func resized(_ plane: [Float], _ width: Int, _ height: Int, pixelStride: Int = 1) throws -> [Float] {
    var resizer = try PlaneResizer(sourceWidth: 5, sourceHeight: 4, width: width, height: height)
    var result = [Float](repeating: .nan, count: width * height)
    try plane.withUnsafeBufferPointer { plane in
      try result.withUnsafeMutableBufferPointer { try resizer.resize(plane, pixelStride: pixelStride, into: $0) }
    }
    return result
  }

  @Test("planes are interpolated like OpenCV's, wider and lower, narrower and higher")
  func planesAreInterpolated() throws {
    let wide: [Float] = [
      -1.66667, -0.61905, 1.02381, 3.16667, 0.30952, 0.45238, 2.16667, 1.5, 1.21429, 0.85714, 0.5, 0.14286, -0.21429,
      -0.5, -1.16667, 0.54762, 0.69048, -2.16667, -0.02381, 1.61905, 2.66667,
    ]
    #expect(zip(try resized(Self.plane, 7, 3), wide).allSatisfy { abs($0 - $1) < 1e-5 })
    let narrow: [Float] = [
      -0.25, 0.25, -0.29167, -0.08333, -0.40278, -0.97222, -0.31944, -1.56944, 1.125, -0.125, 2.56944, 1.31944, 1.97222,
      1.40278, 1.08333, 1.29167, 0.75, 1.25,
    ]
    #expect(zip(try resized(Self.plane, 2, 9), narrow).allSatisfy { abs($0 - $1) < 1e-5 })
  }

  @Test("one channel of interleaved values is resized like a plane of its own")
  func interleavedChannels() throws {
    let interleaved = Self.plane.flatMap { value -> [Float] in [99, value, -99] }
    #expect(try resized(Array(interleaved.dropFirst()), 7, 3, pixelStride: 3) == resized(Self.plane, 7, 3))
  }

  @Test("rows in any portions equal the whole")
  func rowPortions() throws {
    let whole = try resized(Self.plane, 6, 11)
    var result = [Float](repeating: .nan, count: 66)
    for rows in [7..<11, 0..<1, 1..<7] {
      var resizer = try PlaneResizer(sourceWidth: 5, sourceHeight: 4, width: 6, height: 11)
      try Self.plane.withUnsafeBufferPointer { plane in
        try result.withUnsafeMutableBufferPointer { try resizer.resize(plane, targetRows: rows, into: $0) }
      }
    }
    #expect(result == whole)
  }

  @Test("buffers that are too small are refused")
  func smallBuffers() throws {
    #expect(imageError { _ = try resized(Array(Self.plane.dropLast()), 7, 3) }?.code == .tooFewBytes)
    #expect(imageError { _ = try resized(Self.plane, 7, 3, pixelStride: 2) }?.code == .tooFewBytes)
    #expect(imageError { _ = try resized(Self.plane, 7, 3, pixelStride: .max) }?.code == .tooFewBytes)
    #expect(imageError { _ = try PlaneResizer(sourceWidth: 5, sourceHeight: 0, width: 1, height: 1) } != nil)
    var resizer = try PlaneResizer(sourceWidth: 5, sourceHeight: 4, width: 6, height: 11)
    var target = [Float](repeating: 0, count: 65)
    let error = imageError {
      try Self.plane.withUnsafeBufferPointer { plane in
        try target.withUnsafeMutableBufferPointer { try resizer.resize(plane, into: $0) }
      }
    }
    #expect(error?.code == .tooFewBytes)
  }
}
