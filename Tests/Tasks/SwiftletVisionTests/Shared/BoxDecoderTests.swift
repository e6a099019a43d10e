import Testing

@testable import SwiftletVision

@Suite("Box decoder")
struct BoxDecoderTests {
  private func decoder(_ format: BoxDecoder.BoxFormat, classes: Int = 2, exponential: Bool = false) -> BoxDecoder {
    BoxDecoder(
      anchors: [Anchor(centerX: 0.5, centerY: 0.25, width: 0.5, height: 2)], classCount: classes, coordinateCount: 6,
      keypointCount: 1, format: format, xScale: 10, yScale: 20, widthScale: 5, heightScale: 4,
      appliesExponential: exponential, appliesSigmoid: true, scoreClip: 100)
  }

  private func decode(_ decoder: BoxDecoder, _ boxes: [Float], _ scores: [Float], threshold: Float = 0) throws
    -> DetectionList
  {
    var list = DetectionList()
    try boxes.withUnsafeBufferPointer { boxes in
      try scores.withUnsafeBufferPointer { scores in
        try decoder.decode(
          boxes: boxes, scores: scores, threshold: threshold, classes: Array(0..<decoder.classCount), into: &list)
      }
    }
    return list
  }

  @Test("reads boxes with y first and refines the anchor")
  func yFirst() throws {
    let list = try decode(decoder(.centerYXHeightWidth), [2, 1, 4, 5, 20, 10], [0, 3])
    let found = try #require(list.boxes.first)
    // Center (0.5 + 1/10·0.5, 0.25 + 2/20·2), size (5/5·0.5, 4/4·2).
    #expect(abs(found.x - 0.3) < 1e-6 && abs(found.y - -0.55) < 1e-6)
    #expect(abs(found.width - 0.5) < 1e-6 && abs(found.height - 2) < 1e-6)
    let score: Float = 1 / 1.049787067
    #expect(Array(list.classes(0)) == [.init(index: 1, score: score)])
    let keypoint = try #require(list.keypoints(0).first)
    #expect(list.keypoints(0).count == 1 && abs(keypoint.x - 1) < 1e-6 && abs(keypoint.y - 2.25) < 1e-6)
  }

  @Test("reads boxes with x first")
  func xFirst() throws {
    let list = try decode(decoder(.centerXYWidthHeight), [1, 2, 5, 4, 10, 20], [3, 0])
    let found = try #require(list.boxes.first)
    #expect(abs(found.x - 0.3) < 1e-6 && abs(found.y - -0.55) < 1e-6)
    #expect(list.classes(0).first?.index == 0)
  }

  @Test("interprets sizes as exponents if requested")
  func exponential() throws {
    let found = try #require(
      try decode(decoder(.centerYXHeightWidth, exponential: true), [0, 0, 0, 0, 0, 0], [1, 0]).boxes.first)
    #expect(abs(found.width - 0.5) < 1e-6 && abs(found.height - 2) < 1e-6)
  }

  @Test("drops scores below the threshold and invalid boxes")
  func drops() throws {
    #expect(try decode(decoder(.centerYXHeightWidth), [0, 0, 1, 1, 0, 0], [0, -1], threshold: 0.6).count == 0)
    #expect(try decode(decoder(.centerYXHeightWidth), [0, 0, -1, 1, 0, 0], [5, 5]).count == 0)
    #expect(try decode(decoder(.centerYXHeightWidth), [0, .nan, 1, 1, 0, 0], [5, 5]).count == 0)
    #expect(try decode(decoder(.centerYXHeightWidth), [0, 0, 1, 1, 0, 0], [.nan, .nan]).count == 0)
  }

  @Test("reports only allowed classes, and appends to existing results")
  func allowedClasses() throws {
    var list = DetectionList()
    list.append(RelativeBox(x: 0, y: 0, width: 1, height: 1))
    try [Float](repeating: 0, count: 6).withUnsafeBufferPointer { boxes in
      try [Float(1), 3].withUnsafeBufferPointer { scores in
        try decoder(.centerYXHeightWidth, exponential: true).decode(
          boxes: boxes, scores: scores, threshold: 0, classes: [0], into: &list)
        try decoder(.centerYXHeightWidth, exponential: true).decode(
          boxes: boxes, scores: scores, threshold: 0, classes: [], into: &list)
      }
    }
    #expect(list.count == 2)
    #expect(list.classes(1).map(\.index) == [0])
  }

  @Test(
    "rejects outputs whose sizes don't match its boxes, which can occur with dynamic shapes",
    arguments: [
      (0, 2), (5, 2), (7, 2), (6, 0), (6, 1), (6, 3), (12, 4),
    ])
  func otherCounts(boxes: Int, scores: Int) {
    #expect(throws: TaskError.self) {
      _ = try decode(
        decoder(.centerYXHeightWidth), [Float](repeating: 1, count: boxes), [Float](repeating: 1, count: scores))
    }
  }

  @Test("rejects contradictory numbers")
  func validation() {
    var broken = decoder(.centerYXHeightWidth)
    broken.keypointCount = 2
    #expect(throws: TaskError.self) { try broken.validate() }
    broken = decoder(.centerYXHeightWidth)
    broken.xScale = 0
    #expect(throws: TaskError.self) { try broken.validate() }
    broken = decoder(.centerYXHeightWidth)
    broken.coordinateCount = 3
    #expect(throws: TaskError.self) { try broken.validate() }
  }
}
