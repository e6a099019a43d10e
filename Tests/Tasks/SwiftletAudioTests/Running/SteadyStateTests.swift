import SteadyState
import SwiftletTestSupport
import Testing

@testable import SwiftletAudio

@Suite("Steady state of tasks on sound", .enabled(if: Allocations.areThoseOfUsers, "needs an optimised build on glibc"))
struct SteadyStateTests {
  @Test("a classifier allocates its result and nothing else", arguments: [16_000, 44_100], [1, 2])
  func classes(sampleRate: Double, channelCount: Int) throws {
    let classifier = try PassingModel.sound(window: 100).classifier { $0.maxResults = 5 }
    let clip = try AudioClip(
      samples: ramp(10_000 * channelCount), channelCount: channelCount, sampleRate: sampleRate)
    let windows = try classifier.classify(clip).classificationResults.count
    // The array of windows, and for each one that of its heads, and the one head's categories.
    #expect(try Allocations.ofSteadyCall { _ = try classifier.classify(clip) } == Double(1 + 2 * windows))
  }
}
