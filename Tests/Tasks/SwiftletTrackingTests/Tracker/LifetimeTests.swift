import Testing

@testable import SwiftletTracking

@Suite("Track lifetime")
struct LifetimeTests {
  @Test("one detection suffices on the first frame, and two consecutive ones are required later")
  func confirmation() throws {
    var tracker = try makeTracker()
    let results = tracker.run([
      [found(100, 100)],
      [found(100, 100), found(300, 100)],
      [found(100, 100), found(300, 100)],
    ])
    #expect(results.map(\.count) == [1, 1, 2])
    #expect(results[2][1].firstSeen == .seconds(1.0 / 30))
    tracker.reset()
    #expect(tracker.run([[found(300, 300)]])[0].count == 1)
  }

  @Test("a first frame without objects still counts as the first frame")
  func emptyFirstFrame() throws {
    var tracker = try makeTracker()
    #expect(tracker.run([[], [found(100, 100)], [found(100, 100)]]).map(\.count) == [0, 0, 1])
  }

  @Test("the options set the number of consecutive detections that confirm a track", arguments: 1...5)
  func minHits(hits: Int) throws {
    var tracker = try makeTracker { $0.minHits = hits }
    let results = tracker.run([[]] + (0..<6).map { _ in [found(100, 100)] })
    #expect(results.map(\.count) == (0...6).map { $0 >= hits ? 1 : 0 })
  }

  @Test("an unconfirmed track is removed at its first miss, or later if the options allow it")
  func tentativeMisses() throws {
    for (misses, confirmedAfter) in [(1, false), (2, true)] {
      var tracker = try makeTracker {
        $0.tentativeMisses = misses
        $0.minHits = 3
      }
      // Two detections, a miss, and then three in a row: only a surviving track would count the first two.
      let results = tracker.run([
        [], [found(100, 100)], [found(100, 100)], [], [found(100, 100)], [found(100, 100)], [found(100, 100)],
      ])
      #expect(results[6].count == 1)
      #expect(results[6][0].firstSeen == .seconds((confirmedAfter ? 1.0 : 4.0) / 30))
      #expect(results[5].isEmpty)
    }
  }

  @Test("a lost track is reported during the coasting time, and recovered within the lost-track timeout")
  func lostAndFound() throws {
    for (frames, isSame) in [(29, true), (31, false)] {
      var tracker = try makeTracker()
      let before = tracker.run((0..<10).map { _ in [found(100, 100)] })
      let gone = tracker.run((0..<frames - 1).map { _ in [] }, from: 10)
      #expect(gone.map(\.count) == (1..<frames).map { $0 <= 6 ? 1 : 0 })
      #expect(gone.prefix(6).allSatisfy { $0[0].state == .coasting && $0[0].detectionIndex == nil })
      let back = tracker.run([[found(100, 100)], [found(100, 100)]], from: 9 + frames)
      #expect((back[1].map(\.id) == before[9].map(\.id)) == isSame, "\(frames) frames")
      #expect(back[1].count == 1)
    }
  }

  @Test("an object that returns after its track was removed gets a new ID, higher than all previous ones")
  func newID() throws {
    var tracker = try makeTracker()
    let old = tracker.run([[found(100, 100)]])[0][0].id
    _ = tracker.run((1...40).map { _ in [] }, from: 1)
    let new = try #require(tracker.run([[found(100, 100)], [found(100, 100)]], from: 41)[1].first)
    #expect(new.id > old)
  }

  @Test(
    "an object that disappears at the border while leaving is not reported",
    arguments: [(10.0, 0.0), (-10, 0), (0, 10), (0, -10)])
  func leaves(across: Double, down: Double) throws {
    var tracker = try makeTracker()
    let steps = across == 0 ? 21.0 : 29
    let leaving = tracker.run((0..<Int(steps)).map { [found(290 + across * Double($0), 200 + down * Double($0))] })
    #expect(leaving.allSatisfy { $0.count == 1 })
    #expect(tracker.run([[]], from: Int(steps))[0].isEmpty)
  }

  @Test("an object at the border that enters or rests is reported while it is briefly missed")
  func missedAtBorder() throws {
    for step in [0.0, 4] {
      var tracker = try makeTracker()
      _ = tracker.run((0..<5).map { [found(-10 + step * Double($0), 100)] })
      #expect(tracker.run([[]], from: 5)[0].map(\.state) == [.coasting])
    }
  }

  @Test("a track outside the frame is removed, and one that covers the whole frame isn't")
  func outOfView() throws {
    var tracker = try makeTracker { $0.maxLost = .seconds(2) }
    let before = tracker.run((0..<12).map { [found(520 + 10 * Double($0), 100)] })
    _ = tracker.run((0..<15).map { _ in [] }, from: 12)
    // It would still be remembered if it had not left the image.
    let after = tracker.run([[found(580, 100)], [found(580, 100)]], from: 27)
    #expect(after[1].count == 1 && after[1][0].id > before[11][0].id)

    var filled = try makeTracker()
    #expect(filled.run((0..<3).map { _ in [found(-10, -10, 660, 500)] }).map(\.count) == [1, 1, 1])
    #expect(
      filled.run([[found(-10, -10, 660, 500)]], from: 3)[0][0].box == PixelRect(x: 0, y: 0, width: 640, height: 480))
  }

  @Test("an object that is detected twice has one track, on the first frame and later")
  func doubledDetections() throws {
    var tracker = try makeTracker()
    let results = tracker.run(
      (0..<30).map { frame in
        let x = 100 + 2 * Double(frame)
        return [found(x, 100), found(x + 2, 101, score: 0.8)]
      })
    #expect(results.allSatisfy { $0.count == 1 })
    #expect(Set(results.map { $0[0].id }).count == 1)
  }

  @Test("an object with a new track next to its lost track continues with its old ID")
  func duplicateOfLost() throws {
    var tracker = try makeTracker()
    let before = tracker.run((0..<10).map { _ in [found(100, 100)] })
    // The object jumps too far to match, and then returns within the lost track's lifetime, slowly enough for the new
    // track to follow.
    _ = tracker.run(
      [[found(140, 100)], [found(140, 100)], [found(130, 100)], [found(120, 100)], [found(110, 100)]], from: 10)
    let results = tracker.run((0..<10).map { _ in [found(100, 100)] }, from: 15)
    #expect(results[9].map(\.id) == before[9].map(\.id))
  }

  @Test(
    "the number of reported objects is limited; they keep their places, and free places go to the most prominent")
  func slots() throws {
    var tracker = try makeTracker { $0.maxReportedTracks = 2 }
    let small = (0..<3).map { found(20 + 100 * Double($0), 20, 30 + 4 * Double($0), 40) }
    let first = tracker.run([small])[0]
    // The two largest objects nearest to the center.
    #expect(first.map { $0.box.x } == [120, 220])
    let large = found(250, 200, 200, 200, score: 1)
    let second = tracker.run([small + [large], small + [large]], from: 1)
    #expect(second[1].map(\.id) == first.map(\.id))
    // One of the reported objects disappears; the large one replaces it once the former is no longer predicted.
    let third = tracker.run((0..<10).map { _ in [small[0], small[2], large] }, from: 3)
    #expect(third[9].count == 2)
    #expect(third[9].contains { $0.id == first.first { $0.box.x == 220 }?.id })
    #expect(third[9].contains { $0.box.width > 190 })
  }

  @Test("the number of tracks is limited: lost ones are removed first, then unconfirmed ones, and visible ones never")
  func room() throws {
    var tracker = try makeTracker {
      $0.maxTracks = 2
      $0.maxReportedTracks = 2
    }
    let (left, right, other) = (found(20, 100), found(300, 100), found(500, 300, 100, 140))
    let both = tracker.run([[left, right], [left, right, other], [left, right, other]])
    #expect(both.allSatisfy { $0.map { $0.box.x } == [20, 300] || $0.map { $0.box.x } == [300, 20] })
    // The left track is lost, and makes room for another, which is confirmed one frame later.
    let after = tracker.run([[right, other], [right, other]], from: 3)
    #expect(after[1].map { $0.box.x } == [300, 500])
    // Of two new objects, the more prominent one stays.
    tracker.reset()
    let crowd = tracker.run([[left], [left, right, other], [left, right, other]])
    #expect(crowd[2].map { $0.box.x } == [20, 500])
  }

  @Test("a track that is outside the frame and not detected is not reported at its last position")
  func clipped() throws {
    var tracker = try makeTracker()
    let results = tracker.run([[found(-20, 450, 60, 80)]])
    #expect(results[0][0].box == PixelRect(x: 0, y: 450, width: 40, height: 30))
  }
}
