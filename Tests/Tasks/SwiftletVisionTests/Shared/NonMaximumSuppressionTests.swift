import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Non-maximum suppression")
struct NonMaximumSuppressionTests {
  private struct Item {
    var box: RelativeBox
    var score: Float
    var keypoint: Float
  }

  private func square(_ left: Float, _ top: Float, _ size: Float, score: Float, keypoint: Float = 0) -> Item {
    Item(box: RelativeBox(x: left, y: top, width: size, height: size), score: score, keypoint: keypoint)
  }

  private func list(_ items: [Item]) -> DetectionList {
    var list = DetectionList()
    for item in items {
      list.append(item.box)
      list.appendClass(.init(index: 0, score: item.score))
      list.appendKeypoint(NormalizedPoint(x: item.keypoint, y: 0))
    }
    return list
  }

  private func greedy(_ items: [Item], threshold: Float, limit: Int? = nil) throws -> DetectionList {
    var suppression = NonMaximumSuppression()
    var kept = list([square(9, 9, 9, score: 1)])
    try suppression.greedy(list(items), threshold: threshold, limit: limit, into: &kept)
    return kept
  }

  private func weighted(_ items: [Item], threshold: Float) throws -> DetectionList {
    var suppression = NonMaximumSuppression()
    var kept = list([square(9, 9, 9, score: 1)])
    try suppression.weighted(list(items), threshold: threshold, into: &kept)
    return kept
  }

  private func scores(_ list: DetectionList) -> [Float] { list.boxes.indices.map(list.score) }

  @Test("greedy suppression keeps the best of each group, best first, and stops at the limit")
  func greedyKeepsBest() throws {
    let items = [
      square(0, 0, 1, score: 0.5), square(5, 5, 1, score: 0.8, keypoint: 3), square(0.1, 0, 1, score: 0.9),
    ]
    let kept = try greedy(items, threshold: 0.3)
    #expect(scores(kept) == [0.9, 0.8])
    #expect(kept.boxes == [items[2].box, items[1].box])
    #expect(kept.keypoints(1).map(\.x) == [3])
    #expect(try scores(greedy(items, threshold: 0.3, limit: 1)) == [0.9])
  }

  @Test("boxes that overlap by exactly the threshold are both kept")
  func strictThreshold() throws {
    // Two squares of area 1 that share 1/3 of their union.
    let items = [square(0, 0, 1, score: 0.9), square(0.5, 0, 1, score: 0.8)]
    let overlap = items[0].box.intersectionOverUnion(with: items[1].box)
    #expect(try greedy(items, threshold: overlap).count == 2)
    #expect(try greedy(items, threshold: overlap.nextDown).count == 1)
  }

  @Test("equal boxes overlap by exactly 1, for any rounding of their edges")
  func equalBoxes() throws {
    let place = (0..<50).map { Float($0) / 50 }
    for left in place {
      let items = [square(left, 1 - left, 0.7, score: 0.9), square(left, 1 - left, 0.7, score: 0.8)]
      #expect(try greedy(items, threshold: 1).count == 2)
      #expect(try greedy(items, threshold: 0.99).count == 1)
    }
  }

  @Test("weighted suppression averages geometry by score and keeps the best score")
  func weightedBlends() throws {
    let result = try weighted(
      [
        square(0, 0, 1, score: 0.75, keypoint: 0), square(7, 7, 1, score: 0.5, keypoint: 5),
        square(0.1, 0, 1, score: 0.25, keypoint: 1),
      ], threshold: 0.3)
    #expect(scores(result) == [0.75, 0.5])
    #expect(abs(result.boxes[0].x - 0.025) < 1e-6)
    #expect(abs(result.boxes[0].width - 1) < 1e-6)
    #expect(abs(result.keypoints(0)[0].x - 0.25) < 1e-6)
    #expect(result.boxes[1].x == 7)
    #expect(result.keypoints(1).map(\.x) == [5])
  }

  @Test("a box without area is kept unchanged, and ends the suppression")
  func emptyBox() throws {
    let empty = square(0, 0, 0, score: 0.9, keypoint: 2)
    let result = try weighted([empty, square(3, 3, 1, score: 0.8)], threshold: 0.3)
    #expect(result.boxes == [empty.box])
    #expect(scores(result) == [0.9])
    #expect(result.keypoints(0).map(\.x) == [2])
  }

  @Test("empty input gives empty output")
  func nothing() throws {
    #expect(try weighted([], threshold: 0.3).count == 0)
    #expect(try greedy([], threshold: 0.3).count == 0)
  }

  @Test("pixel boxes are truncated toward zero and clamped per coordinate")
  func pixelBox() {
    let box = RelativeBox(x: -0.1, y: 0.25, width: 0.505, height: 2).pixelBox(imageWidth: 100, imageHeight: 50)
    #expect(box.x == 0 && box.y == 12 && box.width == 50 && box.height == 50)
  }
}
