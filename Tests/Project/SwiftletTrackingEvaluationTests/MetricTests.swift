import SwiftletTracking
import Testing

@testable import SwiftletTrackingEvaluation

@Suite("Tracking metrics")
struct MetricTests {
  /// Returns a box of ten by ten at a position, far from the boxes at other positions.
  private func at(_ place: Int, _ identity: Int, shift: Double = 0) -> IdentifiedBox {
    IdentifiedBox(identity: identity, box: PixelRect(x: 100 * Double(place) + shift, y: 0, width: 10, height: 10))
  }

  private func score(_ truth: [[IdentifiedBox]], _ output: [[IdentifiedBox]]) throws -> TrackingScore {
    try TrackingScore(truth: truth, output: output, times: truth.indices.map { Double($0) / 10 })
  }

  private func isNear(_ value: Double, _ expected: Double) -> Bool { abs(value - expected) < 1e-12 }

  @Test("are 1 for a perfect tracker, whatever its IDs")
  func perfect() throws {
    let truth = (0..<5).map { _ in [at(0, 1), at(1, 2)] }
    let result = try score(truth, truth.map { $0.map { IdentifiedBox(identity: $0.identity + 40, box: $0.box) } })
    #expect(result.clear.mota == 1 && result.clear.motp == 1 && result.clear.moda == 1)
    #expect(result.identity.f1 == 1 && result.identity.precision == 1 && result.identity.recall == 1)
    #expect(isNear(result.hota.hota, 1) && isNear(result.hota.locA, 1))
    #expect(result.clear.mostlyTracked == 2 && result.clear.mostlyLost == 0 && result.clear.fragments == 0)
    #expect(result.product.switchesPerMinute == 0 && result.product.timeToFirstBox == 0 && result.product.jitter == 0)
  }

  @Test("count ID switches: CLEAR once, identity for all frames of the shorter part, HOTA for each frame")
  func identitySwitch() throws {
    let truth = (0..<4).map { _ in [at(0, 1)] }
    let result = try score(truth, [[at(0, 7)], [at(0, 7)], [at(0, 8)], [at(0, 8)]])
    #expect(result.clear.identitySwitches == 1 && result.clear.truePositives == 4)
    #expect(result.clear.mota == 0.75 && result.clear.moda == 1)
    #expect(
      result.identity.truePositives == 2 && result.identity.falsePositives == 2 && result.identity.falseNegatives == 2)
    #expect(result.identity.f1 == 0.5)
    // Every true positive shares 2 of 4 frames with its identity.
    #expect(isNear(result.hota.detA, 1) && isNear(result.hota.assA, 0.5) && isNear(result.hota.hota, 0.5.squareRoot()))
    #expect(isNear(result.hota.assRe, 0.5) && isNear(result.hota.assPr, 1))
    #expect(isNear(result.product.switchesPerMinute, 60 / 0.3))
  }

  @Test("remember an object's last ID across any number of frames without it")
  func switchAfterGap() throws {
    let truth = (0..<5).map { _ in [at(0, 1)] }
    #expect(try score(truth, [[at(0, 7)], [], [at(5, 9)], [], [at(0, 8)]]).clear.identitySwitches == 1)
    #expect(try score(truth, [[at(0, 7)], [], [at(5, 9)], [], [at(0, 7)]]).clear.identitySwitches == 0)
  }

  @Test("count missed and false boxes, and mostly tracked, partly tracked, and mostly lost objects")
  func counts() throws {
    // Ten frames: one object is always tracked, one in four frames with a gap, and one once. In addition, there is a
    // false box.
    let truth = (0..<10).map { _ in [at(0, 1), at(1, 2), at(2, 3)] }
    let output = (0..<10).map { frame -> [IdentifiedBox] in
      var boxes = [at(0, 1), at(9, 99)]
      if [0, 1, 5, 6].contains(frame) { boxes.append(at(1, 2)) }
      if frame == 3 { boxes.append(at(2, 3)) }
      return boxes
    }
    let result = try score(truth, output)
    #expect(result.clear.truePositives == 15 && result.clear.falseNegatives == 15 && result.clear.falsePositives == 10)
    #expect(result.clear.mostlyTracked == 1 && result.clear.partlyTracked == 1 && result.clear.mostlyLost == 1)
    #expect(result.clear.fragments == 1)
    #expect(
      isNear(result.clear.mota, 5.0 / 30) && isNear(result.clear.recall, 0.5) && isNear(result.clear.precision, 0.6))
    #expect(isNear(result.identity.f1, 15 / 27.5))
    #expect(isNear(result.hota.detA, 15.0 / 40) && isNear(result.hota.detRe, 0.5) && isNear(result.hota.detPr, 0.6))
    // True positives with the associations 1 (ten times), 4 of 10 (four times) and 1 of 10.
    #expect(isNear(result.hota.assA, (10 + 4 * 0.4 + 0.1) / 15))
    #expect(isNear(result.product.fragmentsPerObject, 1.0 / 3))
    #expect(isNear(result.product.timeToFirstBox ?? -1, 0.1))
  }

  @Test("keep the match of the previous frame, even if another box overlaps more")
  func continuity() throws {
    let truth = [[at(0, 1)], [at(0, 1)]]
    let result = try score(truth, [[at(0, 7)], [at(0, 7, shift: 2), at(0, 8)]])
    #expect(result.clear.identitySwitches == 0)
    #expect(isNear(result.clear.motp, (1 + 80.0 / 120) / 2))
  }

  @Test("require an overlap of one half, and weight overlap in HOTA")
  func overlap() throws {
    // Shifted by a third of the width, boxes overlap by a half.
    let truth = [[IdentifiedBox(identity: 1, box: PixelRect(x: 0, y: 0, width: 9, height: 9))]]
    func output(_ shift: Double) -> [[IdentifiedBox]] {
      [[IdentifiedBox(identity: 1, box: PixelRect(x: shift, y: 0, width: 9, height: 9))]]
    }
    let half = try score(truth, output(3))
    #expect(half.clear.truePositives == 1 && half.identity.truePositives == 1)
    // The boxes match at ten of nineteen thresholds.
    #expect(isNear(half.hota.hota, 10.0 / 19) && isNear(half.hota.locA, (10 * 0.5 + 9) / 19))
    let less = try score(truth, output(3.1))
    #expect(less.clear.truePositives == 0 && less.identity.truePositives == 0 && less.clear.falsePositives == 1)
    #expect(less.clear.mota == -1)
  }

  @Test("support sequences without output, ground truth, or both")
  func empty() throws {
    let truth = [[at(0, 1)], [], [at(0, 1)]]
    let missing = try score(truth, [[], [], []])
    #expect(
      missing.clear.falseNegatives == 2 && missing.clear.mota == 0 && missing.identity.f1 == 0 && missing.hota.hota == 0
    )
    #expect(missing.clear.mostlyLost == 1 && missing.product.timeToFirstBox == nil)
    let invented = try score([[], [], []], truth)
    #expect(invented.clear.falsePositives == 2 && invented.clear.mota == -2 && invented.identity.falsePositives == 2)
    #expect(invented.hota.locA == 1)
    let nothing = try score([[], []], [[], []])
    #expect(nothing.clear.mota == 0 && nothing.identity.f1 == 0 && nothing.hota.hota == 0)
  }

  @Test("combine the boxes of several sequences")
  func combined() throws {
    let truth = (0..<4).map { _ in [at(0, 1)] }
    let first = try score(truth, truth)
    let second = try score(truth + truth, [[at(0, 7)], [at(0, 8)], [], [], [], [], [], []])
    let both = TrackingScore.combined([first, second])
    #expect(both.clear.truePositives == 6 && both.clear.falseNegatives == 6 && both.clear.identitySwitches == 1)
    #expect(isNear(both.clear.mota, 5.0 / 12))
    #expect(isNear(both.identity.f1, 5 / (5 + 0.5 * 1 + 0.5 * 7)))
    #expect(isNear(both.hota.assA, (4 + 2.0 / 8) / 6))
    #expect(TrackingScore.combined([first]) == first)
    #expect(TrackingScore.combined([]).clear.mota == 0)
  }

  @Test("measure the jitter of motionless objects, and ignore moving ones")
  func jitter() throws {
    let truth = (0..<4).map { _ in [at(0, 1)] }
    let result = try score(
      truth, [[at(0, 1, shift: 1)], [at(0, 1, shift: -1)], [at(0, 1, shift: 1)], [at(0, 1, shift: -1)]])
    #expect(isNear(result.product.jitter ?? -1, 1))
    let moving = (0..<4).map { [at(0, 1, shift: Double($0))] }
    #expect(try score(moving, moving).product.jitter == nil)
  }

  @Test("reject incomparable input, with its position")
  func refuses() throws {
    let truth = [[at(0, 1)], [at(0, 1)]]
    let short = try #require(throws: EvaluationError.self) { _ = try score(truth, [[]]) }
    #expect(short.message.contains("2 frames") && short.message.contains("output 1"))
    let doubled = try #require(throws: EvaluationError.self) { _ = try score(truth, [[], [at(0, 4), at(1, 4)]]) }
    #expect(doubled.message == "identity 4 is twice in frame 2 of the output; a frame has an identity once")
    #expect(throws: EvaluationError.self) { _ = try TrackingScore(truth: truth, output: truth, times: [0]) }
    let many = [(0..<1100).map { at($0, $0) }]
    #expect(throws: EvaluationError.self) { _ = try score(many, many) }
  }
}
