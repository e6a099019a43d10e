import Foundation
import SwiftletImage
import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

/// Checks the limits of the code that two-model tasks share.
@Suite("Edge cases of regions and their models")
struct RegionEdgeTests {
  /// Returns the geometry of an image that is twice as wide as high.
  private func geometry() throws -> RegionGeometry {
    RegionGeometry(try InputImage(rgb: [UInt8](repeating: 0, count: 200 * 100 * 3), width: 200, height: 100))
  }

  // MARK: Geometry

  /// For an image of 256 × 128 pixels, the first number at which the center plus half of both sides reaches 2²⁴ pixels.
  private static let limits: [(path: WritableKeyPath<NormalizedRect, Float> & Sendable, first: Float)] = [
    (\.width, 131_071.5), (\.height, 262_142), (\.center.x, 65_535.25), (\.center.y, 131_070.5), (\.rotation, 1e6),
  ]

  @Test("regions are within 2²⁴ pixels of the image, for any image size", arguments: 0..<5)
  func usable(index: Int) throws {
    let geometry = RegionGeometry(
      try InputImage(rgb: [UInt8](repeating: 0, count: 256 * 128 * 3), width: 256, height: 128))
    let (path, first) = Self.limits[index]
    var region = NormalizedRect(center: NormalizedPoint(x: 0, y: 0), width: 1, height: 1)
    region[keyPath: path] = first
    #expect(!geometry.isUsable(region))
    region[keyPath: path] = first.nextDown
    #expect(geometry.isUsable(region))
    region[keyPath: path] = -first
    #expect(!geometry.isUsable(region))
    region[keyPath: path] = -first.nextDown
    // Sizes must not be negative.
    #expect(geometry.isUsable(region) == (index > 1))
  }

  @Test("sides are at least a thousandth of a pixel, and a millionth of the distance", arguments: [0, 1 << 20])
  func least(pixels: Int) throws {
    let image = try InputImage(rgb: [UInt8](repeating: 9, count: 256 * 128 * 3), width: 256, height: 128)
    let least: Float = pixels == 0 ? 0x1p-10 : 1
    var region = NormalizedRect(
      center: NormalizedPoint(x: Float(pixels) / 256, y: 0), width: least / 256, height: least / 128, rotation: 1)
    #expect(RegionGeometry(image).isUsable(region))
    var converter = try ImageToTensor(width: 256, height: 256, encoding: .uint8)
    var bytes = [UInt8](repeating: 1, count: converter.byteCount)
    _ = try bytes.withUnsafeMutableBytes { try converter.convert(image.buffer, region: region, into: $0) }
    #expect(bytes.allSatisfy { $0 == 9 })
    region.height = region.height.nextDown
    #expect(!RegionGeometry(image).isUsable(region))
  }

  @Test("the region of a body with only the face visible, seven times the image's width, is usable")
  func closeUp() throws {
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 2.5), width: 7, height: 14, rotation: 0.1)
    #expect(try geometry().isUsable(region))
  }

  @Test("distances and squares are in pixels, for any image shape")
  func distances() throws {
    let geometry = try geometry()
    let (one, other) = (NormalizedPoint(x: 0.5, y: 0.5), NormalizedPoint(x: 0.515, y: 0.46))
    // The distances are 3 and 4 pixels.
    #expect(abs(geometry.distance(one, other) - 5) < 1e-4 && geometry.width == 200 && geometry.height == 100)
    let square = geometry.square(about: one, reaching: other)
    #expect(square.center == one && square.rotation == 0)
    #expect(abs(square.width - 0.05) < 1e-5 && abs(square.height - 0.1) < 1e-5)
  }

  @Test("a region that is taller than wide becomes a square of its height")
  func adjusted() throws {
    let geometry = try geometry()
    // 10 × 40 pixels.
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.05, height: 0.4, rotation: .pi / 6)
    let found = geometry.adjusted(region, by: .init(shift: 0.5, scale: 1.5))
    #expect(abs(found.width - 0.3) < 1e-5 && abs(found.height - 0.6) < 1e-5 && found.rotation == .pi / 6)
    // 20 pixels down along its own axis: 10 to the left, and 17.3 down.
    #expect(abs(found.center.x - 0.45) < 1e-5 && abs(found.center.y - 0.673_205) < 1e-5)
  }

  // MARK: Tracking

  @Test("regions that overlap by exactly the threshold stay separate, in both preferences", arguments: [true, false])
  func threshold(prefersFound: Bool) {
    func region(_ left: Float) -> NormalizedRect { NormalizedRect(left: left, top: 0, right: left + 0.5, bottom: 1) }
    // 0.25 of 0.75.
    let overlap = region(0).intersectionOverUnion(with: region(0.25))
    for (threshold, count) in [(overlap, 2), (overlap.nextDown, 1)] {
      var follower = RegionTracker(
        limit: 3, overlapThreshold: threshold, preference: prefersFound ? .found : .followed)
      follower.follow([region(0)])
      let found = follower.regions { [region(0.25)] }
      #expect(found.count == count)
      #expect(found.last?.region == (count == 1 && !prefersFound ? region(0) : region(0.25)))
    }
  }

  @Test("at most the requested number of regions is processed, tracked ones first")
  func limit() {
    func region(_ left: Float) -> NormalizedRect { NormalizedRect(left: left, top: 0, right: left + 0.1, bottom: 1) }
    for preference in [RegionTracker.Preference.found, .followed] {
      var follower = RegionTracker(limit: 2, overlapThreshold: 0.5, preference: preference)
      follower.follow([region(0)])
      #expect(
        follower.regions { [region(0.2), region(0.4)] }.map(\.region.center.x)
          == [region(0), region(0.2)].map(\.center.x))
      follower.follow([region(0), region(0.2)])
      var searches = 0
      _ = follower.regions {
        searches += 1
        return []
      }
      #expect(searches == 0)
    }
  }

  // MARK: Models

  @Test("triples of values are landmarks, other counts are rejected, and a model may return fewer than requested")
  func points() throws {
    let four = try RegionModel(
      ModelContext(GivingModel([([1, 2, 3, 4], [1, 4])]).base), outputs: [.init(name: "points", count: 4)])
    let image = try GivingModel.image()
    try four.look(at: .fullImage, in: image)
    let error = taskError { _ = try four.landmarks(0) }
    #expect(
      error
        == TaskError(.invalidModel, "output 0 has 4 numbers, which is not a multiple of three coordinates per landmark")
    )
    let six = try RegionModel(
      ModelContext(GivingModel([([1, 2, 3, 4, 5, 6], [1, 6])]).base), outputs: [.init(name: "points", count: 6)])
    try six.look(at: .fullImage, in: image)
    for (count, expected) in [(nil, 2), (0, 0), (1, 1), (2, 2), (3, 2)] as [(Int?, Int)] {
      #expect(try six.worldLandmarks(0, count: count).count == expected)
    }
    #expect(try six.worldLandmarks(0).map { [$0.x, $0.y, $0.z] } == [[1, 2, 3], [4, 5, 6]])
    // In pixels of an input of 2 × 2.
    #expect(try six.landmarks(0).map { [$0.x, $0.y, $0.z] } == [[0.5, 1, 1.5], [2, 2.5, 3]])
    #expect(try six.value(0) == 1 && six.inputWidth == 2 && six.inputHeight == 2)
  }

  @Test(
    "planes have four dimensions, one image, and a specific number of channels",
    arguments: [
      ([1, 2, 3, 2], true), ([1, 2, 3, 4], false), ([2, 1, 3, 2], false), ([2, 3, 2], false), ([12], false),
      ([1, 12, 1, 1], false),
    ])
  func planes(shape: [Int], isFitting: Bool) throws {
    let base = GivingModel([([Float](repeating: 0, count: shape.reduce(1, *)), shape)]).base
    let output = RegionModel.Output(name: "mask", form: .planes(channels: 2))
    let error = taskError {
      _ = try RegionModel(
        ModelContext(base), outputs: [output], advice: "take another one")
    }
    #expect((error == nil) == isFitting)
    guard let error else {
      let size = try RegionModel(
        ModelContext(base), outputs: [output]
      ).planeSize(0)
      #expect(size.height == 2 && size.width == 3 && size.channels == 2)
      return
    }
    #expect(error.code == .invalidModel && error.message.hasSuffix("; take another one"))
    #expect(
      error.message.contains("must have [1 × height × width × 2] numbers (mask) in output 0, but its outputs are"))
  }

  @Test("outputs are checked individually, and their number must match")
  func outputs() throws {
    let base = GivingModel([([1, 2, 3], [1, 3]), ([4], [1, 1])]).base
    func error(_ counts: [Int]) -> String? {
      taskError {
        _ = try RegionModel(
          ModelContext(base), outputs: counts.map { .init(name: "n\($0)", count: $0) })
      }?.message
    }
    #expect(error([3]) == nil && error([3, 1]) == nil)
    #expect(error([4, 1])?.contains("4 numbers (n4) in output 0") == true)
    #expect(error([3, 2])?.contains("2 numbers (n2) in output 1") == true)
    #expect(error([3, 1, 1])?.contains("1 numbers (n1) in output 2") == true)
  }

  @Test("a detector with a wide input finds regions at their actual positions", arguments: [true, false])
  func wideInput(followsOrientation: Bool) throws {
    let recipe = RegionDetector.Recipe(
      strides: [8], keypointCount: 2, overlapThreshold: 0.3, start: 0, end: 1, direction: .pi / 2, extent: .box,
      followsOrientation: followsOrientation, adjustment: .init(scale: 1))
    // Two cells with two boxes each; the first cell's center is a quarter of the width from the left.
    var boxes = [Float](repeating: 0, count: 4 * 8)
    for (offset, value) in [4, 0, 4, 2, 0, 0, 0, -1].enumerated() { boxes[offset] = Float(value) }
    var model = GivingModel([(boxes, [1, 4, 8]), ([5, -5, -5, -5], [1, 4, 1])])
    (model.width, model.height) = (16, 8)
    let finder = try RegionDetector(ModelContext(model.base), recipe: recipe, minConfidence: 0.9)
    // A square image in an input that is twice as wide: half of the input is outside the image.
    let region = try #require(try finder.regions(in: GivingModel.image(100, 100)).first)
    // 8 of 16 pixels from the left, 4 of 8 from the top; numbers are relative to the width.
    #expect(abs(region.center.x - 0.5) < 1e-5 && abs(region.center.y - 0.5) < 1e-5 && abs(region.rotation) < 1e-5)
    #expect(abs(region.width - 0.5) < 1e-5 && abs(region.height - 0.5) < 1e-5)
    // An image that is four times as wide as high is letterboxed.
    let wide = try #require(try finder.regions(in: GivingModel.image(400, 100)).first)
    #expect(abs(wide.center.x - 0.5) < 1e-5 && abs(wide.center.y - 0.5) < 1e-5)
    #expect(abs(wide.width - 0.25) < 1e-5 && abs(wide.height - 1) < 1e-5)
  }

  // MARK: Hands

  private func hand(_ place: (Int) -> SIMD2<Float>) -> [NormalizedLandmark] {
    (0..<21).map { NormalizedLandmark(x: place($0).x / 200, y: place($0).y / 100, z: 0) }
  }

  @Test("every joint of wrist and palm extends the next region, and fingertips don't", arguments: 0..<21)
  func steadyPoints(index: Int) throws {
    let geometry = try geometry()
    // Knuckles above the wrist, all other landmarks in between.
    func place(_ index: Int) -> SIMD2<Float> {
      switch index {
      case 0: SIMD2(100, 80)
      case 5, 9, 13: SIMD2(100, 40)
      default: SIMD2(100, 60)
      }
    }
    let plain = HandGeometry.nextRegion(hand(place), geometry)
    // Keep the landmarks that determine the hand's rotation.
    guard ![0, 5, 9, 13].contains(index) else { return }
    let moved = HandGeometry.nextRegion(hand { $0 == index ? SIMD2(180, 60) : place($0) }, geometry)
    let isSteady = [1, 2, 3, 6, 10, 14, 17, 18].contains(index)
    #expect((moved != plain) == isSteady)
    #expect(abs(plain.width * 200 - 80) < 1e-3)
    #expect(!isSteady || abs(moved.width * 200 - 160) < 1e-3)
  }

  @Test("the size of a hand is the longest side of the palm's triangle", arguments: [[0, 5], [5, 17], [17, 0]])
  func palm(pair: [Int]) throws {
    let geometry = try geometry()
    // All landmarks at the same position but two, which are 50 pixels apart along both axes: 10 pixels count as close.
    func place(_ index: Int) -> SIMD2<Float> {
      index == pair[0] ? SIMD2(100, 20) : index == pair[1] ? SIMD2(100, 70) : SIMD2(100, 45)
    }
    // The third vertex of the triangle is at the center.
    let one = hand { $0 == 20 ? SIMD2(160, 45) : place($0) }
    #expect(HandGeometry.areOne(one, hand { ($0 == 20 ? SIMD2(160, 45) : place($0)) + SIMD2(9.9, 0) }, geometry))
    #expect(!HandGeometry.areOne(one, hand { ($0 == 20 ? SIMD2(160, 45) : place($0)) + SIMD2(10.1, 0) }, geometry))
  }

  @Test("boxes of the same hand overlap by more than a fifth")
  func overlap() throws {
    let geometry = try geometry()
    // A square of 60 pixels with a large palm; the other hand's box is 60 × 60 · k.
    func place(_ index: Int, _ width: Float) -> SIMD2<Float> {
      switch index {
      case 0: SIMD2(20, 90)
      case 5: SIMD2(20, 30)
      case 20: SIMD2(20 + width, 60)
      default: SIMD2(20, 60)
      }
    }
    for (width, areOne) in [(Float(11), false), (13, true)] {
      #expect(HandGeometry.areOne(hand { place($0, 60) }, hand { place($0, width) }, geometry) == areOne)
    }
  }
}
