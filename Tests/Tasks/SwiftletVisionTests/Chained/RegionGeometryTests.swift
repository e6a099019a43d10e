import Foundation
import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Geometry of regions")
struct RegionGeometryTests {
  /// Twice as wide as high, so that parts of width and height are not the same.
  private func wide() throws -> RegionGeometry {
    RegionGeometry(try MPImage(rgb: [UInt8](repeating: 0, count: 200 * 100 * 3), width: 200, height: 100))
  }

  @Test(
    "the rotation turns the way between two points into a direction, and lies in −π…π",
    arguments: [
      // In pixels: up, right, down, left, and up to the right.
      (0, -50, 0), (50, 0, .pi / 2), (0, 50, -.pi), (-50, 0, -.pi / 2), (30, -30, .pi / 4),
    ] as [(Float, Float, Float)])
  func rotation(x: Float, y: Float, expected: Float) throws {
    let geometry = try wide()
    let start = NormalizedPoint(x: 0.5, y: 0.5)
    let end = NormalizedPoint(x: 0.5 + x / 200, y: 0.5 + y / 100)
    let found = geometry.rotation(from: start, to: end, direction: .pi / 2)
    #expect(abs(found - expected) < 1e-5)
    // Whole turns of the direction do not count: 90 radians are 14 turns and 2.035.
    let far = geometry.rotation(from: start, to: end, direction: .pi / 2 + 28 * .pi)
    #expect(abs(sin(far) - sin(expected)) < 1e-4 && abs(cos(far) - cos(expected)) < 1e-4)
  }

  @Test("a region is moved along its own axis by its height, made a square of its longer side, and scaled")
  func adjustment() throws {
    let geometry = try wide()
    // 40 × 20 pixels about (100, 50).
    var region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.2, height: 0.2)
    var found = geometry.adjusted(region, by: .init(shift: -0.5, scale: 2))
    // 10 pixels up; a square of 80 pixels.
    #expect(isClose(found, x: 100, y: 40, width: 80, height: 80))
    region.rotation = .pi / 2
    found = geometry.adjusted(region, by: .init(shift: -0.5, scale: 1))
    // Its up is the picture's right.
    #expect(isClose(found, x: 110, y: 50, width: 40, height: 40) && found.rotation == .pi / 2)
  }

  @Test("a region around points is the smallest of its rotation")
  func around() throws {
    let geometry = try wide()
    // The corners of a square of 20 · √2 pixels that stands on one of them.
    let points = [(100, 30), (120, 50), (100, 70), (80, 50)].map {
      NormalizedPoint(x: Float($0.0) / 200, y: Float($0.1) / 100)
    }
    let upright = geometry.region(around: points, rotation: 0)
    #expect(isClose(upright, x: 100, y: 50, width: 40, height: 40))
    let turned = geometry.region(around: points, rotation: .pi / 4)
    let side = 20 * Float(2).squareRoot()
    #expect(isClose(turned, x: 100, y: 50, width: side, height: side) && turned.rotation == .pi / 4)
    let one = geometry.region(around: [points[1]], rotation: 1)
    #expect(isClose(one, x: 120, y: 50, width: 0, height: 0) && !geometry.isUsable(one))
    #expect(!geometry.isUsable(geometry.region(around: [], rotation: 0)))
  }

  @Test("regions that are no numbers, without an area, far away or huge are of no use")
  func usable() throws {
    let geometry = try wide()
    let good = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.5, height: 1, rotation: 3)
    #expect(geometry.isUsable(good))
    for value in [Float.nan, .infinity, -.infinity, 1e9, -1e9] {
      for path in [\NormalizedRect.width, \.height, \.rotation, \.center.x, \.center.y] {
        var bad = good
        bad[keyPath: path] = value
        #expect(!geometry.isUsable(bad), "\(path) \(value)")
      }
    }
    for path in [\NormalizedRect.width, \.height] {
      var empty = good
      empty[keyPath: path] = 0
      #expect(!geometry.isUsable(empty))
    }
  }

  @Test("what is of use can be cut out of the largest picture", arguments: [(1 << 20, 1), (1, 1 << 20), (3, 2)])
  func cutOut(width: Int, height: Int) throws {
    let image = try MPImage(rgb: [UInt8](repeating: 0, count: width * height * 3), width: width, height: height)
    let longer = Float(max(width, height))
    let far = NormalizedRect(
      center: NormalizedPoint(x: -4 * longer / Float(width), y: 4 * longer / Float(height)),
      width: 4 * longer / Float(width), height: 4 * longer / Float(height), rotation: 1)
    #expect(RegionGeometry(image).isUsable(far))
    var converter = try ImageToTensor(width: 2, height: 2, encoding: .uint8)
    var bytes = [UInt8](repeating: 1, count: 12)
    _ = try bytes.withUnsafeMutableBytes { try converter.convert(image.buffer, region: far, into: $0) }
  }

  @Test("overlap is that of the regions as if they were not turned")
  func overlap() {
    let one = NormalizedRect(left: 0, top: 0, right: 0.5, bottom: 0.5)
    var other = NormalizedRect(left: 0.25, top: 0, right: 0.75, bottom: 0.5)
    other.rotation = 1
    #expect(abs(one.intersectionOverUnion(with: other) - 1 / 3) < 1e-6)
    #expect(one.intersectionOverUnion(with: NormalizedRect(left: 0.6, top: 0, right: 1, bottom: 1)) == 0)
  }

  private func isClose(_ region: NormalizedRect, x: Float, y: Float, width: Float, height: Float) -> Bool {
    let found = [region.center.x * 200, region.center.y * 100, region.width * 200, region.height * 100]
    return zip(found, [x, y, width, height]).allSatisfy { abs($0 - $1) < 1e-3 }
  }
}
