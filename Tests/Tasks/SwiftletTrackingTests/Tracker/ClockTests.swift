import Testing

@testable import SwiftletTracking

@Suite("Times of frames")
struct ClockTests {
  private func running() throws -> (tracker: BoxTracker, id: Int) {
    var tracker = try makeTracker()
    let results = tracker.run((0..<30).map { [found(100 + 4 * Double($0), 100)] })
    return (tracker, try #require(results.last?.first?.id))
  }

  @Test("a frame without detection has objects at their predicted positions")
  func predicts() throws {
    var (tracker, id) = try running()
    let last = 29.0 / 30
    for step in 1...10 {
      let tracks = tracker.predict(to: .seconds(last + Double(step) / 60))
      #expect(tracks.map(\.id) == [id])
      #expect(tracks[0].state == .confirmed && tracks[0].detectionIndex == nil && tracks[0].lastSeen == .seconds(last))
      // 120 pixels per second from the original position.
      #expect(abs(tracks[0].box.center.x - (130 + 4 * 29 + 2 * Double(step))) < 1)
    }
  }

  @Test("frames in between don't change the result of a frame with detection")
  func predictionsLeaveNoTrace() throws {
    var (plain, _) = try running()
    var (disturbed, id) = try running()
    for step in 1...5 { _ = disturbed.predict(to: .seconds(29.0 / 30 + Double(step) / 100)) }
    let expected = plain.update(detections: [found(232, 100)], at: .seconds(33.0 / 30))
    let result = disturbed.update(detections: [found(232, 100)], at: .seconds(33.0 / 30))
    #expect(result.map(\.box) == expected.map(\.box))
    #expect(result.map(\.velocity) == expected.map(\.velocity))
    #expect(result.map(\.id) == [id])
  }

  @Test("late detections are matched at their own time and propagated to the present")
  func lateDetections() throws {
    var (tracker, id) = try running()
    // Detection starts at frame 30 and ends while frame 33 is processed. The object is at 100 + 4 · 30 in the former,
    // and 12 pixels farther now.
    _ = tracker.predict(to: .seconds(31.0 / 30))
    _ = tracker.predict(to: .seconds(32.0 / 30))
    let tracks = tracker.update(detections: [found(220, 100)], from: .seconds(30.0 / 30), at: .seconds(33.0 / 30))
    #expect(tracks.map(\.id) == [id])
    #expect(tracks[0].detectionIndex == 0 && tracks[0].lastSeen == .seconds(1))
    #expect(abs(tracks[0].box.center.x - (130 + 4 * 33)) < 1)
    // Detections that arrive for the frame in which they were found are the usual case.
    var (prompt, _) = try running()
    var (late, _) = try running()
    #expect(
      prompt.update(detections: [found(220, 100)], at: .seconds(1)).map(\.box)
        == late.update(detections: [found(220, 100)], from: .seconds(1), at: .seconds(1)).map(\.box))
  }

  @Test("the current frame may be processed before late detections arrive")
  func lateDetectionsForSameFrame() throws {
    var (tracker, id) = try running()
    _ = tracker.predict(to: .seconds(1.1))
    #expect(tracker.update(detections: [found(220, 100)], from: .seconds(1), at: .seconds(1.1)).map(\.id) == [id])
  }

  @Test(
    "detections that are from the future, outdated, or older than processed ones are ignored",
    arguments: [1.2, -1.5, 0.5, 29.0 / 30, -1.7e20])
  func uselessDetections(time: Double) throws {
    var (tracker, id) = try running()
    let tracks = tracker.update(detections: [found(400, 300)], from: .seconds(time), at: .seconds(1.1))
    #expect(tracks.map(\.id) == [id])
    #expect(tracks[0].detectionIndex == nil)
    #expect(tracker.update(detections: [found(232, 100), found(400, 300)], at: .seconds(33.5 / 30)).map(\.id) == [id])
  }

  @Test(
    "a nonincreasing timestamp, or a gap of more than two seconds, starts another video",
    arguments: [29.0 / 30, 0.5, 0, -3, 3.0, -1.7e20, 1.7e20])
  func resets(time: Double) throws {
    var (tracker, id) = try running()
    let tracks = tracker.update(detections: [found(216, 100)], at: .seconds(time))
    #expect(tracks.count == 1)
    #expect(tracks[0].id > id && tracks[0].firstSeen == .seconds(time))
    var (predicting, _) = try running()
    #expect(predicting.predict(to: .seconds(time)).isEmpty)
  }

  @Test("a gap of up to two seconds does not start another video")
  func shortGap() throws {
    var tracker = try makeTracker()
    let id = tracker.update(detections: [found(100, 100)], at: .zero)[0].id
    #expect(tracker.update(detections: [found(100, 100)], at: .seconds(2)).map(\.id) == [id])
    #expect(tracker.update(detections: [found(100, 100)], at: .seconds(4.001)).map(\.id) != [id])
  }

  @Test("without detection for longer than the gap, tracks are not kept")
  func searchGap() throws {
    var (tracker, id) = try running()
    var time = 29.0 / 30
    for _ in 0..<70 {
      time += 1.0 / 30
      _ = tracker.predict(to: .seconds(time))
    }
    let tracks = tracker.update(detections: [found(216, 100)], at: .seconds(time + 1.0 / 30))
    #expect(tracks.count == 1 && tracks[0].id > id)
  }

  @Test("timestamps with an interval beyond the range of durations start another video")
  func farApart() throws {
    var tracker = try makeTracker()
    let first = tracker.update(detections: [found(216, 100)], at: .seconds(-1.7e20))
    let second = tracker.update(detections: [found(216, 100)], at: .seconds(1.7e20))
    #expect(first.count == 1 && second.count == 1 && first[0].id < second[0].id)
  }

  @Test("another frame size removes all tracks and continues the IDs")
  func resize() throws {
    var (tracker, id) = try running()
    tracker.resize(frameWidth: 480, frameHeight: 640)
    #expect(tracker.frameWidth == 480 && tracker.frameHeight == 640)
    let tracks = tracker.update(detections: [found(216, 100)], at: .seconds(1))
    #expect(tracks.count == 1 && tracks[0].id > id)
    tracker.resize(frameWidth: .nan, frameHeight: 1e300)
    #expect(tracker.frameWidth == 1 && tracker.frameHeight == BoxTracker.maxFrameSide)
  }

  @Test("an object is tracked at 3 and 30 frames per second, and when the rate changes")
  func rates() throws {
    var tracker = try makeTracker()
    var time = 0.0
    var ids: Set<Int> = []
    for (rate, frames) in [(30.0, 30), (10, 10), (3, 6)] {
      for _ in 0..<frames {
        time += 1 / rate
        let tracks = tracker.update(detections: [found(40 + 100 * time, 100)], at: .seconds(time))
        #expect(tracks.count == 1)
        ids.formUnion(tracks.map(\.id))
      }
    }
    #expect(ids.count == 1)
  }
}
