import Foundation
import SwiftletEngine
import SwiftletImage
import SwiftletBase
import SwiftletKernels
import SwiftletTestSupport
import Testing

@testable import SwiftletVision

@Suite("Parts of detections")
struct DetectionPartTests {
  /// Returns a list of boxes with a score and two keypoints each.
  private func list(_ items: [(box: RelativeBox, score: Float, points: [Float])]) -> DetectionList {
    var list = DetectionList()
    for item in items {
      list.append(item.box)
      list.appendClass(.init(index: 3, score: item.score))
      for index in stride(from: 0, to: item.points.count, by: 2) {
        list.appendKeypoint(NormalizedPoint(x: item.points[index], y: item.points[index + 1]))
      }
    }
    return list
  }

  private func box(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> RelativeBox {
    RelativeBox(x: x, y: y, width: width, height: height)
  }

  // MARK: Lists

  @Test("every box has its own classes and keypoints, also if some have none")
  func lists() {
    var list = DetectionList()
    list.append(box(0, 0, 1, 1))
    list.append(box(1, 1, 2, 2))
    list.appendClass(.init(index: 1, score: 0.5))
    list.appendClass(.init(index: 2, score: 0.25))
    list.appendKeypoint(NormalizedPoint(x: 1, y: 2))
    list.append(box(2, 2, 3, 3))
    list.appendKeypoint(NormalizedPoint(x: 3, y: 4))
    list.appendKeypoint(NormalizedPoint(x: 5, y: 6))
    #expect(list.count == 3 && (0..<3).map { list.classes($0).map(\.index) } == [[], [1, 2], []])
    #expect((0..<3).map { list.keypoints($0).map(\.x) } == [[], [1], [3, 5]])
    #expect((0..<3).map(list.score) == [0, 0.5, 0])
    var other = self.list([(box(9, 9, 9, 9), 1, [9, 9])])
    other.append(1, of: list)
    other.append(2, of: list)
    #expect(other.boxes.map(\.x) == [9, 1, 2] && other.classes(1).map(\.score) == [0.5, 0.25])
    #expect(other.keypoints(1).map(\.y) == [2] && other.keypoints(2).map(\.y) == [4, 6])
    list.removeAll()
    #expect(list.count == 0)
    list.append(box(0, 0, 1, 1))
    #expect(list.classes(0).isEmpty && list.keypoints(0).isEmpty)
  }

  @Test("boxes and keypoints are blended by score, for each edge and coordinate")
  func blending() {
    let members = list([
      (box(0, 0, 8, 4), 0.75, [1, 2, 3, 4]), (box(9, 9, 9, 9), 9, [9, 9, 9, 9]),
      (box(4, 8, 8, 8), 0.25, [5, 10, 11, 12]),
    ])
    var kept = list([(box(7, 7, 7, 7), 0.5, [7, 7, 7, 7])])
    kept.append(0, of: members)
    kept.blendLast(with: [0, 2], of: members)
    #expect(kept.boxes == [box(7, 7, 7, 7), box(1, 2, 8, 5)])
    #expect(kept.keypoints(0).map { [$0.x, $0.y] } == [[7, 7], [7, 7]])
    #expect(kept.keypoints(1).map { [$0.x, $0.y] } == [[2, 4], [5, 6]] && kept.score(1) == 0.75)
    // Detections with a score of 0 have no weight.
    let worthless = list([(box(0, 0, 8, 4), 0, []), (box(4, 8, 8, 8), 0, [])])
    var same = list([])
    same.append(0, of: worthless)
    same.blendLast(with: [0, 1], of: worthless)
    #expect(same.boxes == [box(0, 0, 8, 4)])
    var none = list([])
    none.blendLast(with: [0], of: members)
    #expect(none.count == 0)
  }

  @Test("a box is in pixels of the image that it is projected to")
  func projectedBox() throws {
    let list = list([(box(0.25, 0.5, 0.5, 0.25), 0.5, []), (box(0, 0, 1, 1), 0.25, [])])
    let image = try GivingModel.image()
    #expect(list.pixelBox(0, .identity, in: image) == PixelRect(x: 64, y: 64, width: 128, height: 32))
    #expect(list.pixelBox(1, .identity, in: image) == PixelRect(x: 0, y: 0, width: 256, height: 128))
    // Mirrored, and half as high.
    let projection = ImageProjection(xx: -1, xy: 0, x0: 1, yx: 0, yy: 0.5, y0: 0)
    #expect(list.pixelBox(0, projection, in: image) == PixelRect(x: 64, y: 32, width: 128, height: 16))
  }

  @Test("an object's score and label come from its first category, and a face's keypoints have names")
  func values() {
    let categories = [ResultCategory(index: 3, score: 0.5, categoryName: "cat"), ResultCategory(index: 4, score: 0.25)]
    let box = PixelRect(x: 1, y: 2, width: 3, height: 4)
    let object = ObjectDetection(categories: categories, box: box)
    #expect(object.score == 0.5 && object.label == "cat" && object.box == box && object.keypoints.isEmpty)
    #expect(
      ObjectDetection(categories: [], box: box).score == 0 && ObjectDetection(categories: [], box: box).label == nil)
    let points = (0..<6).map { NormalizedPoint(x: Float($0), y: 0) }
    let face = FaceDetection(score: 0.75, box: box, keypoints: points)
    #expect(FaceKeypoint.allCases.map { face[$0]?.x } == [0, 1, 2, 3, 4, 5])
    #expect(FaceDetection(score: 0.75, box: box, keypoints: Array(points.prefix(5)))[FaceKeypoint.allCases[5]] == nil)
  }

  @Test("boxes are valid with nonnegative sides and finite edges")
  func defined() {
    #expect(box(1, 2, 0, 0).isDefined && box(-1, -2, 3, 4).isDefined)
    #expect(!box(1, 2, -0.1, 1).isDefined && !box(1, 2, 1, -0.1).isDefined)
    for value in [Float.nan, .infinity, -.infinity] {
      for path in [\RelativeBox.x, \.y, \.width, \.height] {
        var other = box(1, 2, 3, 4)
        other[keyPath: path] = value
        #expect(!other.isDefined, "\(value)")
      }
    }
    let pixels = box(0.5, -0.5, 2, .nan).pixelBox(imageWidth: 10, imageHeight: 20)
    #expect(pixels == PixelRect(x: 5, y: 0, width: 10, height: 0))
    let cut = box(0.19, 0.99, 0.199, 0.049).pixelBox(imageWidth: 10, imageHeight: 20)
    #expect(cut == PixelRect(x: 1, y: 19, width: 1, height: 0))
  }

  // MARK: Suppression

  @Test("weighted suppression groups boxes that overlap by more than the threshold")
  func threshold() throws {
    // The boxes share a third of their union.
    let items = list([(box(0, 0, 1, 1), 0.75, []), (box(0.5, 0, 1, 1), 0.25, [])])
    let overlap = items.boxes[0].intersectionOverUnion(with: items.boxes[1])
    var (suppression, kept) = (NonMaximumSuppression(), DetectionList())
    try suppression.weighted(items, threshold: overlap, into: &kept)
    #expect(kept.boxes.map(\.x) == [0, 0.5] && (0..<2).map(kept.score) == [0.75, 0.25])
    try suppression.weighted(items, threshold: overlap.nextDown, into: &kept)
    #expect(kept.boxes.map(\.x) == [0.125] && kept.score(0) == 0.75)
    #expect(NonMaximumSuppression.maximumCandidates == 65_536)
  }

  @Test("greedy suppression compares with every kept box, and stops at its limit")
  func greedy() throws {
    let items = list(
      [Float](arrayLiteral: 0, 1, 2, 3, 4).map { (index: Float) in (box(index * 0.6, 0, 1, 1), 1 - index / 10, []) })
    var (suppression, kept) = (NonMaximumSuppression(), DetectionList())
    // Neighbors share 0.4 of 1.6.
    try suppression.greedy(items, threshold: 0.2, limit: nil, into: &kept)
    #expect(kept.boxes.map(\.x) == [0, 1.2, 2.4])
    for limit in 0...3 {
      try suppression.greedy(items, threshold: 0.2, limit: limit, into: &kept)
      #expect(kept.count == limit)
    }
    try suppression.greedy(items, threshold: 0.3, limit: 4, into: &kept)
    #expect(kept.count == 4)
  }

  // MARK: Row bands

  @Test("there are as many bands as threads, with at least 32 rows each")
  func bands() throws {
    for (rows, threads, count) in [(63, 4, 1), (64, 4, 2), (95, 4, 2), (96, 4, 3), (96, 2, 2), (1000, 0, 1), (0, 4, 1)]
    {
      #expect(RowBands(rowCount: rows, threads: threads).count == count, "\(rows) \(threads)")
    }
    let bands = RowBands(rowCount: 10, threads: 3, leastRows: 1)
    #expect((0..<3).map(bands.rows) == [0..<3, 3..<6, 6..<10] && bands.rowCount == 10)
    let visited = Record<[Int]>()
    try bands.forEach { band, rows in visited.append([band, rows.lowerBound, rows.upperBound]) }
    #expect(visited.values.sorted { $0[0] < $1[0] } == [[0, 0, 3], [1, 3, 6], [2, 6, 10]])
    let single = Record<[Int]>()
    try RowBands(rowCount: 7, threads: 9).forEach { band, rows in
      single.append([band, rows.lowerBound, rows.upperBound])
    }
    #expect(single.values == [[0, 0, 7]])
    #expect(throws: Fault.self) { try bands.forEach { band, _ in if band == 1 { throw Fault("one") } } }
    // The error is reported only once.
    #expect(throws: Never.self) { try bands.forEach { _, _ in } }
  }

  @Test("the bands of a call with a deadline are processed in pieces, with a check before each")
  func bandsInTime() throws {
    let visited = Record<[Int]>()
    try CallContext(timeout: .seconds(3600)).carry {
      try RowBands(rowCount: 600, threads: 1).forEach { band, rows in
        visited.append([band, rows.lowerBound, rows.upperBound])
      }
    }
    #expect(visited.values == [[0, 0, 256], [0, 256, 512], [0, 512, 600]])
    for threads in [1, 2] {
      let count = Record<Int>()
      _ = CallContext(timeout: .zero - .seconds(1)).carry {
        #expect(throws: CallEnded.deadlineExceeded) {
          try RowBands(rowCount: 600, threads: threads).forEach { band, _ in count.append(band) }
        }
      }
      #expect(count.values.isEmpty)
    }
  }

  @Test("suppression of many detections ends at the deadline of the call")
  func lateSuppression() throws {
    let items = list((0..<5000).map { (box(Float($0) * 2, 0, 1, 1), 0.5, []) })
    var (suppression, kept) = (NonMaximumSuppression(), DetectionList())
    CallContext(timeout: .zero - .seconds(1)).carry {
      let greedy: TaskError? = thrownError {
        try suppression.greedy(items, threshold: 0.2, limit: nil, into: &kept)
      }
      let weighted: TaskError? = thrownError { try suppression.weighted(items, threshold: 0.2, into: &kept) }
      #expect(greedy?.code == .deadlineExceeded && weighted?.code == .deadlineExceeded)
    }
    try suppression.greedy(items, threshold: 0.2, limit: 10, into: &kept)
    #expect(kept.count == 10)
  }

  @Test("detections are counted once, with their classes and keypoints")
  func counted() throws {
    var limits = RuntimeOptions.Limits()
    limits.resultBytes = 2 * (256 + 128) + 3 * 64
    var list = DetectionList()
    list.results = ResultBudget(limits)
    for index in 0..<2 {
      list.append(box(0, 0, 1, 1))
      list.appendClass(.init(index: index, score: 1))
      list.appendKeypoint(NormalizedPoint(x: 0, y: 0))
      try list.chargeNew()
    }
    list.appendKeypoint(NormalizedPoint(x: 0, y: 0))
    try list.chargeNew()
    try list.chargeNew()
    list.appendKeypoint(NormalizedPoint(x: 0, y: 0))
    let error: TaskError? = thrownError { try list.chargeNew() }
    #expect(error?.code == .limitExceeded && error?.message.hasPrefix("keypoints of detections bring") == true)
  }

  // MARK: Categories

  private func category(_ scores: [Float], sigmoid: Bool = false) -> UInt8 {
    scores.withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return 99 }
      var category: UInt16 = 99
      CategoryComparison(channels: scores.count, appliesSigmoid: sigmoid)
        .categories(of: first, count: 1, into: &category)
      return UInt8(category)
    }
  }

  @Test("the strongest class is found at any position, and the first of equals wins", arguments: 2...13)
  func strongest(count: Int) {
    for winner in 0..<count {
      var scores = [Float](repeating: -1, count: count)
      scores[winner] = 1
      #expect(category(scores) == UInt8(winner) && category(scores, sigmoid: true) == UInt8(winner))
      for twin in winner + 1..<max(count, winner + 1) {
        var equal = scores
        equal[twin] = 1
        #expect(category(equal) == UInt8(winner), "\(winner) \(twin)")
        #expect(category(equal, sigmoid: true) == UInt8(winner))
        equal[twin] = Float(1).nextUp
        #expect(category(equal) == UInt8(twin))
      }
    }
  }

  @Test("a single class is foreground above one half, or before a sigmoid, above the value that rounds to it")
  func foreground() {
    #expect(
      CategoryRow.foreground == 0 && CategoryRow.background == 255
        && CategoryResampler.maximumChannels == 256)
    #expect(
      category([0.5]) == 255 && category([Float(0.5).nextUp]) == 0 && category([-9]) == 255 && category([.nan]) == 255)
    for (score, expected) in [(0, 255), (1e-8, 255), (2e-7, 0), (1e-6, 0), (2e-6, 0), (-1e-6, 255), (.infinity, 0)]
      as [(Float, UInt8)]
    {
      #expect(category([score], sigmoid: true) == expected, "\(score)")
    }
  }

  @Test("with a sigmoid, the same classes win between four pixels as without it", arguments: [1, 2, 3, 4, 5, 9])
  func mixed(channels: Int) {
    // Scores differ by so much that their sigmoids differ too; one class is the foreground above 0.5 or above 0.
    let scores = (0..<4 * channels).map { Float(($0 * 4) % 13) / 4 - 1.2 }
    let taps = (0...8).map { LinearTap(index0: 0, index1: 1, weight: Float($0) / 8) }
    func categories(sigmoid: Bool, minus shift: Float) -> [UInt8] {
      var target = [UInt8](repeating: 9, count: taps.count)
      let comparison = CategoryComparison(channels: channels, appliesSigmoid: sigmoid)
      scores.map { $0 - shift }.withUnsafeBufferPointer { scores in
        [CategoryRow.mixed, 3].withUnsafeBufferPointer { cells in
          taps.withUnsafeBufferPointer { taps in
            guard let first = scores.baseAddress, let cells = cells.baseAddress, let taps = taps.baseAddress else {
              return
            }
            var row = CategoryRow(
              upper: first, lower: first + 2 * channels, down: 0.375, threshold: comparison.threshold,
              channels: channels, cells: cells, columns: taps, width: target.count)
            target.withUnsafeMutableBufferPointer { target in
              guard let target = target.baseAddress else { return }
              comparison.fill(&row, into: target)
            }
          }
        }
      }
      return target
    }
    let expected = categories(sigmoid: false, minus: 0)
    #expect(categories(sigmoid: true, minus: channels == 1 ? 0.5 : 0) == expected)
    #expect(Set(expected).count > 1)
  }
}
