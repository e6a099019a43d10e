import SwiftletBase
import SwiftletTestSupport
import Testing

@testable import SwiftletImage

@Suite("Limits of images and tensors")
struct ImageLimitTests {
  private func error<Value>(_ body: () throws -> Value) -> ImageError? { thrownError(body) }

  // MARK: Layouts

  @Test("sides have 1...2^20 pixels", arguments: [0, -1, 1, 1 << 20, (1 << 20) + 1, Int.max])
  func sides(number: Int) {
    #expect(PixelLayout.maximumDimension == 1_048_576)
    for (width, height) in [(number, 1), (1, number)] {
      let error = error { try PixelLayout(width: width, height: height, bytesPerRow: nil, pixelFormat: .gray8) }
      #expect((error == nil) == (1...1 << 20).contains(number))
      guard let error else { continue }
      #expect(error.code == .invalidSize)
      #expect(
        error.message
          == "an image of \(width) × \(height) pixels cannot be described; width and height must each be in 1…1048576")
    }
  }

  @Test("a layout counts the bytes up to its last pixel", arguments: PixelFormat.allCases)
  func byteCounts(format: PixelFormat) throws {
    let step = format.bytesPerPixel
    let tight = try PixelLayout(width: 5, height: 3, bytesPerRow: nil, pixelFormat: format)
    #expect(tight.bytesPerRow == 5 * step && tight.byteCount == 15 * step)
    #expect(tight.width == 5 && tight.height == 3 && tight.pixelFormat == format)
    let padded = try PixelLayout(width: 5, height: 3, bytesPerRow: 5 * step + 7, pixelFormat: format)
    #expect(padded.bytesPerRow == 5 * step + 7 && padded.byteCount == 15 * step + 14)
    #expect(padded.summary == "5 × 3 pixels of \(format.rawValue), \(5 * step + 7) bytes per row")
    #expect(error { try PixelLayout(width: 5, height: 3, bytesPerRow: 5 * step, pixelFormat: format) } == nil)
    let short = error { try PixelLayout(width: 5, height: 3, bytesPerRow: 5 * step - 1, pixelFormat: format) }
    #expect(short?.code == .invalidStride)
    #expect(
      short?.message.contains("bytesPerRow is \(5 * step - 1), but a row of 5 pixels in \(format.rawValue)") == true)
    #expect(error { try padded.requireBytes(15 * step + 14) } == nil)
    let few = error { try padded.requireBytes(15 * step + 13) }
    #expect(few?.code == .tooFewBytes)
    #expect(few?.message.contains("need \(15 * step + 14) bytes, but \(15 * step + 13) were given") == true)
  }

  @Test("rows may extend to the end of the address space, but not past it")
  func overflow() {
    let half = Int.max / 2
    #expect(error { try PixelLayout(width: 1, height: 3, bytesPerRow: half, pixelFormat: .gray8) } == nil)
    for (stride, format) in [(half, PixelFormat.rgb8), (half + 1, .gray8), (.max, .gray8)] {
      let error = error { try PixelLayout(width: 1, height: 3, bytesPerRow: stride, pixelFormat: format) }
      #expect(error?.code == .invalidSize)
      #expect(error?.message == "3 rows of \(stride) bytes are more than this machine can address")
    }
  }

  @Test("buffers may be longer than their image, and are trimmed to its size")
  func longer() throws {
    let bytes = [UInt8](0..<20)
    let image = try ImageBuffer(bytes: bytes, width: 2, height: 3, pixelFormat: .rgb8)
    #expect(image.packedBytes() == [UInt8](0..<18))
    let padded = try ImageBuffer(bytes: bytes, width: 2, height: 3, bytesPerRow: 6, pixelFormat: .gray8)
    #expect(padded.packedBytes() == [0, 1, 6, 7, 12, 13])
    #expect(error { try ImageBuffer(bytes: Array(bytes.prefix(17)), width: 2, height: 3, pixelFormat: .rgb8) } != nil)
    try bytes.withUnsafeBytes { memory in
      let copy = try ImageBuffer(copying: memory, width: 2, height: 3, bytesPerRow: 6, pixelFormat: .gray8)
      #expect(copy.packedBytes() == [0, 1, 6, 7, 12, 13])
      let short = UnsafeRawBufferPointer(rebasing: memory.prefix(13))
      #expect(
        error { try ImageBuffer(copying: short, width: 2, height: 3, bytesPerRow: 6, pixelFormat: .gray8) }?.code
          == .tooFewBytes)
    }
  }

  @Test("small images can be allocated, and negative sizes can't")
  func memory() {
    #expect(AvailableMemory.has(0) && AvailableMemory.has(1 << 26) && !AvailableMemory.has(-1))
    #expect(!AvailableMemory.has(.min) && !AvailableMemory.has(1 << 50))
    let error = error { try PixelLayout(fresh: 1 << 20, 1 << 20, .rgba8) }
    #expect(error?.code == .invalidSize)
    #expect(error?.message.hasPrefix("cannot allocate 4398046511104 bytes for an image of 1048576") == true)
  }

  // MARK: Tensors

  @Test("sides of tensors have 1...16384 pixels", arguments: [0, -1, 1, 16384, 16385])
  func tensors(number: Int) {
    for (width, height) in [(number, 1), (1, number)] {
      let error = error { try ImageToTensor(width: width, height: height, encoding: .uint8) }
      #expect((error == nil) == (1...16384).contains(number))
      guard let error else { continue }
      #expect(error.code == .invalidSize)
      #expect(
        error.message
          == "a tensor of \(width) × \(height) pixels is not supported; width and height must each be in 1…16384")
    }
  }

  @Test("a converter keeps its values, and reports its size in bytes")
  func converters() throws {
    let plain = try ImageToTensor(width: 5, height: 3, encoding: .uint8)
    #expect(plain.channels == .rgb && plain.border == .replicate && !plain.keepsAspectRatio && plain.byteCount == 45)
    let other = try ImageToTensor(
      width: 5, height: 3, channels: .rgba, encoding: .float32(.zeroToOne), keepsAspectRatio: true, border: .zero)
    #expect(other.width == 5 && other.height == 3 && other.channels == .rgba && other.encoding == .float32(.zeroToOne))
    #expect(other.keepsAspectRatio && other.border == .zero && other.byteCount == 240)
    let channels: [ImageToTensor.Channels] = [.gray, .rgb, .rgba]
    #expect(channels.map(\.rawValue) == [1, 3, 4])
  }

  @Test("buffers and rows fit exactly, and one more is rejected")
  func rows() throws {
    let image = try TestImages.pattern(width: 4, height: 3)
    var converter = try ImageToTensor(width: 4, height: 3, encoding: .uint8)
    try converter.prepare(for: image)
    var bytes = [UInt8](repeating: 0, count: 36)
    func convert(_ rows: Range<Int>, count: Int = 36) -> ImageError? {
      error {
        try bytes.withUnsafeMutableBytes {
          try converter.convertRows(rows, of: image, into: UnsafeMutableRawBufferPointer(rebasing: $0[..<count]))
        }
      }
    }
    #expect(convert(0..<3) == nil && convert(2..<3) == nil && convert(0..<0) == nil && convert(3..<3) == nil)
    for (rows, count) in [(0..<4, 36), (-1..<3, 36), (0..<3, 35), (3..<4, 36)] {
      let error = convert(rows, count: count)
      #expect(error?.code == .tooFewBytes)
      #expect(error?.message.contains("takes 36 bytes, but the buffer has \(count); rows \(rows) of 0..<3") == true)
    }
    bytes = [UInt8](repeating: 0, count: 36)
    #expect(convert(1..<2) == nil)
    #expect(bytes[12..<24].elementsEqual(image.packedBytes()[12..<24]) && bytes[..<12].allSatisfy { $0 == 0 })
    #expect(bytes[24...].allSatisfy { $0 == 0 })
  }

  // MARK: Regions

  @Test("regions extend less than 2^24 pixels in every direction")
  func regions() {
    #expect(PixelRegion.farthestPixel == 16_777_216)
    func error(_ x: Float, _ y: Float, _ width: Float, _ height: Float, rotation: Float = 0) -> ImageError? {
      self.error {
        try PixelRegion(
          NormalizedRect(center: NormalizedPoint(x: x, y: y), width: width, height: height, rotation: rotation),
          imageWidth: 2, imageHeight: 4)
      }
    }
    // Half of 2 and 4 pixels, in both directions.
    let most: Float = 16_777_216 - 3
    #expect(error((most - 1) / 2, 0, 1, 1) == nil && error(most / 2, 0, 1, 1)?.code == .invalidRegion)
    #expect(error(-(most - 1) / 2, 0, 1, 1) == nil && error(-most / 2, 0, 1, 1)?.code == .invalidRegion)
    #expect(error(0, (most - 1) / 4, 1, 1) == nil && error(0, most / 4, 1, 1)?.code == .invalidRegion)
    #expect(error(0, -(most - 1) / 4, 1, 1) == nil && error(0, -most / 4, 1, 1)?.code == .invalidRegion)
    #expect(error(0, 0, 1, 8e6) == nil && error(0, 0, 1, 8.4e6)?.code == .invalidRegion)
    #expect(error(0, 0, 1, 1, rotation: 999_999) == nil && error(0, 0, 1, 1, rotation: -999_999) == nil)
    #expect(error(0, 0, 1, 1, rotation: 1e6)?.code == .invalidRegion)
    #expect(
      error(0, 0, 1, 1, rotation: -1e6)?.message.contains("is not a number or too far from an image of 2 × 4") == true)
    for (width, height) in [(0, 1), (1, 0), (-1, 1), (1, -1)] as [(Float, Float)] {
      let error = error(0, 0, width, height)
      #expect(error?.code == .invalidRegion)
      #expect(
        error?.message
          == "region of interest is \(width) × \(height) of the image; width and height must be greater than 0")
    }
  }

  @Test("a region is in image pixels, expands to the tensor's shape, and is mirrored with its image")
  func pixels() throws {
    let rect = NormalizedRect(center: NormalizedPoint(x: 0.25, y: 0.5), width: 0.5, height: 0.25, rotation: 0.5)
    let region = try PixelRegion(rect, imageWidth: 40, imageHeight: 20)
    #expect(region == PixelRegion(centerX: 10, centerY: 10, width: 20, height: 5, rotation: 0.5))
    var grown = region
    grown.height = 40
    #expect(region.grown(toAspectOfWidth: 1, height: 2) == grown)
    grown.height = 10
    #expect(region.grown(toAspectOfWidth: 2, height: 1) == grown)
    (grown.width, grown.height) = (25, 5)
    #expect(region.grown(toAspectOfWidth: 5, height: 1) == grown)
    #expect(region.grown(toAspectOfWidth: 4, height: 1) == region)
    #expect(
      region.mirrored(imageWidth: 40) == PixelRegion(centerX: 30, centerY: 10, width: 20, height: 5, rotation: -0.5))
  }

  @Test("corners start at the lower left in clockwise order")
  func corners() {
    let upright = PixelRegion(centerX: 10, centerY: 20, width: 6, height: 4, rotation: 0).corners
    #expect(upright.0 == [7, 22] && upright.1 == [7, 18] && upright.2 == [13, 18] && upright.3 == [13, 22])
    let turned = PixelRegion(centerX: 10, centerY: 20, width: 6, height: 4, rotation: .pi / 2).corners
    for (found, expected) in zip(
      [turned.0, turned.1, turned.2, turned.3], [[8, 17], [12, 17], [12, 23], [8, 23]] as [SIMD2<Float>])
    {
      #expect(abs(found.x - expected.x) < 1e-4 && abs(found.y - expected.y) < 1e-4)
    }
  }

  // MARK: Averages

  @Test("an area mean may have the size of the image, and not one pixel more")
  func averages() throws {
    let image = try TestImages.pattern(width: 5, height: 4)
    #expect(try image.averaged(width: 5, height: 4).packedBytes() == image.packedBytes())
    for (width, height) in [(6, 4), (5, 5), (6, 5)] {
      let error = error { try image.averaged(width: width, height: height) }
      #expect(error?.code == .invalidSize)
      #expect(
        error?.message.contains("5 × 4 pixels cannot be averaged to \(width) × \(height), which is larger") == true)
    }
    #expect(error { try image.averaged(width: 0, height: 1) }?.code == .invalidSize)
  }

  @Test("area means weight pixels by area", arguments: [1, 3, 4])
  func areas(channels: Int) throws {
    let format: PixelFormat = channels == 1 ? .gray8 : channels == 3 ? .rgb8 : .rgba8
    // Three columns and two rows; channel c is c + 1 times as bright.
    let values: [[Int]] = [[10, 20, 60], [30, 40, 0]]
    let bytes = values.flatMap { $0.flatMap { value in (1...channels).map { UInt8(value * $0) } } }
    let image = try ImageBuffer(bytes: bytes, width: 3, height: 2, pixelFormat: format)
    // A column and a half each: (10 + 20 / 2) / 1.5.
    let cases: [(width: Int, height: Int, means: [Double])] = [
      (2, 2, [40.0 / 3, 140.0 / 3, 100.0 / 3, 40.0 / 3]), (2, 1, [70.0 / 3, 30]), (1, 1, [160.0 / 6]),
      (3, 1, [20, 30, 30]), (1, 2, [30, 70.0 / 3]),
    ]
    for (width, height, means) in cases {
      let expected = means.flatMap { mean in (1...channels).map { UInt8((mean * Double($0)).rounded()) } }
      #expect(try image.averaged(width: width, height: height).packedBytes() == expected, "\(width) × \(height)")
    }
  }

  @Test("blocks of four round half up, and others half to even")
  func halves() throws {
    func mean(_ bytes: [UInt8], _ width: Int, _ height: Int) throws -> UInt8 {
      try ImageBuffer(bytes: bytes, width: width, height: height, pixelFormat: .gray8).averaged(width: 1, height: 1)
        .packedBytes()[0]
    }
    #expect(try mean([0, 0, 1, 1], 2, 2) == 1 && mean([0, 0, 0, 1], 2, 2) == 0 && mean([1, 1, 2, 2], 2, 2) == 2)
    #expect(try mean([0, 1], 2, 1) == 0 && mean([1, 2], 2, 1) == 2 && mean([0, 0, 1, 1], 4, 1) == 0)
    #expect(try mean([0, 1], 1, 2) == 0 && mean([255, 255, 255, 255, 255], 5, 1) == 255)
  }
}
