package import SwiftletTracking

/// The committed suite of synthetic sequences, with the target for each.
package enum SyntheticSuite {
  /// The target for all sequences of a scenario together.
  package struct Target: Sendable, Hashable {
    package var mota: Double
    package var idf1: Double
    /// The maximum number of identity switches, or `nil` for no limit.
    package var identitySwitches: Int?

    /// The target for a detector without misses.
    static let clean = Target(mota: 0.98, idf1: 0.98, identitySwitches: 0)
    /// The target for a detector that misses every fifth object.
    static let missing = Target(mota: 0.90, idf1: 0.90, identitySwitches: nil)
  }

  package struct Scenario: Sendable {
    package var name: String
    package var target: Target
    package var options: TrackingOptions
    /// The sequences, one per seed.
    package var sequences: [TrackingSequence]

    /// Returns whether a score meets the target.
    package func isMet(by score: TrackingScore) -> Bool {
      score.clear.mota >= target.mota && score.identity.f1 >= target.idf1
        && target.identitySwitches.map { score.clear.identitySwitches <= $0 } ?? true
    }
  }

  static let seeds: [UInt64] = [1, 2, 3, 4, 5]

  /// All scenarios. Generating them takes well under a second.
  package static var scenarios: [Scenario] {
    SyntheticScenes.all.map { scenario($0.scene, $0.target, reported: $0.reported) }
  }

  /// Returns a scene with many moving objects, for measuring costs.
  package static func crowd(objects: Int) -> TrackingSequence {
    SyntheticScenes.crowd(objects: objects, seconds: 20).sequence(seed: 9)
  }

  /// Returns the options for a scene with up to `reported` evaluated objects.
  package static func options(reported: Int) -> TrackingOptions {
    var options = TrackingOptions()
    options.maxTracks = max(options.maxTracks, 2 * reported)
    options.maxReportedTracks = reported
    return options
  }

  private static func scenario(_ scene: SyntheticScene, _ target: Target, reported: Int) -> Scenario {
    let sequences = seeds.map { seed in
      var sequence = scene.sequence(seed: seed)
      sequence.name += "-\(seed)"
      return sequence
    }
    return Scenario(name: scene.name, target: target, options: options(reported: reported), sequences: sequences)
  }
}
