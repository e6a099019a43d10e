import SteadyState
import SwiftletTestSupport
import SwiftletTracking
import Testing

@Suite("Allocations of the tracker", .enabled(if: Allocations.areThoseOfUsers, "needs an optimized build on glibc"))
struct TrackerAllocationTests {
  @Test("nothing is allocated once the tracker has reached its maximum number of objects")
  func allocatesNothing() throws {
    var options = TrackingOptions()
    options.maxReportedTracks = 20
    var generator = SplitMix64(state: 77)
    var tracker = try BoxTracker(options: options, frameWidth: 640, frameHeight: 480)
    // Objects appear, disappear, cross, and are missed, so that all stages of tracks occur.
    let frames = (0..<2000).map { frame -> [BoxDetection] in
      (0..<25).compactMap { object -> BoxDetection? in
        guard (frame / 50 + object) % 5 > 0, Double.random(in: 0...1, using: &generator) < 0.9 else { return nil }
        let x = 300 + 280 * Double((frame + 37 * object) % 200 - 100) / 100
        let box = PixelRect(x: x, y: 10 + 15 * Double(object), width: 60, height: 80)
        return BoxDetection(box: box, score: .random(in: 0.05...1, using: &generator))
      }
    }
    var tracks: [Track] = []
    var allocations = 0
    var most = 0
    for round in 0..<6 {
      let allocated = Allocations.of {
        for (frame, detections) in frames.enumerated() {
          let time = Double(round * frames.count + frame) / 30
          if frame % 2 == 0 {
            tracker.update(detections: detections, at: .seconds(time), into: &tracks)
          } else {
            tracker.update(detections: detections, from: .seconds(time - 0.01), at: .seconds(time), into: &tracks)
          }
          tracker.predict(to: .seconds(time + 0.01), into: &tracks)
          most = max(most, tracks.count)
        }
      }
      if round > 0 { allocations += allocated }
    }
    #expect(allocations == 0)
    #expect(most > 10)
  }
}
