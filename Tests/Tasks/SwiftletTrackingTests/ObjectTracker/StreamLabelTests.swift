import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Labels in a stream")
struct StreamLabelTests {
  private func frames(_ video: ObjectTrackingSession, _ count: Int, of scene: Scene, from time: Int = 0) throws
    -> [[TrackedObject]]
  {
    try (0..<count).map { try video.objects(in: scene.image(), at: .milliseconds(time + 40 * $0)) }
  }

  @Test("boxes are reported immediately, and every object has labels within three frames")
  func firstLabels() throws {
    let scene = Scene((0..<5).map { Scene.object($0 % 3 * 80, $0 / 3 * 90) })
    let tracker = try ObjectTracker(options: .reading(classifier: SingleImageTests.colors))
    let results = try frames(tracker.video(), 3, of: scene)
    #expect(results[0].count == 5)
    #expect(results.map { $0.count { $0.labels.isEmpty } } == [3, 1, 0])
    #expect(tracker.classificationCount == 5)
  }

  @Test("then one object per frame is classified, each at most every half second")
  func schedule() throws {
    let scene = Scene([Scene.object(10, 10), Scene.object(150, 150)])
    let tracker = try ObjectTracker(options: .reading(classifier: SingleImageTests.colors))
    let video = tracker.video()
    var counts: [Int] = []
    for frame in 0..<30 {
      _ = try video.objects(in: scene.image(), at: .milliseconds(40 * frame))
      counts.append(tracker.classificationCount)
    }
    let looks = zip([0] + counts, counts).map { $1 - $0 }
    // Two objects are classified at first; 520 ms later they are due again, one per frame.
    #expect(looks.prefix(13).reduce(0, +) == 2 && looks[13...14].allSatisfy { $0 == 1 })
    #expect(counts.last == 6 && looks.allSatisfy { $0 <= 2 })
  }

  @Test("scores are smoothed over an object's classifications, and then compared with the threshold")
  func smoothing() {
    let maker = LabelMaker(labels: ["a", "b"], threshold: 0.5, limit: 10)
    var memory = LabelHistory(objectLimit: 1, lifetime: .seconds(1))
    memory.note([1, 0.2], of: 7, at: .zero, maker)
    #expect(memory.labels(of: 7) == [ObjectLabel(text: "a", index: 0, confidence: 1)])
    memory.note([0, 0.8], of: 7, at: .seconds(0.5), maker)
    // 0.6 times the new plus 0.4 times the old score: 0.4 and 0.56.
    #expect(memory.labels(of: 7).map(\.text) == ["b"])
    #expect(abs((memory.labels(of: 7).first?.confidence ?? 0) - 0.56) < 1e-6)
    #expect(memory.labels(of: 8).isEmpty)
  }

  @Test("the labels of a removed object are discarded, and a late classification of it has no effect")
  func forgetting() {
    let maker = LabelMaker(labels: [], threshold: 0, limit: 10)
    var memory = LabelHistory(objectLimit: 5, lifetime: .seconds(1))
    memory.note([1], of: 1, at: .zero, maker)
    #expect(memory.turns(among: [1], at: .seconds(0.4)).isEmpty)
    #expect(memory.turns(among: [1, 2, 3, 4], at: .seconds(0.6)) == [2, 3])
    memory.note([1], of: 2, at: .seconds(0.6), maker)
    memory.note([1], of: 3, at: .seconds(0.6), maker)
    memory.note([1], of: 4, at: .seconds(0.7), maker)
    #expect(memory.turns(among: [4, 3, 2, 1], at: .seconds(0.8)) == [1])
    #expect(memory.turns(among: [2], at: .seconds(1.9)) == [2])
    #expect(memory.labels(of: 1).isEmpty && !memory.labels(of: 2).isEmpty)
  }

  @Test("without a classifier there are no labels, and unseen objects are not classified")
  func noLooks() throws {
    let scene = Scene([Scene.object(90, 90)])
    let bare = try ObjectTracker(options: .reading())
    #expect(try frames(bare.video(), 3, of: scene).allSatisfy { $0.allSatisfy(\.labels.isEmpty) })
    #expect(bare.labels.isEmpty && bare.classificationCount == 0)
    let tracker = try ObjectTracker(options: .reading(classifier: SingleImageTests.colors))
    #expect(tracker.labels == ["red", "green", "blue"])
    let video = tracker.video()
    _ = try frames(video, 13, of: scene)
    let before = tracker.classificationCount
    // Its next classification is due, but the object is only predicted here.
    let expected = try frames(video, 2, of: Scene([]), from: 520)
    #expect(expected.allSatisfy { $0.first?.isPredicted == true && $0.first?.labels.isEmpty == false })
    #expect(tracker.classificationCount == before)
  }

  @Test("in single object mode, only that object is classified")
  func single() throws {
    let scene = Scene([Scene.object(90, 90), Scene.object(0, 0, side: 30)])
    let tracker = try ObjectTracker(options: .reading(multiple: false, classifier: SingleImageTests.colors))
    #expect(try frames(tracker.video(), 5, of: scene).allSatisfy { $0.count == 1 && $0[0].labels.count == 3 })
    #expect(tracker.classificationCount == 1)
  }
}
