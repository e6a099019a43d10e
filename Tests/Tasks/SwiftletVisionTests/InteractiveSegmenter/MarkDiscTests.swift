import Testing

@testable import SwiftletVision

@Suite("Marks of a region of interest")
struct MarkDiscTests {
  @Test(
    "equal OpenCV's circles",
    arguments: [
      [0], [1, 0], [2, 1, 0], [3, 2, 2, 0], [4, 3, 3, 2, 0], [5, 4, 4, 4, 3, 0], [6, 5, 5, 5, 4, 3, 0],
      [7, 6, 6, 6, 5, 4, 3, 0], [8, 7, 7, 7, 6, 6, 5, 3, 0],
    ])
  func rows(halfWidths: [Int]) { #expect(MarkDisc(radius: halfWidths.count - 1).halfWidths == halfWidths) }

  @Test("stay circles at any size", arguments: [40, 63, 2048])
  func large(radius: Int) {
    let disc = MarkDisc(radius: radius)
    for (row, half) in disc.halfWidths.enumerated() {
      let exact = (Double(radius * radius - row * row)).squareRoot()
      #expect(abs(Double(half) - exact) < 1 || row > radius * 7 / 10)
      #expect(half <= radius)
    }
    #expect(disc.halfWidths == disc.halfWidths.sorted(by: >))
  }

  @Test("are larger on larger images")
  func sizes() {
    #expect(MarkDisc(imageWidth: 10, imageHeight: 20).radius == 1)
    #expect(MarkDisc(imageWidth: 767, imageHeight: 20).radius == 1)
    #expect(MarkDisc(imageWidth: 20, imageHeight: 768).radius == 2)
    #expect(MarkDisc(imageWidth: 1280, imageHeight: 20).radius == 3)
    #expect(MarkDisc(imageWidth: 1 << 20, imageHeight: 1).radius == 2048)
  }
}
