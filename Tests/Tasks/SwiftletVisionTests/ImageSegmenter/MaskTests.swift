import Testing

@testable import SwiftletVision

@Suite("Masks")
struct MaskTests {
  @Test("a confidence mask has a value at every pixel, and none outside")
  func confidences() throws {
    let mask = try ConfidenceMask([0, 0.25, 0.5, 0.75, 1, -1], width: 3, height: 2)
    #expect((mask[0, 0], mask[2, 0], mask[0, 1], mask[2, 1]) == (0, 0.5, 0.75, -1))
    for (x, y) in [(-1, 0), (0, -1), (3, 0), (0, 2), (.max, .max), (.min, 0)] { #expect(mask[x, y] == nil) }
    #expect(mask.pixels == [0, 0.25, 0.5, 0.75, 1, -1] && mask.width == 3 && mask.height == 2)
  }

  @Test("a category mask has the index of a category at every pixel, with a label if there is one")
  func categories() throws {
    let mask = try CategoryMask([0, 1, 2, 255], width: 2, height: 2, labels: ["sky", "sea"])
    #expect((mask[0, 0], mask[1, 0], mask[0, 1], mask[1, 1]) == (0, 1, 2, 255))
    #expect((mask.label(x: 0, y: 0), mask.label(x: 1, y: 0)) == ("sky", "sea"))
    #expect(mask.label(x: 0, y: 1) == nil && mask.label(x: 1, y: 1) == nil)
    for (x, y) in [(-1, 0), (0, -1), (2, 0), (0, 2)] {
      #expect(mask[x, y] == nil && mask.label(x: x, y: y) == nil)
    }
    #expect(mask.pixels == [0, 1, 2, 255])
  }

  @Test("pixels are accessed without a copy, and copies of a mask share them")
  func lending() throws {
    let mask = try CategoryMask([51, 255], width: 2, height: 1)
    let first = mask.withPixels { $0.baseAddress }
    let copy = mask
    #expect(first != nil && copy.withPixels { $0.baseAddress } == first)
    let confidences = try ConfidenceMask([0.25, 4], width: 2, height: 1)
    #expect(confidences.withPixels { Array($0) } == [0.25, 4])
    #expect(confidences.withPixels { $0.baseAddress } == confidences.withPixels { $0.baseAddress })
  }

  @Test("category masks are equal if size, categories, and labels are")
  func equality() throws {
    let mask = try CategoryMask([1, 2], width: 2, height: 1)
    #expect(try mask == CategoryMask([1, 2], width: 2, height: 1))
    #expect(try mask != CategoryMask([1, 3], width: 2, height: 1))
    #expect(try mask != CategoryMask([1, 2], width: 1, height: 2))
    #expect(try mask != CategoryMask([1, 2], width: 2, height: 1, labels: ["a"]))
  }

  @Test("the pixels must fill the mask", arguments: [(3, 1), (0, 2), (2, 0), (-2, -1), (Int.max, 4)])
  func counts(width: Int, height: Int) {
    #expect(taskError { _ = try CategoryMask([1, 2], width: width, height: height) }?.code == .invalidArgument)
    #expect(taskError { _ = try ConfidenceMask([1, 2], width: width, height: height) }?.code == .invalidArgument)
  }
}
