import SwiftletSchema
import SwiftletTestSupport
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

private func suppress(
  _ boxes: [Float], scores: [Float], limit: Int32, overlap: Float, threshold: Float = 0, sigma: Float? = nil
) throws -> [Tensor] {
  var graph = TestGraph()
  let corners = graph.input(.float32, [scores.count, 4])
  let values = graph.input(.float32, [scores.count])
  var inputs = [
    corners, values, graph.constant([limit], shape: []), graph.constant([overlap], shape: []),
    graph.constant([threshold], shape: []),
  ]
  if let sigma { inputs.append(graph.constant([sigma], shape: [])) }
  var outputs = [graph.output(.int32, [])]
  if sigma != nil { outputs.append(graph.output(.float32, [])) }
  outputs.append(graph.output(.int32, []))
  graph.add(sigma == nil ? .nonMaxSuppressionV4 : .nonMaxSuppressionV5, inputs, outputs)
  return try graph.session().run([
    Tensor(boxes, shape: [scores.count, 4]), Tensor(scores, shape: [scores.count]),
  ])
}

@Suite("NON_MAX_SUPPRESSION")
struct NonMaxSuppressionTests {
  /// Three boxes in a row, the first two overlapping by half their area, the last with its corners swapped.
  private let row: [Float] = [0, 0, 1, 3, 0, 1, 1, 4, 1, 9, 0, 6]

  @Test("suppresses boxes at or above the overlap")
  func passesOver() throws {
    let close = try suppress(row, scores: [0.5, 0.9, 0.7], limit: 3, overlap: 0.5)
    #expect(try close[0].values() == [Int32(1), 2, 0])
    #expect(try close[1].values() == [Int32(2)])
    let far = try suppress(row, scores: [0.5, 0.9, 0.7], limit: 3, overlap: 0.51)
    #expect(try far[0].values() == [Int32(1), 2, 0])
    #expect(try far[1].values() == [Int32(3)])
  }

  @Test("selects only scores above the threshold, and prefers lower indices among equals")
  func orders() throws {
    let result = try suppress(row, scores: [0.5, 0.2, 0.5], limit: 3, overlap: 0.9, threshold: 0.2)
    #expect(try result[0].values() == [Int32(0), 2, 0])
    #expect(try result[1].values() == [Int32(2)])
  }

  @Test("stops at the limit, even if it is 0")
  func stopsAtLimit() throws {
    #expect(try suppress(row, scores: [0.5, 0.6, 0.7], limit: 1, overlap: 0.9)[0].values() == [Int32(2)])
    let none = try suppress(row, scores: [0.5, 0.6, 0.7], limit: 0, overlap: 0.9)
    #expect(none[0].shape == [0])
    #expect(try none[1].values() == [Int32(0)])
  }

  @Test("selects a box without area once")
  func takesEmptyBoxOnce() throws {
    let result = try suppress([0, 0, 0, 0, 0, 0, 1, 1], scores: [0.9, 0.5], limit: 4, overlap: 0.5)
    #expect(try result[0].values() == [Int32(0), 1, 0, 0])
    #expect(try result[1].values() == [Int32(2)])
  }

  @Test("supports soft suppression")
  func lowersScores() throws {
    let result = try suppress(row, scores: [0.8, 0.9, 0.5], limit: 3, overlap: 1, sigma: 0.5)
    #expect(try result[0].values() == [Int32(1), 0, 2])
    let scores: [Float] = try result[1].values()
    // The overlap of the first two is 0.5: exp(-0.5 × 0.25 / 0.5).
    #expect(abs(scores[1] - 0.8 * 0.778_800_8) < 1e-6)
    #expect(scores[2] == 0.5)
    let hard = try suppress(row, scores: [0.8, 0.9, 0.5], limit: 3, overlap: 0.4, sigma: 0)
    #expect(try hard[1].values() == [Float(0.9), 0.5, 0])
    #expect(try hard[2].values() == [Int32(2)])
  }

  @Test("accepts NaN boxes and scores")
  func survivesNaN() throws {
    let boxes = [Float](repeating: .nan, count: 12)
    #expect(try suppress(boxes, scores: [.nan, 1, 2], limit: 3, overlap: .nan)[1].values() == [Int32(2)])
  }

  @Test("rejects a negative limit, a negative sigma, and inconsistent shapes")
  func refuses() {
    #expect(throws: RuntimeError.self) { try suppress(row, scores: [1, 1, 1], limit: -1, overlap: 0.5) }
    #expect(throws: RuntimeError.self) { try suppress(row, scores: [1, 1, 1], limit: 3, overlap: 0.5, sigma: -1) }
    var graph = TestGraph()
    let inputs = [
      graph.input(.float32, [3, 4]), graph.input(.float32, [2]), graph.constant([Int32(1)], shape: []),
      graph.constant([Float(0.5)], shape: []), graph.constant([Float(0.5)], shape: []),
    ]
    graph.add(.nonMaxSuppressionV4, inputs, [graph.output(.int32, []), graph.output(.int32, [])])
    #expect(throws: RuntimeError.self) { try graph.session() }
  }
}
