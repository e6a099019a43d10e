import SwiftletImage
import SwiftletTestSupport
import SwiftletVision
import Testing

@_spi(Facades) @testable import SwiftletTracking

/// Checks parts of the object tracker separately, at their limits.
@Suite("Parts of the object tracker")
struct ObjectTrackerPartTests {
  private let base = BaseOptions(model: .file("a.tflite"), threads: 3)

  // MARK: Options

  @Test("options have documented defaults, and keep their values")
  func options() {
    let localizer = ObjectLocalizerOptions(baseOptions: base)
    #expect(localizer.baseOptions == base && localizer.scoreThreshold == 0.3 && localizer.overlapThreshold == 0.55)
    let otherLocalizer = ObjectLocalizerOptions(baseOptions: base, scoreThreshold: 0.1, overlapThreshold: 0.2)
    #expect(otherLocalizer.scoreThreshold == 0.1 && otherLocalizer.overlapThreshold == 0.2)
    let classifier = ObjectClassifierOptions(baseOptions: base)
    #expect(classifier.labels == nil && classifier.locale == "en" && classifier.labelsOfUnlabeledModel == nil)
    #expect(ObjectClassifierOptions.defaultMaxLabelCount == 10)
    let otherClassifier = ObjectClassifierOptions(
      baseOptions: base, labels: ["a"], locale: "de", confidenceThreshold: 0.5, maxLabelCount: 3, cropMargin: 0.25)
    #expect(otherClassifier.baseOptions == base && otherClassifier.labels == ["a"] && otherClassifier.locale == "de")
    #expect(otherClassifier.confidenceThreshold == 0.5 && otherClassifier.maxLabelCount == 3)
    #expect(otherClassifier.cropMargin == 0.25)
    let tracker = ObjectTrackerOptions(
      localizer: localizer, classifier: classifier, allowsMultipleObjects: true, maxObjectCount: 7,
      streamPolicy: .concurrent, tracking: TrackingOptions())
    #expect(tracker.localizer == localizer && tracker.classifier == classifier)
    #expect(tracker.allowsMultipleObjects && tracker.maxObjectCount == 7 && tracker.streamPolicy == .concurrent)
    #expect(tracker.tracking == TrackingOptions())
    #expect(ObjectTrackerOptions().tracking == ObjectTrackerOptions.defaultTracking)
    #expect(ObjectTrackerOptions.maxObjectCountRange == 1...100)
  }

  @Test(
    "tracks start at the given score, and continue at a tenth below",
    arguments: [(0.4, 0.1, 0.3), (0.15, 0.1, 0.1), (0.05, 0.05, 0.05), (1, 0.1, 0.9), (0.2, 0.1, 0.1)])
  func tracking(score: Double, low: Double, high: Double) {
    let options = ObjectTrackerOptions.tracking(from: score)
    #expect(options.newTrackThreshold == score && options.lowThreshold == low)
    #expect(abs(options.highThreshold - high) < 1e-12)
    var expected = TrackingOptions()
    (expected.newTrackThreshold, expected.lowThreshold) = (options.newTrackThreshold, options.lowThreshold)
    expected.highThreshold = options.highThreshold
    #expect(options == expected)
    #expect(score != 0.4 || options == ObjectTrackerOptions.defaultTracking)
  }

  @Test("more objects are tracked than reported, and a single one is chosen from all of them")
  func boxTracking() {
    var options = ObjectTrackerOptions()
    #expect(
      options.objectLimit == 1 && options.boxTracking.maxTracks == 20 && options.boxTracking.maxReportedTracks == 20)
    (options.allowsMultipleObjects, options.maxObjectCount) = (true, 10)
    #expect(
      options.objectLimit == 10 && options.boxTracking.maxTracks == 20 && options.boxTracking.maxReportedTracks == 10)
    options.maxObjectCount = 11
    #expect(options.boxTracking.maxTracks == 22 && options.boxTracking.maxReportedTracks == 11)
  }

  @Test("out-of-range options are rejected with a message")
  func refused() {
    func error(_ change: (inout ObjectTrackerOptions) -> Void) -> TaskError? {
      var options = ObjectTrackerOptions(localizer: ObjectLocalizerOptions(baseOptions: base))
      change(&options)
      return trackerError { try options.validate() }
    }
    for (count, isFine) in [(1, true), (100, true), (0, false), (101, false)] {
      let error = error { $0.maxObjectCount = count }
      #expect((error == nil) == isFine)
      #expect(
        isFine || error == TaskError(.invalidOption, "maxObjectCount must be from 1 to 100, got \(count)"))
    }
    for value in [0, 1, -0.001, 1.001, .nan] as [Float] {
      let isFine = value >= 0 && value <= 1
      let score = error { $0.localizer?.scoreThreshold = value }
      #expect((score == nil) == isFine)
      #expect(isFine || score?.message == "the localizer's scoreThreshold must be from 0 to 1, got \(value)")
      let overlap = error { $0.localizer?.overlapThreshold = value }
      #expect((overlap == nil) == isFine)
      #expect(isFine || overlap?.message == "the localizer's overlapThreshold must be from 0 to 1, got \(value)")
    }
    #expect(error { $0.streamPolicy = .synchronous(every: 1) } == nil && error { $0.streamPolicy = .concurrent } == nil)
    let policy = error { $0.streamPolicy = .synchronous(every: 0) }
    #expect(
      policy == TaskError(.invalidOption, "StreamPolicy.synchronous(every:) takes 1 or more frames, got 0"))
    let tracking = error { $0.tracking.minHits = 0 }
    #expect(tracking?.code == .invalidOption && tracking?.message.hasPrefix("TrackingOptions.minHits is 0") == true)
    #expect(trackerError { try ObjectTrackerOptions().validate() } == nil)
    for (margin, isFine) in [(0, true), (10, true), (-0.1, false), (10.1, false), (.nan, false)] as [(Double, Bool)] {
      let error = trackerError { try ObjectClassifierOptions(baseOptions: base, cropMargin: margin).validate() }
      #expect((error == nil) == isFine)
      #expect(isFine || error?.message == "the classifier's cropMargin must be from 0 to 10, got \(margin)")
    }
  }

  @Test("a valid threshold in the options overrides the model's, and an invalid limit means ten labels")
  func labelOptions() {
    var options = ObjectClassifierOptions(baseOptions: base)
    #expect(options.threshold(inMetadata: 0.25) == 0.25 && options.threshold(inMetadata: nil) == 0)
    for (value, isOne) in [(0, true), (1, true), (0.5, true), (-0.001, false), (1.001, false), (.nan, false)]
      as [(Float, Bool)]
    {
      options.confidenceThreshold = value
      #expect(options.threshold(inMetadata: 0.25) == (isOne ? value : 0.25))
    }
    for (count, limit) in [(-1, 10), (0, 10), (1, 1), (11, 11)] {
      options.maxLabelCount = count
      #expect(options.labelLimit == limit)
    }
  }

  // MARK: Labels

  private func maker(threshold: Float = 0, limit: Int = 10) -> LabelMaker {
    LabelMaker(labels: ["a", "b"], threshold: threshold, limit: limit)
  }

  @Test("labels are at or above the threshold, best first, with a text if there is one")
  func labels() {
    let scores: [Float] = [0.5, 0.75, 0.25, Float(0.25).nextDown, .nan]
    #expect(
      maker(threshold: 0.25).labels(from: scores) == [
        .init(text: "b", index: 1, confidence: 0.75), .init(text: "a", index: 0, confidence: 0.5),
        .init(text: "", index: 2, confidence: 0.25),
      ])
    #expect(maker(limit: 1).labels(from: scores).map(\.index) == [1])
    #expect(maker(threshold: 1).labels(from: scores).isEmpty)
  }

  @Test(
    "unclassified objects are classified first, a third of the limit per frame",
    arguments: [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3)])
  func firstLooks(limit: Int, count: Int) {
    var memory = LabelHistory(objectLimit: limit, lifetime: .seconds(1))
    #expect(memory.turns(among: Array(0..<9), at: .zero) == Array(0..<count))
  }

  @Test("known objects are reclassified every half second, the oldest result first")
  func turns() {
    #expect(LabelHistory.refreshInterval == .milliseconds(500))
    var memory = LabelHistory(objectLimit: 9, lifetime: .seconds(1))
    memory.note([1], of: 5, at: .milliseconds(10), maker())
    memory.note([1], of: 3, at: .milliseconds(0), maker())
    memory.note([1], of: 4, at: .milliseconds(0), maker())
    #expect(memory.turns(among: [5, 4, 3], at: .milliseconds(499)).isEmpty)
    #expect(memory.turns(among: [5, 4, 3], at: .milliseconds(500)) == [3])
    memory.note([1], of: 3, at: .milliseconds(500), maker())
    #expect(memory.turns(among: [5, 4, 3], at: .milliseconds(505)) == [4])
    #expect(
      memory.turns(among: [5, 3], at: .milliseconds(509)).isEmpty
        && memory.turns(among: [5, 3], at: .milliseconds(510)) == [5])
    // New objects take precedence over due ones.
    #expect(memory.turns(among: [5, 4, 3, 7], at: .milliseconds(520)) == [7])
  }

  @Test("scores of an object are smoothed between classifications, with a weight of three fifths for the new one")
  func smoothing() {
    var memory = LabelHistory(objectLimit: 9, lifetime: .seconds(1))
    #expect(memory.labels(of: 1).isEmpty)
    memory.note([1, 0], of: 1, at: .zero, maker())
    memory.note([0, 1], of: 1, at: .milliseconds(500), maker())
    let smoothed = memory.labels(of: 1)
    #expect(
      smoothed.map(\.index) == [1, 0] && smoothed[0].confidence == 0.6 && abs(smoothed[1].confidence - 0.4) < 1e-6)
    memory.note([0, 1], of: 1, at: .milliseconds(900), maker())
    #expect(abs(memory.labels(of: 1)[1].confidence - 0.16) < 1e-6)
    // Nothing is known about the other classes.
    memory.note([0.5], of: 1, at: .milliseconds(950), maker())
    #expect(memory.labels(of: 1).map(\.confidence) == [0.5])
    memory.removeAll()
    #expect(memory.labels(of: 1).isEmpty)
  }

  @Test("objects unseen for longer than their lifetime are forgotten")
  func lifetime() {
    for (milliseconds, isKnown) in [(1000, true), (1001, false)] {
      var memory = LabelHistory(objectLimit: 9, lifetime: .seconds(1))
      memory.note([1], of: 1, at: .zero, maker())
      _ = memory.turns(among: [], at: .milliseconds(milliseconds))
      #expect(memory.labels(of: 1).isEmpty != isKnown)
    }
    var memory = LabelHistory(objectLimit: 9, lifetime: .seconds(1))
    memory.note([1], of: 1, at: .zero, maker())
    _ = memory.turns(among: [1], at: .milliseconds(900))
    // A late result doesn't make the labels older.
    memory.note([1], of: 1, at: .milliseconds(100), maker())
    _ = memory.turns(among: [], at: .milliseconds(1900))
    #expect(!memory.labels(of: 1).isEmpty)
  }

  // MARK: Single object

  /// Returns an object at the center of an image of 100 × 100; a larger one is more prominent.
  private func object(_ id: Int?, side: Double) -> TrackedObject {
    TrackedObject(
      box: PixelRect(centerX: 50, centerY: 50, width: side, height: side),
      geometry: ImageGeometry(width: 100, height: 100, orientation: .up), trackingID: id, labels: [], score: 1,
      isPredicted: false)
  }

  @Test("another object must lead by a fifth in three consecutive frames with detection")
  func prominent() {
    var choice = ProminentObject()
    func choose(_ objects: [TrackedObject], wasSearched: Bool = true) -> Int? {
      choice.choose(from: objects, wasSearched: wasSearched)?.trackingID
    }
    let (small, large, larger) = (object(1, side: 50), object(2, side: 60), object(3, side: 70))
    #expect(choose([]) == nil && choose([small]) == 1)
    // The prominences are 0.5 and 0.6.
    #expect(choose([large, small]) == 1 && choose([large, small]) == 1 && choose([large, small]) == 2)
    #expect(choose([larger, large]) == 2 && choose([larger, large]) == 2 && choose([larger, large]) == 2)
    #expect(choose([larger, large]) == 2)
    // Frames without detection don't count, and don't interrupt the sequence.
    choice = ProminentObject()
    #expect(choose([small]) == 1 && choose([large, small]) == 1 && choose([large, small], wasSearched: false) == 1)
    #expect(choose([large, small]) == 1 && choose([large, small]) == 2)
    // A frame without a lead, or with another leader, restarts the count.
    choice = ProminentObject()
    #expect(choose([small]) == 1 && choose([large, small]) == 1 && choose([large, small]) == 1)
    #expect(choose([small, large]) == 1 && choose([large, small]) == 1 && choose([larger, small]) == 1)
    #expect(choose([large, small]) == 1 && choose([large, small]) == 1 && choose([large, small]) == 2)
    // If the prominent object disappears, the most prominent of the others replaces it immediately.
    #expect(choose([larger, small]) == 3 && choose([small]) == 1)
    let near = object(4, side: 59.9)
    #expect((0..<5).allSatisfy { _ in choose([near, small]) == 1 })
  }

  @Test("objects are ordered by prominence, and equal ones by ID")
  func order() {
    let (small, large) = (object(1, side: 50), object(2, side: 60))
    #expect(large.precedes(small) && !small.precedes(large))
    #expect(object(1, side: 50).precedes(object(2, side: 50)) && !object(2, side: 50).precedes(object(1, side: 50)))
    #expect(!small.precedes(small) && !object(nil, side: 50).precedes(object(nil, side: 50)))
    #expect(object(nil, side: 50).precedes(object(1, side: 50)))
  }

  // MARK: Box colors

  private func hasLook(_ box: PixelRect) throws -> Bool {
    var reader = try #require(AppearanceReader())
    var detections = [BoxDetection(box: box, score: 1)]
    let image = try InputImage(rgb: [UInt8](repeating: 100, count: 3 * 200 * 100), width: 200, height: 100)
    try reader.look(at: &detections, in: image)
    return detections[0].appearance != nil
  }

  @Test("boxes within a fiftieth of their size from an edge are cut off, for each side")
  func cutBoxes() throws {
    // The boxes have 50 × 25 pixels: offsets of one pixel, and of half a pixel.
    func box(_ x: Double, _ y: Double) -> PixelRect { PixelRect(x: x, y: y, width: 50, height: 25) }
    #expect(try hasLook(box(1.01, 30)) && !hasLook(box(1, 30)))
    #expect(try hasLook(box(148.99, 30)) && !hasLook(box(149, 30)))
    #expect(try hasLook(box(60, 0.51)) && !hasLook(box(60, 0.5)))
    #expect(try hasLook(box(60, 74.49)) && !hasLook(box(60, 74.5)))
  }

  @Test("a stream has no objects between a reset and the next frame")
  func streamReset() throws {
    var options = ObjectTrackerOptions()
    options.allowsMultipleObjects = true
    var stream = ObjectStream(options)
    let image = try InputImage(rgb: [UInt8](repeating: 0, count: 3 * 200 * 100), width: 200, height: 100)
    let found = [BoxDetection(box: PixelRect(x: 10, y: 10, width: 50, height: 50), score: 0.9)]
    _ = try stream.begin(ImageGeometry(image), at: .seconds(1))
    stream.advance(found)
    #expect(stream.chosen().count == 1 && stream.epoch == 0)
    stream.reset()
    #expect(stream.chosen().isEmpty && stream.epoch == 1)
    stream.advance(found)
    #expect(stream.chosen().isEmpty)
  }
}
