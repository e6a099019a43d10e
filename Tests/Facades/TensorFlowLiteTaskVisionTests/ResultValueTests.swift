import Foundation
import SwiftletVision
import Testing

@testable import TensorFlowLiteTaskVision

@Suite("Values of Task Library's results")
struct ResultValueTests {
  @Test("of classifiers keep each head with its index and name, and each category")
  func classes() {
    let heads = TensorFlowLiteTaskVision.ClassificationResult(
      Classification(heads: [
        .init(
          name: "first", categories: [.init(index: 7, score: 0.25, categoryName: "name", displayName: "display")]),
        .init(categories: []),
      ]))
    #expect(
      heads.classifications.map(\.headIndex) == [0, 1] && heads.classifications.map(\.headName) == ["first", ""])
    #expect(heads.classifications.map(\.categories.count) == [1, 0])
    let category = heads.classifications[0].categories[0]
    #expect(category.index == 7 && category.score == 0.25 && category.label == "name")
    #expect(category.displayName == "display")
    let named = TensorFlowLiteTaskVision.Classifications(headIndex: 2, headName: "h", categories: [])
    #expect(named.headIndex == 2 && named.headName == "h" && named.categories.isEmpty)
  }

  @Test("of detectors keep boxes, indices, and names")
  func objects() {
    let found = DetectionResult(
      [
        ObjectDetection(
          categories: [.init(index: 9, score: 0.5, categoryName: "b"), .init(index: 0, score: 0.25)],
          box: PixelRect(x: 1, y: 2, width: 3, height: 4))
      ])
    #expect(found.detections[0].categories.map(\.index) == [9, 0])
    #expect(found.detections[0].categories.map(\.label) == ["b", nil])
    #expect(found.detections[0].categories.map(\.score) == [0.5, 0.25])
    #expect(found.detections[0].boundingBox == CGRect(x: 1, y: 2, width: 3, height: 4))
  }

  @Test("of segmenters keep colors and names")
  func labels() {
    let label = ColoredLabel(red: 1, green: 2, blue: 3, label: "l", displayName: "d")
    #expect([label.r, label.g, label.b] == [1, 2, 3] && label.label == "l" && label.displayName == "d")
    // Bits 0, 3, and 6 are the highest bits of red, 1, 4, and 7 those of green, and 2 and 5 those of blue.
    let bits = ColoredLabel.numbered(0b1010_0101, label: "l", displayName: "d")
    #expect([bits.r, bits.g, bits.b] == [128, 32, 192] && bits.label == "l" && bits.displayName == "d")
    for bit in 0..<8 {
      let single = ColoredLabel.numbered(1 << bit, label: nil, displayName: nil)
      var expected: [UInt] = [0, 0, 0]
      expected[bit % 3] = [128, 64, 32][bit / 3]
      #expect([single.r, single.g, single.b] == expected, "bit \(bit)")
    }
  }

  @Test("of masks keep width, height, and every value", arguments: [(3, 2), (2, 3), (1, 1)])
  func masks(width: Int, height: Int) {
    var floats = (0..<width * height).map(Float.init), bytes = (0..<width * height).map { UInt8($0) }
    let confidence = ConfidenceMask(width: width, height: height, mask: &floats)
    let category = CategoryMask(width: width, height: height, mask: &bytes)
    #expect(confidence.width == width && confidence.height == height)
    #expect(category.width == width && category.height == height)
    #expect((0..<width * height).map { confidence.mask[$0] } == floats)
    #expect((0..<width * height).map { category.mask[$0] } == bytes)
    let one = Segmentation(confidenceMasks: [confidence], coloredLabels: [])
    #expect(one.confidenceMasks?.first === confidence && one.categoryMask == nil && one.coloredLabels.isEmpty)
    let other = Segmentation(categoryMask: category, coloredLabels: [])
    #expect(other.confidenceMasks == nil && other.categoryMask === category)
  }
}
