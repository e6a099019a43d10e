import SwiftletTestSupport
import SwiftletTracking
import Testing

@testable import SwiftletTrackingEvaluation

@Suite("Tracker on synthetic sequences")
struct SyntheticSuiteTests {
  private static let scenarios = SyntheticSuite.scenarios

  private func score(_ sequence: TrackingSequence, _ options: TrackingOptions) throws -> TrackingScore {
    let run = try TrackerRun(sequence, options: options)
    return try TrackingScore(
      truth: sequence.frames.map(\.truth), output: run.output, times: sequence.frames.map(\.time))
  }

  @Test("reaches the target of each scenario", arguments: scenarios.map(\.name))
  func targets(name: String) throws {
    let scenario = try #require(Self.scenarios.first { $0.name == name })
    let result = TrackingScore.combined(try scenario.sequences.map { try score($0, scenario.options) })
    #expect(result.clear.mota >= scenario.target.mota)
    #expect(result.identity.f1 >= scenario.target.idf1)
    if let limit = scenario.target.identitySwitches { #expect(result.clear.identitySwitches <= limit) }
    #expect(scenario.isMet(by: result))
  }

  @Test("a worse tracker misses its target")
  func missesTargets() throws {
    let scenario = try #require(Self.scenarios.first { $0.name == "crossing" })
    var options = scenario.options
    options.highThreshold = 0.9
    options.newTrackThreshold = 0.9
    let result = TrackingScore.combined(try scenario.sequences.map { try score($0, options) })
    #expect(!scenario.isMet(by: result))
  }

  @Test(
    "an object that is occluded for less than the lost-track timeout keeps its ID, and gets a new one otherwise"
  )
  func occlusions() throws {
    for (name, isSame) in [("occlusion-0.3s", true), ("occlusion-0.8s", true), ("occlusion-1.5s", false)] {
      let scenario = try #require(Self.scenarios.first { $0.name == name })
      for sequence in scenario.sequences {
        let output = try TrackerRun(sequence, options: scenario.options).output
        #expect(Set(output.flatMap { $0.map(\.identity) }).count == (isSame ? 4 : 5), "\(sequence.name)")
      }
    }
  }

  @Test("the box of a resting object jitters less than the detector's box")
  func jitter() throws {
    let scenario = try #require(Self.scenarios.first { $0.name == "still-jitter" })
    let result = TrackingScore.combined(try scenario.sequences.map { try score($0, scenario.options) })
    // Each edge is uniform in ±2 pixels, so that the center of a detection deviates by √(4/3) pixels.
    #expect(try #require(result.product.jitter) < 1)
  }

  @Test("at most five objects are reported if more are detected")
  func cap() throws {
    let scenario = try #require(Self.scenarios.first { $0.name == "five-of-eight" })
    let sequence = scenario.sequences[0]
    #expect(sequence.frames.contains { $0.detections.count == 8 })
    #expect(try TrackerRun(sequence, options: scenario.options).output.allSatisfy { $0.count <= 5 })
  }

  @Test("the order of detections doesn't affect any scenario", arguments: scenarios.map(\.name))
  func permutation(name: String) throws {
    let scenario = try #require(Self.scenarios.first { $0.name == name })
    var generator = SplitMix64(state: 99)
    let sequence = scenario.sequences[1]
    var mixed = sequence
    for index in mixed.frames.indices { mixed.frames[index].detections.shuffle(using: &generator) }
    let (first, second) = (
      try TrackerRun(sequence, options: scenario.options).output,
      try TrackerRun(mixed, options: scenario.options).output
    )
    // IDs differ, because they are unique within the process; the grouping of boxes by ID must not.
    var renamed: [Int: Int] = [:]
    for (boxes, others) in zip(first, second) {
      #expect(boxes.map(\.box) == others.map(\.box))
      for (box, other) in zip(boxes, others) {
        #expect(renamed.updateValue(box.identity, forKey: other.identity) ?? box.identity == box.identity)
      }
    }
    #expect(Set(renamed.values).count == renamed.count)
  }

  @Test("the same seed generates the same sequence, and another seed a different one")
  func seeds() {
    let scene = SyntheticScenes.crowd(objects: 3, seconds: 2)
    func detections(_ seed: UInt64) -> [[BoxDetection]] { scene.sequence(seed: seed).frames.map(\.detections) }
    #expect(detections(4) == detections(4))
    #expect(detections(4) != detections(5))
  }

  @Test("has the scenarios of the specification, each with several seeds")
  func contents() {
    #expect(Self.scenarios.count >= 19)
    #expect(Set(Self.scenarios.map(\.name)).count == Self.scenarios.count)
    for scenario in Self.scenarios {
      #expect(scenario.sequences.count == 5)
      for sequence in scenario.sequences {
        #expect(sequence.frames.contains { !$0.truth.isEmpty } && sequence.frames.contains { !$0.detections.isEmpty })
      }
    }
  }
}
