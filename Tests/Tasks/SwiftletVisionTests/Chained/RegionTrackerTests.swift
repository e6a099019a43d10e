import SwiftletImage
import Testing

@testable import SwiftletVision

@Suite("Region tracking")
struct RegionTrackerTests {
  /// Returns a region with a quarter of the image's width and height.
  private func region(_ left: Float, rotation: Float = 0) -> NormalizedRect {
    NormalizedRect(center: NormalizedPoint(x: left + 0.125, y: 0.5), width: 0.25, height: 0.25, rotation: rotation)
  }

  private func follower(_ limit: Int, _ preference: RegionTracker.Preference = .followed) -> RegionTracker {
    RegionTracker(limit: limit, overlapThreshold: 0.5, preference: preference)
  }

  @Test("detection runs while fewer objects are tracked than requested")
  func searches() {
    var follower = follower(2)
    var searches = 0
    func next() -> [NormalizedRect] {
      follower.regions {
        searches += 1
        return [region(0), region(0.5), region(0.75)]
      }.map(\.region)
    }
    #expect(next() == [region(0), region(0.5)] && searches == 1)
    follower.follow([region(0.01), region(0.51)])
    #expect(next() == [region(0.01), region(0.51)] && searches == 1)
    follower.follow([region(0.52)])
    #expect(next() == [region(0.52), region(0)] && searches == 2)
    follower.follow([])
    #expect(next() == [region(0), region(0.5)] && searches == 3)
  }

  @Test("of two overlapping regions, the tracked one or the first detected one is kept")
  func prefersFollowed() {
    var follower = follower(3)
    follower.follow([region(0, rotation: 1)])
    let found = [region(0.02), region(0.5), region(0.52)]
    #expect(follower.regions { found }.map(\.region) == [region(0, rotation: 1), region(0.5)])
  }

  @Test("of two overlapping regions, the detected one or the last detected one is kept, in its position")
  func prefersFound() {
    var follower = follower(3, .found)
    follower.follow([region(0), region(0.5)])
    #expect(follower.regions { [region(0.02), region(0.04)] }.map(\.region) == [region(0.5), region(0.04)])
  }

  @Test("tracked regions that converge are merged if detected ones are preferred, also without detection")
  func convergence() {
    for (preference, count) in [(RegionTracker.Preference.found, 1), (.followed, 2)] {
      var follower = follower(2, preference)
      follower.follow([region(0), region(0.02)])
      let regions = follower.regions {
        Issue.record("a search")
        return []
      }
      #expect(regions.count == count && regions.last?.identity == 1)
    }
  }

  @Test("regions that overlap by at most the threshold stay separate")
  func threshold() {
    // The regions share half of their area: a third of the union, exactly the threshold.
    var follower = RegionTracker(limit: 2, overlapThreshold: 1 / 3, preference: .followed)
    #expect(follower.regions { [region(0), region(0.125)] }.count == 2)
    var stricter = RegionTracker(limit: 2, overlapThreshold: 0.3, preference: .followed)
    #expect(stricter.regions { [region(0), region(0.125)] }.count == 1)
  }

  @Test("errors during detection leave tracked objects unchanged")
  func failedSearch() {
    var follower = follower(2)
    follower.follow([region(0)])
    #expect(throws: Fault.self) { try follower.regions { throw Fault("the detector failed") } }
    #expect(follower.regions { [] }.map(\.region) == [region(0)])
  }

  @Test("a tracked object keeps its identity, even if a detected region replaces its own")
  func identities() {
    var follower = follower(3)
    follower.follow([region(0), region(0.5)])
    #expect(follower.regions { [region(0.02), region(0.75)] }.map(\.identity) == [0, 1, nil])
    var replacing = self.follower(3, .found)
    replacing.follow([region(0), region(0.5)])
    // The second region is detected twice, the first not at all.
    #expect(replacing.regions { [region(0.52), region(0.54)] }.map(\.identity) == [0, 1])
    #expect(replacing.regions { [region(0.75)] }.map(\.identity) == [0, 1, nil])
  }
}
