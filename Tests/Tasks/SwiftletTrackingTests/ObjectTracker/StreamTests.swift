import SwiftletBase
import SwiftletEngine
import SwiftletImage
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Objects in a stream")
struct StreamTests {
  private static let frameTime = Duration.milliseconds(40)

  /// Returns frames in which objects move to the right by 5/255 per frame.
  private func moving(_ count: Int, from objects: [BoxReadingModel.Object]) -> [Scene] {
    (0..<count).map { frame in
      Scene(
        objects.map { object in
          var moved = object
          moved.left += UInt8(5 * frame)
          moved.right += UInt8(5 * frame)
          return moved
        })
    }
  }

  private func run(_ video: ObjectTrackingSession, _ scenes: [Scene], from start: Duration = .zero) throws
    -> [[TrackedObject]]
  {
    try scenes.enumerated().map { try video.objects(in: $1.image(), at: start + Self.frameTime * $0) }
  }

  @Test("an object keeps its ID between frames, and two objects have different IDs")
  func identity() throws {
    let tracker = try ObjectTracker(options: .reading()).video()
    let scenes = moving(12, from: [Scene.object(10, 10), Scene.object(60, 150)])
    let results = try run(tracker, scenes)
    let ids = Set(results[0].compactMap(\.trackingID))
    #expect(ids.count == 2)
    for (result, scene) in zip(results, scenes) {
      #expect(Set(result.compactMap(\.trackingID)) == ids)
      for index in scene.objects.indices {
        #expect(result.contains { $0.box.isClose(to: scene.box(index), within: 1.5) })
      }
    }
  }

  @Test("IDs are never reused by another tracker, after a reset, or for an object that returns late")
  func freshIDs() throws {
    var seen: Set<Int> = []
    func check(_ results: [[TrackedObject]]) throws {
      let ids = Set(results.flatMap { $0.compactMap(\.trackingID) })
      #expect(!ids.isEmpty && ids.isDisjoint(with: seen))
      seen.formUnion(ids)
    }
    let scenes = moving(3, from: [Scene.object(10, 10)])
    let tracker = try ObjectTracker(options: .reading()).video()
    try check(try run(tracker, scenes))
    try check(try run(try ObjectTracker(options: .reading()).video(), scenes))
    tracker.reset()
    try check(try run(tracker, scenes, from: .seconds(1)))
    // The object is absent for 1.2 seconds.
    _ = try run(tracker, [Scene](repeating: Scene([]), count: 30), from: .milliseconds(1120))
    try check(try run(tracker, scenes, from: .milliseconds(2400)))
  }

  @Test(
    "another size or orientation, or a long pause, restarts tracking",
    arguments: ["size", "orientation", "pause"])
  func restarts(cause: String) throws {
    let tracker = try ObjectTracker(options: .reading()).video()
    var scene = Scene([Scene.object(90, 90)])
    var before: [TrackedObject] = []
    for frame in 0..<4 { before = try tracker.objects(in: scene.image(), at: .milliseconds(40 * frame)) }
    var time = Duration.milliseconds(160), orientation = ImageOrientation.up
    switch cause {
    case "size": scene.width = 60
    case "orientation": orientation = .down
    default: time = .milliseconds(120 + 2001)
    }
    let after = try tracker.objects(in: scene.image(orientation), at: time)
    #expect(before.count == 1 && after.count == 1)
    #expect(after[0].trackingID != before[0].trackingID)
    // The next frame continues from there.
    let next = try tracker.objects(in: scene.image(orientation), at: time + .milliseconds(40))
    #expect(next.map(\.trackingID) == after.map(\.trackingID))
  }

  @Test("a frame with an invalid timestamp or image fails and leaves the session unchanged")
  func failures() throws {
    var options = ObjectTrackerOptions.reading(classifier: SingleImageTests.colors)
    // The limit leaves no room for the result of a larger image.
    let tracker = try ObjectTracker(options: options)
    let scene = Scene([Scene.object(10, 90), Scene.object(150, 20)])
    let (video, undisturbed) = (tracker.video(), tracker.video())
    for frame in 0..<3 {
      let time = Duration.milliseconds(40 * frame)
      _ = try (video.objects(in: scene.image(), at: time), undisturbed.objects(in: scene.image(), at: time))
    }
    for time in [80, 79, 0, -1] {
      let error = trackerError { _ = try video.objects(in: Scene([]).image(.down), at: .milliseconds(time)) }
      #expect(error?.code == .timeNotIncreasing)
    }
    // The failed frames have left no trace, neither their size nor their timestamp.
    let (one, other) = try (
      video.objects(in: scene.image(), at: .milliseconds(120)),
      undisturbed.objects(in: scene.image(), at: .milliseconds(120))
    )
    #expect(one.map(\.box) == other.map(\.box) && one.map(\.labels) == other.map(\.labels) && one.count == 2)
    // An expired deadline fails every frame, and the next frame can still succeed with the same timestamp.
    options.localizer?.baseOptions.timeout = .seconds(60)
    let late = try ObjectTracker(options: options).video()
    let first = try late.objects(in: scene.image(), at: .zero)
    let error = CallContext(timeout: .zero - .seconds(1)).carry {
      trackerError { _ = try late.objects(in: scene.image(), at: .milliseconds(40)) }
    }
    #expect(error?.code == .deadlineExceeded)
    #expect(try late.objects(in: scene.image(), at: .milliseconds(40)).map(\.trackingID) == first.map(\.trackingID))
  }

  @Test("in frames without detection, objects are at their predicted positions")
  func sparseSearch() throws {
    let scenes = moving(13, from: [Scene.object(10, 90)])
    let tracker = try ObjectTracker(options: .reading { $0.streamPolicy = .synchronous(every: 3) }).video()
    let results = try run(tracker, scenes)
    #expect(Set(results.flatMap { $0.compactMap(\.trackingID) }).count == 1)
    // The speed is known between the detections in frames 9 and 12.
    for frame in 9..<13 {
      let frameBox = try #require(results[frame].first).box
      #expect(frameBox.isClose(to: scenes[frame].box(0), within: 1), "\(frame): \(frameBox)")
    }
    // The result is the same without the images of frames 10 and 11, which aren't processed.
    var blind = scenes
    blind[10] = Scene([])
    blind[11] = Scene([])
    let again = try run(
      try ObjectTracker(options: .reading { $0.streamPolicy = .synchronous(every: 3) }).video(), blind)
    #expect(again.map { $0.map(\.box) } == results.map { $0.map(\.box) })
  }

  @Test("a briefly missed object is reported at its predicted position, then with its ID")
  func missed() throws {
    var scenes = moving(8, from: [Scene.object(10, 90)])
    scenes[5] = Scene([])
    let results = try run(try ObjectTracker(options: .reading()).video(), scenes)
    #expect(results[5].count == 1 && results[5][0].isPredicted && !results[4][0].isPredicted)
    #expect(Set(results.flatMap { $0.compactMap(\.trackingID) }).count == 1)
    #expect(results[6][0].isPredicted == false)
  }

  @Test("a single object stays selected until another leads clearly in three frames")
  func hysteresis() throws {
    let tracker = try ObjectTracker(options: .reading(multiple: false)).video()
    func frames(_ count: Int, from time: Int, rival: UInt8) throws -> [Int?] {
      try (0..<count).map { frame in
        let scene = Scene([Scene.object(20, 95, score: 180), Scene.object(175, 95, score: rival)])
        let objects = try tracker.objects(in: scene.image(), at: .milliseconds(40 * (time + frame)))
        #expect(objects.count == 1)
        return objects.first?.trackingID
      }
    }
    let first = try frames(4, from: 0, rival: 160)
    #expect(Set(first).count == 1)
    // The rival leads, but by less than a fifth.
    #expect(try frames(6, from: 4, rival: 200) == [Int?](repeating: first[0], count: 6))
    let challenged = try frames(5, from: 10, rival: 250)
    #expect(challenged.prefix(2).allSatisfy { $0 == first[0] })
    #expect(challenged[2] != first[0] && Set(challenged.suffix(3)).count == 1)
    // The lead changes back under the same condition.
    #expect(try frames(3, from: 15, rival: 170) == [Int?](repeating: challenged[4], count: 3))
  }

  @Test("reported objects keep their places when more prominent ones appear")
  func places() throws {
    let tracker = try ObjectTracker(options: .reading { $0.maxObjectCount = 2 }).video()
    let few = [Scene.object(10, 10, score: 150), Scene.object(10, 180, score: 150)]
    let before = try run(tracker, [Scene](repeating: Scene(few), count: 3))
    let after = try run(
      tracker, [Scene](repeating: Scene(few + [Scene.object(90, 90, score: 250, side: 70)]), count: 4),
      from: .milliseconds(120))
    let ids = Set(before[2].compactMap(\.trackingID))
    #expect(ids.count == 2 && after.allSatisfy { Set($0.compactMap(\.trackingID)) == ids })
  }

  @Test("results are ordered by prominence, in any order of the localizer's boxes")
  func order() throws {
    let objects = [Scene.object(90, 90, side: 70), Scene.object(10, 10), Scene.object(180, 10), Scene.object(10, 180)]
    let tracker = try ObjectTracker(options: .reading()).video(), other = try ObjectTracker(options: .reading()).video()
    for frame in 0..<5 {
      let time = Duration.milliseconds(40 * frame)
      let result = try tracker.objects(in: Scene(objects).image(), at: time)
      #expect(zip(result, result.dropFirst()).allSatisfy { $0.prominence >= $1.prominence })
      let permuted = try other.objects(in: Scene(objects.reversed()).image(), at: time)
      #expect(permuted.map(\.box) == result.map(\.box))
    }
  }
}
