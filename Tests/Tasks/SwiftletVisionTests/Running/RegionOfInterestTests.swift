import Foundation
import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Region of interest")
struct RegionOfInterestTests {
  @Test("zero is the whole picture")
  func zero() throws {
    #expect(try NormalizedRect(regionOfInterest: .zero) == .fullImage)
    #expect(try NormalizedRect(regionOfInterest: CGRect(x: 0, y: 0, width: 1, height: 1)) == .fullImage)
  }

  @Test("edges become centre and size; a region may reach beyond the picture")
  func edges() throws {
    let region = try NormalizedRect(regionOfInterest: CGRect(x: -0.25, y: 0.5, width: 0.5, height: 1))
    #expect(region == NormalizedRect(center: NormalizedPoint(x: 0, y: 1), width: 0.5, height: 1))
  }

  @Test("sizes follow from edges in single precision")
  func rounding() throws {
    let region = try NormalizedRect(regionOfInterest: CGRect(x: 0.1, y: 0.2, width: 0.7 - 0.1, height: 0.85 - 0.2))
    #expect(region == NormalizedRect(left: 0.1, top: 0.2, right: 0.7, bottom: 0.85))
    #expect(region.width != 0.6)
  }

  @Test(
    "one without area is refused",
    arguments: [
      CGRect(x: 0, y: 0, width: 0, height: 1), CGRect(x: 0, y: 0, width: 1, height: 0),
      CGRect(x: 0.5, y: 0.5, width: 0, height: 0),
      CGRect(x: 1, y: 1, width: -1, height: 1), CGRect(x: 0, y: 0, width: Double.nan, height: 1),
    ])
  func withoutArea(_ region: CGRect) {
    #expect(throws: VisionTaskError.invalid("ROI width and height must be > 0.")) {
      try NormalizedRect(regionOfInterest: region)
    }
  }
}
