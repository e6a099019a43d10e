import SteadyState
import SwiftletAudio
import SwiftletTestSupport
import Testing

@Suite("Allocations of audio tasks", .enabled(if: Allocations.areThoseOfUsers, "needs an optimized build on glibc"))
struct AudioAllocationTests {
  @Test("a classifier allocates its result and nothing else", arguments: [16_000, 44_100], [1, 2])
  func classes(sampleRate: Double, channelCount: Int) throws {
    let classifier = try AudioClassifier(.bytes(PassingModel.sound(window: 100).bytes)) {
      ($0.scoreThreshold, $0.maxResults) = (-.infinity, 5)
    }
    let samples = (1...10_000 * channelCount).map(Float.init)
    let clip = try AudioClip(samples: samples, channelCount: channelCount, sampleRate: sampleRate)
    let windows = try classifier.classification(of: clip).windows.count
    // The clip's splitter, the array of windows, and for each window its array of heads and the categories of the only
    // head.
    #expect(try Allocations.ofSteadyCall { _ = try classifier.classification(of: clip) } == Double(2 + 2 * windows))
  }
}
