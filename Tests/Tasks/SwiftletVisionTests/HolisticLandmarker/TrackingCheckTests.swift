import SwiftletImage
import SwiftletTestSupport
import SwiftletVisionTestSupport
import Testing

@testable import SwiftletVision

@Suite("Tracking check")
struct TrackingCheckTests {
  private static let check = TrackingCheck(degrees: 30, translation: 0.2, scale: 0.5, margin: 0)
  /// A region of 40 × 20 pixels in an image of 200 × 100.
  private static let found = NormalizedRect(center: NormalizedPoint(x: 0.5, y: 0.5), width: 0.2, height: 0.2)

  private func isKept(
    _ found: NormalizedRect = found, points: [(Float, Float)] = [(0.5, 0.5)], _ change: (inout NormalizedRect) -> Void
  ) throws -> Bool {
    var past = found
    change(&past)
    let geometry = RegionGeometry(try SyntheticPoseModels.image(200, 100))
    let chosen = Self.check.region(
      found, past: .init(region: past, points: points.map { NormalizedLandmark(x: $0.0, y: $0.1, z: 0) }), geometry)
    return chosen == past && (past != found || !points.isEmpty)
  }

  @Test("the previous frame's region is kept while the object hardly moves, rotates, or grows")
  func changes() throws {
    #expect(try isKept { $0.center.x += 0.039 })
    #expect(try !isKept { $0.center.x += 0.041 })
    #expect(try isKept { $0.center.y -= 0.039 })
    #expect(try !isKept { $0.center.y -= 0.041 })
    #expect(try isKept { $0.rotation = 0.52 })
    #expect(try !isKept { $0.rotation = -0.53 })
    #expect(try isKept { ($0.width, $0.height) = (0.29, 0.11) })
    #expect(try !isKept { $0.width = 0.31 })
    #expect(try !isKept { $0.height = 0.09 })
  }

  @Test("angles on both sides of a half turn are close, and distances are measured along the region")
  func turned() throws {
    var region = Self.found
    region.rotation = 3.1
    #expect(try isKept(region) { $0.rotation = -3.1 })
    #expect(try !isKept(region) { $0.rotation = -2.6 })
    region.rotation = -3.1
    #expect(try isKept(region) { $0.rotation = 3.1 })
    #expect(try !isKept(region) { $0.rotation = 2.6 })
    region.rotation = .pi / 2
    // Down in the image is along the region's longer side.
    #expect(try isKept(region) { $0.center.y += 0.07 })
    #expect(try !isKept(region) { $0.center.x += 0.03 })
  }

  @Test("all landmarks of the previous frame are in the new region")
  func points() throws {
    #expect(try isKept(points: [(0.5, 0.5), (0.599, 0.41)]) { $0.center.x += 0.01 })
    #expect(try !isKept(points: [(0.5, 0.5), (0.601, 0.5)]) { $0.center.x += 0.01 })
    #expect(try !isKept(points: [(.nan, 0.5)]) { $0.center.x += 0.01 })
  }

  @Test("a margin shrinks the region that must contain the landmarks, on both axes")
  func margin() throws {
    let geometry = RegionGeometry(try SyntheticPoseModels.image(200, 100))
    var check = Self.check
    check.margin = -0.5
    // Up to 10 and 5 pixels from the center.
    for (x, y, isKept) in [
      (0.549, 0.5, true), (0.551, 0.5, false), (0.451, 0.5, true), (0.449, 0.5, false), (0.5, 0.549, true),
      (0.5, 0.551, false), (0.5, 0.451, true), (0.5, 0.449, false),
    ] as [(Float, Float, Bool)] {
      var past = Self.found
      past.center.x += 0.01
      let points = [NormalizedLandmark(x: x, y: y, z: 0)]
      let chosen = check.region(Self.found, past: .init(region: past, points: points), geometry)
      #expect((chosen == past) == isKept, "\(x) \(y)")
    }
  }

  @Test("without a previous region, the new region is used")
  func fresh() throws {
    let geometry = RegionGeometry(try SyntheticPoseModels.image())
    #expect(Self.check.region(Self.found, past: nil, geometry) == Self.found)
  }
}
