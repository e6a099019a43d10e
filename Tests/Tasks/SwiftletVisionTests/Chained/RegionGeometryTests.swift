import Foundation
import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Geometry of regions")
struct RegionGeometryTests {
  /// Returns the geometry of an image that is twice as wide as high, so that relative widths and heights differ.
  private func wide() throws -> RegionGeometry {
    RegionGeometry(try InputImage(rgb: [UInt8](repeating: 0, count: 200 * 100 * 3), width: 200, height: 100))
  }

  @Test(
    "the rotation maps the vector between two points to a direction, and is in −π…π",
    arguments: [
      // In pixels: up, right, down, left, and up to the right.
      (0, -50, 0), (50, 0, .pi / 2), (0, 50, -.pi), (-50, 0, -.pi / 2), (30, -30, .pi / 4),
    ] as [(Float, Float, Float)])
  func rotation(x: Float, y: Float, expected: Float) throws {
    let geometry = try wide()
    let start = NormalizedPoint(x: 0.5, y: 0.5)
    let end = NormalizedPoint(x: 0.5 + x / 200, y: 0.5 + y / 100)
    let found = geometry.rotation(from: start, to: end, direction: RegionGeometry.up)
    #expect(abs(found - expected) < 1e-5)
    // Full turns of the direction have no effect: 90 radians are 14 turns and 2.035.
    let far = geometry.rotation(from: start, to: end, direction: .pi / 2 + 28 * .pi)
    #expect(abs(sin(far) - sin(expected)) < 1e-4 && abs(cos(far) - cos(expected)) < 1e-4)
  }

  @Test("a region is shifted along its own axis by its height, squared to its longer side, and scaled")
  func adjustment() throws {
    let geometry = try wide()
    // 40 × 20 pixels around (100, 50).
    var region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.2, height: 0.2)
    var found = geometry.adjusted(region, by: .init(shift: -0.5, scale: 2))
    // Shifted up by 10 pixels, as a square of 80 pixels.
    #expect(isClose(found, x: 100, y: 40, width: 80, height: 80))
    region.rotation = .pi / 2
    found = geometry.adjusted(region, by: .init(shift: -0.5, scale: 1))
    // The region's up is the image's right.
    #expect(isClose(found, x: 110, y: 50, width: 40, height: 40) && found.rotation == .pi / 2)
  }

  @Test("a region around points is the smallest with its rotation")
  func around() throws {
    let geometry = try wide()
    // The corners of a square with a side of 20 · √2 pixels that stands on a corner.
    let points = [(100, 30), (120, 50), (100, 70), (80, 50)].map {
      NormalizedPoint(x: Float($0.0) / 200, y: Float($0.1) / 100)
    }
    for upright in [geometry.region(around: points, rotation: 0), geometry.box(around: points)] {
      #expect(isClose(upright, x: 100, y: 50, width: 40, height: 40) && upright.rotation == 0)
    }
    let turned = geometry.region(around: points, rotation: .pi / 4)
    let side = 20 * Float(2).squareRoot()
    #expect(isClose(turned, x: 100, y: 50, width: side, height: side) && turned.rotation == .pi / 4)
    #expect(isClose(geometry.region(around: [points[1]], rotation: 1), x: 120, y: 50, width: 0, height: 0))
    let one = geometry.box(around: [points[1]])
    #expect(isClose(one, x: 120, y: 50, width: 0, height: 0) && !geometry.isUsable(one))
    #expect(!geometry.isUsable(geometry.region(around: [], rotation: 0)))
    #expect(!geometry.isUsable(geometry.box(around: [])))
  }

  @Test("a box of points that are all left of and above the image extends to its corner, like MediaPipe's")
  func negative() throws {
    let box = try wide().box(around: [NormalizedPoint(x: -0.5, y: -0.75), NormalizedPoint(x: -0.25, y: -0.5)])
    #expect(isClose(box, x: -50, y: -37.5, width: 100, height: 75))
  }

  @Test("a region that isn't squared keeps its proportions")
  func proportions() throws {
    let region = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.25, height: 0.125, rotation: 1)
    let found = try wide().adjusted(region, by: .init(scale: 1.5, isSquare: false))
    #expect(found == NormalizedRect(center: region.center, width: 0.375, height: 0.1875, rotation: 1))
  }

  // MARK: Last bits

  /// Returns the geometry of a photo. Expected numbers come from a NumPy reimplementation that equals MediaPipe in
  /// every landmark.
  private func photo() throws -> RegionGeometry {
    RegionGeometry(try InputImage(rgb: [UInt8](repeating: 0, count: 517 * 606 * 3), width: 517, height: 606))
  }

  private func bits(_ region: NormalizedRect) -> [UInt32] {
    [region.center.x, region.center.y, region.width, region.height, region.rotation].map(\.bitPattern)
  }

  private let start = NormalizedPoint(x: 0.3137, y: 0.2719)
  private let end = NormalizedPoint(x: 0.6931, y: 0.4142)

  @Test("rotations are bit-exact with MediaPipe")
  func rotationBits() throws {
    let geometry = try photo()
    for (direction, expected) in [(90, 0x401C_C656), (RegionGeometry.up, 0x3FFE_1453), (0, 0x3ED4_11DF)]
      as [(Float, UInt32)]
    {
      #expect(geometry.rotation(from: start, to: end, direction: direction).bitPattern == expected)
    }
  }

  @Test("adjusted regions are bit-exact with MediaPipe")
  func adjustmentBits() throws {
    let geometry = try photo()
    var region = NormalizedRect(
      center: NormalizedPoint(x: 0.4321, y: 0.5678), width: 0.1234, height: 0.2345,
      rotation: Float(bitPattern: 0x401C_C656))
    let palm = RegionGeometry.Adjustment(shift: -0.5, scale: 2.6)
    #expect(
      bits(geometry.adjusted(region, by: palm)) == [0x3F05_111E, 0x3F28_77F0, 0x3F36_F3D4, 0x3F1C_154D, 0x401C_C656])
    #expect(
      bits(geometry.adjusted(region, by: .init(scale: 1.5, isSquare: false)))
        == [0x3EDD_3C36, 0x3F11_5B57, 0x3E3D_8ADB, 0x3EB4_1894, 0x401C_C656])
    // Without a rotation, no pixel arithmetic takes place.
    region.rotation = 0
    #expect(bits(geometry.adjusted(region, by: palm)) == [0x3EDD_3C36, 0x3EE6_AE7D, 0x3F36_F3D4, 0x3F1C_154D, 0])
  }

  @Test("regions of bodies are bit-exact with MediaPipe")
  func bodyBits() throws {
    #expect(
      try bits(PoseModel.region(center: start, top: end, photo()))
        == [0x3EA0_9D49, 0x3E8B_367A, 0x3F84_9F6A, 0x3F62_4A4E, 0x3FFE_1453])
  }

  @Test("next regions of hands are bit-exact with MediaPipe, also outside the image")
  func handBits() throws {
    // Separate statements, because a long expression takes the compiler long.
    func hand(_ sign: Double) -> [NormalizedLandmark] {
      (0..<21).map { index in
        let x: Double = 0.3 + 0.017 * Double(7 * index % 21)
        let y: Double = 0.2 + 0.013 * Double(5 * index % 21)
        return NormalizedLandmark(x: Float(sign * x), y: Float(sign * y), z: 0)
      }
    }
    let geometry = try photo()
    #expect(
      bits(HandGeometry.nextRegion(hand(1), geometry))
        == [0x3ED9_D996, 0x3E9D_1980, 0x3F18_C444, 0x3F02_54A5, 0x4002_D370])
    #expect(
      bits(HandGeometry.nextRegion(hand(-1), geometry))
        == [0xBED4_93BA, 0xBE9A_CBA6, 0x3F1E_D59F, 0x3F07_81DD, 0xBF8C_78D5])
  }

  // MARK: Use

  @Test("NaN, empty, and very distant regions are unusable")
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

  @Test("usable regions can be cropped from the largest image", arguments: [(1 << 20, 1), (1, 1 << 20), (3, 2)])
  func cutOut(width: Int, height: Int) throws {
    let image = try InputImage(rgb: [UInt8](repeating: 0, count: width * height * 3), width: width, height: height)
    let farthest = Float(1 << 23)
    let far = NormalizedRect(
      center: NormalizedPoint(x: -farthest / Float(width), y: farthest / Float(height)),
      width: (farthest - 4) / Float(width), height: (farthest - 4) / Float(height), rotation: 1)
    #expect(RegionGeometry(image).isUsable(far))
    for keepsAspectRatio in [false, true] {
      var converter = try ImageToTensor(width: 4, height: 2, encoding: .uint8, keepsAspectRatio: keepsAspectRatio)
      var bytes = [UInt8](repeating: 1, count: 24)
      _ = try bytes.withUnsafeMutableBytes { try converter.convert(image.buffer, region: far, into: $0) }
      // Its border is black, as is the image.
      #expect(bytes.allSatisfy { $0 == 0 })
    }
  }

  @Test("the overlap ignores the rotation of the regions")
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
