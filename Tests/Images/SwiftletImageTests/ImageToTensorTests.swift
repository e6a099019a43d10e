import Dispatch
import SwiftletImage
import SwiftletTestSupport
import Testing

@Suite("Image to tensor")
struct ImageToTensorTests {
  @Test("a tensor of the image's size contains its exact pixels", arguments: PixelFormat.allCases)
  func copiesAtEqualSize(format: PixelFormat) throws {
    let image = try TestImages.pattern(width: 19, height: 11, format: format, rowPadding: 5)
    var converter = try ImageToTensor(width: 19, height: 11, encoding: .uint8)
    #expect(try converter.tensor(of: image) == image.converted(to: .rgb8).packedBytes())
  }

  @Test("an image of one pixel fills the tensor", arguments: PixelFormat.allCases)
  func onePixelFills(format: PixelFormat) throws {
    let image = try TestImages.pattern(width: 1, height: 1, format: format)
    var converter = try ImageToTensor(width: 9, height: 4, encoding: .uint8)
    let pixel = try image.converted(to: .rgb8).packedBytes()
    #expect(try converter.tensor(of: image) == (0..<36).flatMap { _ in pixel })
  }

  @Test("blends four neighbors in units of 1/32 pixel, and rounds")
  func blendsNeighbors() throws {
    // Columns 0, 2/3 of 2 pixels apart: 0, 0.666 → 21/32, 1.333 → replicate.
    let image = try ImageBuffer(bytes: [0, 255], width: 2, height: 1, pixelFormat: .gray8)
    var converter = try ImageToTensor(width: 3, height: 1, channels: .gray, encoding: .uint8)
    #expect(try converter.tensor(of: image) == [0, 167, 255])
  }

  @Test("a black border blends with the edge, a replicated one repeats it")
  func bordersDiffer() throws {
    let image = try ImageBuffer(bytes: [200, 200], width: 2, height: 1, pixelFormat: .gray8)
    // The region is two image widths wide, so samples are at −1, −0.5, 0, 0.5, 1, 1.5, 2, and 2.5 pixels.
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 2, height: 1)
    var black = try ImageToTensor(width: 8, height: 1, channels: .gray, encoding: .uint8, border: .zero)
    #expect(try black.tensor(of: image, region: region) == [0, 100, 200, 200, 200, 100, 0, 0])
    var replicated = try ImageToTensor(width: 8, height: 1, channels: .gray, encoding: .uint8)
    #expect(try replicated.tensor(of: image, region: region) == [UInt8](repeating: 200, count: 8))
  }

  @Test("every orientation equals the mirrored image rotated by MediaPipe's rule")
  func mirroredOrientations() throws {
    let image = try TestImages.pattern(width: 40, height: 31)
    let mirrored = try image.oriented(.upMirrored)
    let pairs: [(ImageOrientation, ImageOrientation)] = [
      (.upMirrored, .up), (.downMirrored, .down), (.leftMirrored, .left), (.rightMirrored, .right),
    ]
    for (orientation, turned) in pairs {
      for keepsAspectRatio in [true, false] {
        var converter = try ImageToTensor(
          width: 24, height: 28, encoding: .uint8, keepsAspectRatio: keepsAspectRatio, border: .zero)
        // Mirroring the image first swaps left and right rotations.
        let direct = try converter.tensor(of: image, orientation: orientation)
        #expect(direct == (try converter.tensor(of: mirrored, orientation: turned)), "\(orientation)")
      }
    }
  }

  @Test("a region in a mirrored image is at the same position in the stored image")
  func mirroredRegion() throws {
    let image = try TestImages.pattern(width: 64, height: 48)
    let left = NormalizedRect(left: 0, top: 0.25, right: 0.5, bottom: 0.75)
    let right = NormalizedRect(left: 0.5, top: 0.25, right: 1, bottom: 0.75)
    var converter = try ImageToTensor(width: 32, height: 24, encoding: .uint8)
    #expect(
      try converter.tensor(of: image, region: left, flipsHorizontally: true)
        == converter.tensor(of: image.oriented(.upMirrored), region: right))
  }

  @Test("rotated images are equal in all eight orientations", arguments: ImageOrientation.allCases)
  func orientationsLookAlike(orientation: ImageOrientation) throws {
    // A smooth image, because a rotated warp samples up to one pixel away from an unrotated one.
    var bytes: [UInt8] = []
    for y in 0..<90 { for x in 0..<120 { bytes += [UInt8(x), UInt8(2 * y), UInt8(x + y)] } }
    let upright = try ImageBuffer(bytes: bytes, width: 120, height: 90, pixelFormat: .rgb8)
    let stored = try upright.oriented(orientation.inverse)
    var converter = try ImageToTensor(width: 30, height: 30, encoding: .uint8)
    let expected = try converter.tensor(of: upright)
    let tensor = try converter.tensor(of: stored, orientation: orientation)
    let largest = zip(expected, tensor).map { abs(Int($0) - Int($1)) }.max() ?? 255
    #expect(largest <= 3)
  }

  @Test("any angle samples like the same positions in plain arithmetic", arguments: [0.3, -1.2, 2.9, 0.785])
  func arbitraryAngles(angle: Double) throws {
    let image = try TestImages.pattern(width: 50, height: 40, format: .gray8)
    let region = NormalizedRect(
      center: NormalizedPoint(x: 0.45, y: 0.55), width: 0.8, height: 0.6, rotation: Float(angle))
    var converter = try ImageToTensor(width: 16, height: 12, channels: .gray, encoding: .uint8, border: .zero)
    let tensor = try converter.tensor(of: image, region: region)
    let pixels = image.packedBytes().map(Double.init)
    func pixel(_ x: Int, _ y: Int) -> Double {
      (0..<50).contains(x) && (0..<40).contains(y) ? pixels[y * 50 + x] : 0
    }
    let projection = try converter.prepare(for: image, region: region)
    for row in 0..<12 {
      for column in 0..<16 {
        let point = projection(NormalizedPoint(x: Float(column) / 16, y: Float(row) / 12))
          .inPixels(width: 50, height: 40)
        let (x, y) = (Double(point.x), Double(point.y))
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (fx, fy) = (x - Double(left), y - Double(top))
        let upper = pixel(left, top) * (1 - fx) + pixel(left + 1, top) * fx
        let lower = pixel(left, top + 1) * (1 - fx) + pixel(left + 1, top + 1) * fx
        let exact = upper * (1 - fy) + lower * fy
        // Half of 1/32 pixel in both directions, on an image whose neighbors differ by up to 255, plus rounding.
        #expect(abs(Double(tensor[row * 16 + column]) - exact) <= 9)
      }
    }
  }

  @Test("rows converted one by one, from several threads, equal the whole")
  func rowsAreIndependent() throws {
    let image = try TestImages.pattern(width: 90, height: 70, format: .bgra8)
    for rotation: Float in [0, 0.5] {
      let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 1, height: 1, rotation: rotation)
      var converter = try ImageToTensor(width: 33, height: 29, encoding: .float32(.minusOneToOne))
      let whole = try converter.tensor(of: image, region: region)
      let shared = converter
      let parts = SharedBuffer(count: shared.byteCount)
      DispatchQueue.concurrentPerform(iterations: 29) { row in
        let failed = imageError { try shared.convertRows(row..<row + 1, of: image, into: parts.bytes) }
        if failed != nil { parts.bytes[0] = 0 }
      }
      #expect(Array(parts.bytes) == whole)
    }
  }

  @Test("a converter can be reused for other regions and layouts")
  func isReusable() throws {
    let first = try TestImages.pattern(width: 30, height: 20)
    let second = try TestImages.pattern(width: 21, height: 44, format: .rgba8, rowPadding: 4)
    var reused = try ImageToTensor(width: 16, height: 16, encoding: .uint8)
    let before = try reused.tensor(of: first)
    let turned = try reused.tensor(of: second, orientation: .left)
    var fresh = try ImageToTensor(width: 16, height: 16, encoding: .uint8)
    #expect(turned == (try fresh.tensor(of: second, orientation: .left)))
    #expect(before == (try reused.tensor(of: first)))
  }

  @Test("channels sampled together equal channels sampled separately", arguments: 0..<6 as Range<UInt64>)
  func channelsTogetherAndAlone(seed: UInt64) throws {
    var random = SplitMix64(state: seed)
    for _ in 0..<25 {
      let format = [PixelFormat.rgb8, .rgba8, .bgra8].randomElement(using: &random) ?? .rgb8
      let width = Int.random(in: 1...40, using: &random)
      let height = Int.random(in: 1...40, using: &random)
      let padding = Int.random(in: 0...3, using: &random)
      let rowBytes = width * format.bytesPerPixel + padding
      let count = rowBytes * (height - 1) + width * format.bytesPerPixel
      let memory = try GuardedMemory((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
      let image = try ImageBuffer(
        borrowing: memory.bytes, owner: memory, width: width, height: height, bytesPerRow: rowBytes,
        pixelFormat: format)
      let quarterTurns = Float(Int.random(in: -2...2, using: &random)) * Float(Double.pi / 2)
      let region = NormalizedRect(
        center: NormalizedPoint(x: .random(in: 0...1, using: &random), y: .random(in: 0...1, using: &random)),
        width: .random(in: 0.1...1.5, using: &random), height: .random(in: 0.1...1.5, using: &random),
        rotation: Bool.random(using: &random) ? quarterTurns : .random(in: -4...4, using: &random))
      let flips = Bool.random(using: &random)
      let border = Bool.random(using: &random) ? ImageToTensor.Border.zero : .replicate
      let (tensorWidth, tensorHeight) = (Int.random(in: 1...90, using: &random), Int.random(in: 1...20, using: &random))
      func converter(_ channels: ImageToTensor.Channels) throws -> ImageToTensor {
        try ImageToTensor(
          width: tensorWidth, height: tensorHeight, channels: channels, encoding: .uint8, border: border)
      }
      var rgb = try converter(.rgb)
      var rgba = try converter(.rgba)
      var gray = try converter(.gray)
      let together = try rgb.tensor(of: image, region: region, flipsHorizontally: flips)
      let withAlpha = try rgba.tensor(of: image, region: region, flipsHorizontally: flips)
      let packed = try image.converted(to: format.hasAlpha ? .rgba8 : .rgb8).packedBytes()
      let step = format.bytesPerPixel
      for channel in 0..<step {
        let plane = stride(from: channel, to: width * height * step, by: step).map { packed[$0] }
        let alone = try gray.tensor(
          of: ImageBuffer(bytes: plane, width: width, height: height, pixelFormat: .gray8), region: region,
          flipsHorizontally: flips)
        #expect(stride(from: channel, to: withAlpha.count, by: 4).map { withAlpha[$0] } == alone)
        if channel < 3 { #expect(stride(from: channel, to: together.count, by: 3).map { together[$0] } == alone) }
      }
    }
  }

  /// A buffer that several threads write at disjoint positions.
  private final class SharedBuffer: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer
    init(count: Int) { bytes = .allocate(byteCount: count, alignment: 16) }
    deinit { bytes.deallocate() }
  }
}
