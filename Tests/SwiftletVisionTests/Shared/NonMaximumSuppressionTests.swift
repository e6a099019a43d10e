import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Non-maximum suppression")
struct NonMaximumSuppressionTests {
  private func box(_ left: Float, _ top: Float, _ size: Float, score: Float, keypoint: Float = 0) -> RelativeDetection {
    RelativeDetection(
      left: left, top: top, width: size, height: size, keypoints: [NormalizedPoint(x: keypoint, y: 0)],
      classes: [.init(index: 0, score: score)])
  }

  @Test("greedy keeps the best of each group, best first, and stops at the limit")
  func greedy() {
    let boxes = [box(0, 0, 1, score: 0.5), box(5, 5, 1, score: 0.8), box(0.1, 0, 1, score: 0.9)]
    let kept = NonMaximumSuppression.greedy(boxes, threshold: 0.3, limit: -1)
    #expect(kept.map(\.score) == [0.9, 0.8])
    #expect(NonMaximumSuppression.greedy(boxes, threshold: 0.3, limit: 1).map(\.score) == [0.9])
  }

  @Test("boxes that overlap by exactly the threshold both stay")
  func strictThreshold() {
    // Two squares of area 1 that share 1/3 of their union.
    let boxes = [box(0, 0, 1, score: 0.9), box(0.5, 0, 1, score: 0.8)]
    let overlap = boxes[0].intersectionOverUnion(with: boxes[1])
    #expect(NonMaximumSuppression.greedy(boxes, threshold: overlap, limit: -1).count == 2)
    #expect(NonMaximumSuppression.greedy(boxes, threshold: overlap.nextDown, limit: -1).count == 1)
  }

  @Test("weighted averages geometry by score and keeps the best score")
  func weighted() throws {
    let result = NonMaximumSuppression.weighted(
      [box(0, 0, 1, score: 0.75, keypoint: 0), box(0.1, 0, 1, score: 0.25, keypoint: 1)], threshold: 0.3)
    let only = try #require(result.first)
    #expect(result.count == 1)
    #expect(only.score == 0.75)
    #expect(abs(only.left - 0.025) < 1e-6)
    #expect(abs(only.keypoints[0].x - 0.25) < 1e-6)
  }

  @Test("a box without area is kept as it is and the rest goes on")
  func emptyBox() {
    let result = NonMaximumSuppression.weighted([box(0, 0, 0, score: 0.9), box(3, 3, 1, score: 0.8)], threshold: 0.3)
    #expect(result.first == box(0, 0, 0, score: 0.9))
  }

  @Test("nothing in, nothing out")
  func nothing() {
    #expect(NonMaximumSuppression.weighted([], threshold: 0.3).isEmpty)
    #expect(NonMaximumSuppression.greedy([], threshold: 0.3, limit: -1).isEmpty)
  }

  @Test("pixel boxes are cut toward zero and clamped number by number")
  func pixelBox() {
    let detection = RelativeDetection(left: -0.1, top: 0.25, width: 0.505, height: 2, classes: [])
    let box = detection.pixelBox(imageWidth: 100, imageHeight: 50)
    #expect(box.minX == 0 && box.minY == 12 && box.width == 50 && box.height == 50)
  }
}
