import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Region detection")
struct RegionDetectorTests {
  /// A recipe of two by two cells with two anchors each, and boxes with two keypoints.
  private static let recipe = RegionDetector.Recipe(
    strides: [8], keypointCount: 2, overlapThreshold: 0.3, start: 0, end: 1, direction: .pi / 2,
    adjustment: .init(shift: -0.5, scale: 2))
  private static let model = SyntheticFaceModel.detector(side: 16, boxCount: 8, valuesPerBox: 8)

  private func finder(_ model: [UInt8] = Self.model) throws -> RegionDetector {
    let base = BaseOptions(
      model: .bytes(model), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1]))
    return try RegionDetector(ModelContext(base), recipe: Self.recipe, minConfidence: 0.6)
  }

  /// Returns an image that encodes the model's detections: raw boxes in 16ths of the image relative to the anchors'
  /// centers, and raw scores.
  private func makeImage(_ boxes: [Int: (values: [UInt8], score: UInt8)]) throws -> InputImage {
    var bytes = [UInt8](repeating: 0, count: 16 * 16 * 3)
    for (index, box) in boxes {
      for (offset, value) in box.values.enumerated() { bytes[8 * index + offset] = value }
      bytes[64 + index] = box.score
    }
    return try InputImage(rgb: bytes, width: 16, height: 16)
  }

  @Test("a detection becomes a region by its box, the direction between two keypoints, and the recipe's adjustment")
  func region() throws {
    // A box of 8 × 4 pixels around (8, 8), once pointing up, and once to the right.
    let upright = try finder().regions(in: makeImage([0: ([4, 4, 8, 4, 4, 8, 4, 4], 10)]))
    try #require(upright.count == 1)
    #expect(abs(upright[0].center.x - 0.5) < 1e-6 && abs(upright[0].center.y - 0.375) < 1e-6)
    #expect(abs(upright[0].width - 1) < 1e-6 && abs(upright[0].height - 1) < 1e-6)
    #expect(abs(upright[0].rotation) < 1e-6)
    let turned = try finder().regions(in: makeImage([0: ([4, 4, 8, 4, 4, 4, 8, 4], 10)]))
    try #require(turned.count == 1)
    #expect(abs(turned[0].center.x - 0.625) < 1e-6 && abs(turned[0].center.y - 0.5) < 1e-6)
    #expect(abs(turned[0].rotation - .pi / 2) < 1e-6)
  }

  @Test("a region can be computed from keypoints alone: around all of them, or from one to another")
  func keypoints() throws {
    let base = BaseOptions(
      model: .bytes(Self.model), inputNormalization: InputNormalization(mean: [0], standardDeviation: [1]))
    // The keypoints are at (8, 12) and (12, 4).
    let image = try makeImage([0: ([4, 4, 1, 1, 4, 8, 8, 0], 10)])
    var recipe = Self.recipe
    (recipe.extent, recipe.adjustment) = (.keypoints, .init(scale: 1))
    let around = try #require(
      try RegionDetector(ModelContext(base), recipe: recipe, minConfidence: 0.6).regions(in: image).first)
    #expect(abs(around.center.x - 10.0 / 16) < 1e-6 && abs(around.center.y - 0.5) < 1e-6)
    #expect(abs(around.width - 0.5) < 1e-6 && abs(around.height - 0.5) < 1e-6 && around.rotation > 0)
    recipe.extent = .aroundStart
    let square = try #require(
      try RegionDetector(ModelContext(base), recipe: recipe, minConfidence: 0.6).regions(in: image).first)
    #expect(abs(square.center.x - 0.5) < 1e-6 && abs(square.center.y - 12.0 / 16) < 1e-6)
    #expect(abs(square.width - 2 * Float(80).squareRoot() / 16) < 1e-6 && square.rotation == around.rotation)
  }

  @Test("a part of the image can be searched, with positions relative to the whole image")
  func part() throws {
    // The detector's image is the right half of one that is twice as wide.
    let image = try makeImage([0: ([4, 4, 8, 4, 4, 8, 4, 4], 10)])
    let narrow = [UInt8](image.buffer.packedBytes())
    var bytes: [UInt8] = []
    for row in 0..<16 { bytes += [UInt8](repeating: 0, count: 48) + narrow[48 * row..<48 * row + 48] }
    let wide = try InputImage(rgb: bytes, width: 32, height: 16)
    let half = NormalizedRect(left: 0.5, top: 0, right: 1, bottom: 1)
    let found = try #require(try finder().regions(in: wide, within: half).first)
    #expect(abs(found.center.x - 0.75) < 1e-6 && abs(found.center.y - 0.375) < 1e-6)
    #expect(abs(found.width - 0.5) < 1e-6 && abs(found.height - 1) < 1e-6)
  }

  @Test("regions are sorted best first, overlapping ones are merged, and low scores are dropped")
  func several() throws {
    let found = try finder().regions(
      in: makeImage([
        0: ([0, 0, 4, 4, 0, 2, 0, 0], 5), 1: ([0, 0, 4, 4, 0, 2, 0, 0], 4), 7: ([0, 0, 4, 4, 0, 2, 0, 0], 9),
        4: ([0, 0, 4, 4, 0, 2, 0, 0], 0),
      ]))
    try #require(found.count == 2)
    #expect(abs(found[0].center.x - 0.75) < 1e-6 && abs(found[1].center.x - 0.25) < 1e-6)
  }

  @Test("empty boxes produce no unusable region")
  func empty() throws { #expect(try finder().regions(in: makeImage([0: ([0, 0, 0, 0, 0, 2, 0, 0], 10)])).isEmpty) }

  @Test("a model with other outputs is rejected")
  func otherModel() {
    let error = taskError { _ = try finder(SyntheticFaceModel.detector(side: 16, boxCount: 8, valuesPerBox: 6)) }
    #expect(error?.code == .invalidModel)
    #expect(error?.message.contains("[1 × 8 × 8]") == true, "\(String(describing: error))")
  }
}
