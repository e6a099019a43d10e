import Foundation
import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Region of interest")
struct RegionOfInterestTests {
  // MARK: Upright

  @Test("edges become center and size, and a region may extend beyond the image")
  func edges() {
    #expect(NormalizedRect(left: 0, top: 0, right: 1, bottom: 1) == .fullImage)
    let region = NormalizedRect(left: -0.25, top: 0.5, right: 0.25, bottom: 1.5)
    #expect(region == NormalizedRect(center: NormalizedPoint(x: 0, y: 1), width: 0.5, height: 1))
  }

  @Test(
    "a region without area is rejected",
    arguments: [
      NormalizedRect(left: 0, top: 0, right: 0, bottom: 1), NormalizedRect(left: 0, top: 0, right: 1, bottom: 0),
      NormalizedRect(left: 0.5, top: 0.5, right: 0.5, bottom: 0.5),
      NormalizedRect(left: 1, top: 1, right: 0, bottom: 2), NormalizedRect(left: 0, top: 0, right: .nan, bottom: 1),
    ])
  func withoutArea(_ region: NormalizedRect) throws {
    let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: Self.model.base))
    let error = taskError {
      _ = try embedder.embedding(of: Noise.image(), region: region)
    }
    #expect(error?.code == .invalidRegion)
  }

  // MARK: Rotated

  /// A model that returns its input pixels.
  private static let model = PassingModel(
    width: 16, height: 12, outputs: [.init(shape: [1, 16 * 12 * 3])], normalization: (0, 1))

  /// An image of independent pixels, so that a wrong pixel is detected.
  private enum Noise {
    static let (width, height) = (40, 30)
    static let bytes: [UInt8] = {
      var random = SplitMix64(state: 7)
      return (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    }()

    static func image(_ orientation: ImageOrientation = .up) throws -> InputImage {
      try InputImage(rgb: bytes, width: width, height: height, orientation: orientation)
    }

    /// Returns the nearest pixel of the image.
    static func pixel(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      Double(bytes[(min(max(y, 0), height - 1) * width + min(max(x, 0), width - 1)) * 3 + channel])
    }
  }

  /// Returns the input that MediaPipe passes to a model: the tensor's corners coincide with those of the rotated
  /// region. A pixel of the tensor is sampled at its upper left corner, rounded to 1/32 of a pixel, and interpolated
  /// between the four surrounding pixels.
  ///
  /// - Parameter angle: The clockwise angle, with y down.
  /// - Returns: `nil` for a position so close to the middle between two 1/32 steps that rounding decides.
  private static func reference(
    centerX: Double, centerY: Double, width: Double, height: Double, angle: Double
  ) -> [Double?] {
    (0..<model.height).flatMap { row in
      (0..<model.width).flatMap { column in
        let along = (Double(column) / Double(model.width) - 0.5) * width
        let down = (Double(row) / Double(model.height) - 0.5) * height
        let x = (centerX + along * cos(angle) - down * sin(angle)) * 32
        let y = (centerY + along * sin(angle) + down * cos(angle)) * 32
        let isCertain = [x, y].allSatisfy { abs($0 - $0.rounded(.down) - 0.5) > 0.001 }
        let (left, top) = (Int((x.rounded() / 32).rounded(.down)), Int((y.rounded() / 32).rounded(.down)))
        let (a, b) = (x.rounded() / 32 - Double(left), y.rounded() / 32 - Double(top))
        return (0..<3).map { channel -> Double? in
          let upper = Noise.pixel(left, top, channel) * (1 - a) + Noise.pixel(left + 1, top, channel) * a
          let lower = Noise.pixel(left, top + 1, channel) * (1 - a) + Noise.pixel(left + 1, top + 1, channel) * a
          return isCertain ? (upper * (1 - b) + lower * b + 0.5).rounded(.down) : nil
        }
      }
    }
  }

  private static func expectEqual(
    _ found: [Float], _ expected: [Double?], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(found.count == expected.count, sourceLocation: sourceLocation)
    let differences = zip(found, expected).compactMap { one, other in other.map { abs(Double(one) - $0) } }
    #expect(differences.count > expected.count * 9 / 10, sourceLocation: sourceLocation)
    #expect(differences.max() == 0, sourceLocation: sourceLocation)
  }

  private static func pixels(_ image: InputImage, _ region: NormalizedRect?) throws -> [Float] {
    let embedder = try ImageEmbedder(options: ImageEmbedderOptions(baseOptions: model.base))
    return try embedder.embedding(of: image, region: region).values.floats ?? []
  }

  @Test("a rotated region is sampled by an affine map", arguments: [0, 0.3, -1.2, 2.6, .pi / 2, 7] as [Float])
  func turned(angle: Float) throws {
    let region = NormalizedRect(
      center: NormalizedPoint(x: 0.45, y: 0.6), width: 0.5, height: 0.4, rotation: angle)
    Self.expectEqual(
      try Self.pixels(Noise.image(), region),
      Self.reference(
        centerX: Double(region.center.x) * 40, centerY: Double(region.center.y) * 30, width: 0.5 * 40,
        height: Double(region.height) * 30, angle: Double(angle)))
  }

  @Test(
    "a rotated region of a rotated image combines both angles",
    arguments: [ImageOrientation.up, .right, .down, .left])
  func turnedImage(orientation: ImageOrientation) throws {
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.4), width: 0.6, height: 0.3, rotation: 0.4)
    let quarters: [ImageOrientation: Double] = [.up: 0, .left: 1, .down: 2, .right: 3]
    let quarter = try #require(quarters[orientation])
    let isOnItsSide = orientation == .left || orientation == .right
    let (width, height) = (Double(region.width) * 40, Double(region.height) * 30)
    Self.expectEqual(
      try Self.pixels(Noise.image(orientation), region),
      Self.reference(
        centerX: 20, centerY: Double(region.center.y) * 30, width: isOnItsSide ? height : width,
        height: isOnItsSide ? width : height,
        angle: Double(region.rotation) + quarter * .pi / 2))
  }

  @Test("no region means the whole image")
  func none() throws {
    #expect(try Self.pixels(Noise.image(), nil) == Self.pixels(Noise.image(), .fullImage))
  }

  @Test("detections in a rotated region are in image coordinates, as bounding boxes")
  func detections() throws {
    let detector = try ObjectDetector(
      options: ObjectDetectorOptions(
        baseOptions: BaseOptions(model: .bytes(SyntheticObjectModel.bytes)), scoreThreshold: 0.85))
    // The model reads the first box from the first four numbers: top, left, bottom, right, in 255ths.
    var bytes = try SyntheticObjectModel.image().buffer.packedBytes()
    bytes.replaceSubrange(0..<4, with: [30, 40, 140, 200])
    let image = try InputImage(rgb: bytes, width: 5, height: 5)
    let whole = try #require(try detector.objects(in: image).first)
    #expect(whole.box == PixelRect(x: 0, y: 0, width: 3, height: 2))
    // The same pixels, rotated by another quarter turn: the model reads the same numbers.
    let turned = try InputImage(image.buffer.oriented(.right))
    // The tensor's corners coincide with the region's, and pixels begin at integers, so a rotation shifts them by one.
    let shifted = NormalizedRect(
      center: NormalizedPoint(x: 0.5 - 1 / 5, y: 0.5), width: 1, height: 1, rotation: .pi / 2)
    let found = try #require(try detector.objects(in: turned, region: shifted).first)
    #expect(found.categories == whole.categories)
    // From 4 - 5 · 140 / 255, because the image is rotated and shifted by one.
    #expect(found.box == PixelRect(x: 1, y: 0, width: 2, height: 3))
  }
}
