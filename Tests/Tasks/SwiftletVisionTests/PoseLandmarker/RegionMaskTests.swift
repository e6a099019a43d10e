import Foundation
import SwiftletImage
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Masks of regions in images")
struct RegionMaskTests {
  /// Returns the confidences of a mask, as logits.
  private static func logits(_ count: Int) -> [Float] {
    (0..<count).map { Float(($0 * 7919) % 101) / 10 - 5 }
  }

  private func mask(
    _ logits: [Float], _ sizes: RegionMaskMaker.Sizes, _ projection: ImageProjection, threads: Int = 1,
    smoothing previous: ConfidenceMask? = nil
  ) throws -> ConfidenceMask {
    let maker = try RegionMaskMaker(sizes, maskCount: 1, threads: threads, results: .ofDefaultLimits)
    return try logits.withUnsafeBufferPointer {
      try maker.mask($0, projection: projection, smoothing: previous)
    }
  }

  /// Returns the expected pixel by a slow computation: positions in the mask are rounded to 1/32.
  private func expected(
    _ x: Int, _ y: Int, _ logits: [Float], _ sizes: RegionMaskMaker.Sizes, _ projection: ImageProjection
  ) throws -> Float {
    let inverse = try #require(projection.inverse)
    let place = inverse(NormalizedPoint(x: Float(x) / Float(sizes.width), y: Float(y) / Float(sizes.height)))
    let u = (Double(place.x) * Double(sizes.maskWidth) * 32).rounded(.toNearestOrEven) / 32
    let v = (Double(place.y) * Double(sizes.maskHeight) * 32).rounded(.toNearestOrEven) / 32
    var sum = 0.0
    for row in Int(v.rounded(.down))...Int(v.rounded(.down)) + 1 {
      for column in Int(u.rounded(.down))...Int(u.rounded(.down)) + 1 {
        guard (0..<sizes.maskWidth).contains(column), (0..<sizes.maskHeight).contains(row) else { continue }
        let weight = (1 - abs(u - Double(column))) * (1 - abs(v - Double(row)))
        sum += weight / (1 + exp(-Double(logits[row * sizes.maskWidth + column])))
      }
    }
    return Float(sum)
  }

  @Test(
    "a pixel gets the mask's value at its position, for any region",
    arguments: [
      (0.5, 0.5, 1, 1, 0), (0.3, 0.6, 0.5, 0.7, 0.3), (0.9, 0.1, 1.5, 0.4, -2), (0.5, 0.5, 3, 3, 1.5707964),
      (0.2, 0.2, 0.05, 0.05, 3), (5, 5, 1, 1, 0),
    ] as [(Float, Float, Float, Float, Float)], [1, 3])
  func pixels(region: (Float, Float, Float, Float, Float), threads: Int) throws {
    let sizes = RegionMaskMaker.Sizes(maskWidth: 13, maskHeight: 9, width: 70, height: 97)
    let logits = Self.logits(13 * 9)
    let (width, height) = (region.2 * 70, region.3 * 97)
    let (cosine, sine) = (cos(region.4), sin(region.4))
    let projection = ImageProjection(
      xx: width * cosine / 70, xy: -height * sine / 70,
      x0: region.0 + (-width * cosine + height * sine) / 140, yx: width * sine / 97, yy: height * cosine / 97,
      y0: region.1 + (-width * sine - height * cosine) / 194)
    let numbers = try mask(logits, sizes, projection, threads: threads).pixels
    var wrong = 0
    for y in 0..<97 {
      for x in 0..<70 where abs(numbers[y * 70 + x] - (try expected(x, y, logits, sizes, projection))) > 1e-4 {
        wrong += 1
      }
    }
    // A position halfway between two steps can be rounded in either direction.
    #expect(wrong <= 20, "\(wrong)")
  }

  @Test("an empty or invalid region produces a mask of zeros")
  func unusable() throws {
    let sizes = RegionMaskMaker.Sizes(maskWidth: 4, maskHeight: 4, width: 10, height: 10)
    for value in [Float.nan, .infinity, 0, 1e30] {
      let projection = ImageProjection(xx: value, xy: 0, x0: 0, yx: 0, yy: value == 1e30 ? 1e-30 : value, y0: value)
      #expect(try mask(Self.logits(16), sizes, projection).pixels.allSatisfy { $0 == 0 })
    }
  }

  @Test("a mask is blended with the previous frame's where it is uncertain")
  func blending() throws {
    let sizes = RegionMaskMaker.Sizes(maskWidth: 1, maskHeight: 1, width: 11, height: 2)
    let old = try ConfidenceMask([Float](repeating: 1, count: 22), width: 11, height: 2)
    // The only cell is at the upper left corner.
    let unsure = try mask([0], sizes, .identity, smoothing: old).pixels
    #expect(abs(unsure[0] - 0.85) < 1e-5)
    let sure = try mask(
      [20], sizes, .identity, smoothing: try ConfidenceMask([Float](repeating: 0, count: 22), width: 11, height: 2))
    #expect(abs(sure.pixels[0] - 1) < 1e-4)
    let other = try ConfidenceMask([1, 1], width: 2, height: 1)
    #expect(try mask([0], sizes, .identity, smoothing: other).pixels[0] == 0.5)
  }

  @Test("masks that exceed memory are rejected")
  func limits() {
    for sizes in [
      RegionMaskMaker.Sizes(maskWidth: 4, maskHeight: 4, width: 1 << 40, height: 1 << 21),
      RegionMaskMaker.Sizes(maskWidth: 1 << 40, maskHeight: 1 << 40, width: 10, height: 10),
    ] {
      #expect(
        taskError { _ = try RegionMaskMaker(sizes, maskCount: 1, threads: 1, results: .ofDefaultLimits) }?.code
          == .limitExceeded)
    }
  }
}
