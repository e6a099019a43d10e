import Foundation
import SwiftletImage
import SwiftletEngine
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

@Suite("Objects in single images")
struct SingleImageTests {
  /// A model that reads one pixel of a crop: three classes, red, green, and blue.
  static let colors = PassingModel(
    type: .uint8, scale: 1 / 255, width: 1, height: 1,
    outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])

  @Test("options have the documented defaults")
  func defaults() {
    let options = ObjectTrackerOptions()
    #expect(!options.allowsMultipleObjects && options.maxObjectCount == 5)
    #expect(options.streamPolicy == .synchronous(every: 1) && options.classifier == nil && options.localizer == nil)
    let classifier = ObjectClassifierOptions(baseOptions: BaseOptions(model: .bytes([])))
    #expect(classifier.confidenceThreshold == nil && classifier.maxLabelCount == 10 && classifier.cropMargin == 0)
  }

  @Test("several objects are ordered by prominence, and a single object is the most prominent one")
  func prominence() throws {
    // A small object with a high score, a large one at the center, a large one in a corner, and one below the
    // threshold.
    let scene = Scene([
      Scene.object(0, 0, score: 250, side: 30), Scene.object(80, 80, side: 100), Scene.object(155, 155, side: 100),
      Scene.object(0, 150, score: 60),
    ])
    let objects = try ObjectTracker(options: .reading()).objects(in: scene.image())
    #expect(objects.count == 3)
    for (object, index) in zip(objects, [1, 2, 0]) { #expect(object.box.isClose(to: scene.box(index))) }
    #expect(objects.allSatisfy { $0.trackingID == nil && $0.labels.isEmpty && !$0.isPredicted })
    let one = try ObjectTracker(options: .reading(multiple: false)).objects(in: scene.image())
    #expect(one == Array(objects.prefix(1)))
    let area = 100.0 / 255 * (100.0 / 255)
    let (across, down): (Double, Double) = (2.5 / 255 * 50, 2.5 / 255 * 100)
    let distance = (across * across + down * down).squareRoot()
    let expected = 200 / 255 * area.squareRoot() * (1 - distance / (12500.0).squareRoot())
    #expect(abs(objects[0].prominence - expected) < 1e-5)
  }

  @Test("only the best of overlapping boxes is an object, whatever their classes")
  func suppression() throws {
    var scene = Scene([
      Scene.object(50, 50, score: 200), Scene.object(55, 50, score: 220), Scene.object(100, 50, score: 180),
    ])
    scene.objects[0].category = 1
    let objects = try ObjectTracker(options: .reading()).objects(in: scene.image())
    #expect(objects.count == 2)
    #expect(objects.contains { $0.box.isClose(to: scene.box(1)) })
    #expect(!objects.contains { $0.box.isClose(to: scene.box(0)) })
  }

  @Test(
    "the default maximum is five objects", arguments: [(nil, 5), (1, 1), (3, 3), (9, 9), (100, 9)])
  func limit(count: Int?, expected: Int) throws {
    let scene = Scene((0..<9).map { Scene.object($0 % 3 * 80, $0 / 3 * 80, score: UInt8(150 + $0)) })
    let options = ObjectTrackerOptions.reading { options in
      if let count { options.maxObjectCount = count }
    }
    #expect(try ObjectTracker(options: options).objects(in: scene.image()).count == expected)
  }

  @Test(
    "frames are in stored coordinates, and crops are upright, in all orientations",
    arguments: ImageOrientation.allCases)
  func orientations(orientation: ImageOrientation) throws {
    let scene = Scene([Scene.object(0, 0, side: 51), Scene.object(51, 153, side: 51)])
    let tracker = try ObjectTracker(options: .reading(classifier: Self.colors))
    let upright = try tracker.objects(in: scene.image())
    let image = try scene.image(orientation)
    let turned = try tracker.objects(in: image)
    #expect(turned.count == 2)
    for (object, expected) in zip(turned, upright) {
      #expect(object.uprightBox.isClose(to: expected.box))
      #expect(object.box.isClose(to: ImageGeometry(image).stored(expected.box)))
      // Both boxes are fields of one color, which identifies the field that the classifier read.
      #expect(object.labels == expected.labels)
    }
    #expect(turned[0].labels != turned[1].labels)
  }

  @Test("the same image gives the same result, and images are independent")
  func stateless() throws {
    let tracker = try ObjectTracker(options: .reading(classifier: Self.colors))
    let first = Scene([Scene.object(10, 10), Scene.object(150, 150)]), second = Scene([Scene.object(90, 20)])
    let result = try tracker.objects(in: first.image())
    _ = try tracker.objects(in: second.image())
    #expect(try tracker.objects(in: first.image()) == result)
    #expect(result.allSatisfy { $0.labels.count == 3 })
    #expect(try tracker.objects(in: Scene([]).image()).isEmpty)
  }

  @Test("boxes are clipped at the edges, and empty ones are not objects")
  func edges() throws {
    var scene = Scene([Scene.object(200, 200, side: 55)])
    scene.objects.append(.init(left: 20, top: 20, right: 20, bottom: 90, score: 250))
    let objects = try ObjectTracker(options: .reading()).objects(in: scene.image())
    #expect(objects.count == 1 && objects[0].box.right <= 50 && objects[0].box.bottom <= 100)
  }

  @Test("a missing localizer is an error with a fix, unless the process has one")
  func missingLocalizer() throws {
    var options = ObjectTrackerOptions.reading()
    let localizer = options.localizer?.baseOptions
    options.localizer = nil
    try ProcessSettings.exclusively { () throws in
      let error = trackerError { _ = try ObjectTracker(options: options) }
      #expect(error?.code == .invalidOption && error?.message.contains("DefaultLocalizer.model") == true)
      DefaultLocalizer.model = localizer
      defer { DefaultLocalizer.model = nil }
      #expect(try ObjectTracker(options: options).objects(in: Scene([Scene.object(50, 50)]).image()).count == 1)
    }
  }

  @Test(
    "options out of range are rejected",
    arguments: [
      { $0.maxObjectCount = 0 }, { $0.maxObjectCount = 101 }, { $0.streamPolicy = .synchronous(every: 0) },
      { $0.localizer?.scoreThreshold = 2 }, { $0.localizer?.overlapThreshold = -1 }, { $0.tracking.minHits = 0 },
      { $0.tracking.lowThreshold = .nan },
    ] as [@Sendable (inout ObjectTrackerOptions) -> Void])
  func invalidOptions(change: @Sendable (inout ObjectTrackerOptions) -> Void) throws {
    let error = try #require(trackerError { _ = try ObjectTracker(options: .reading { change(&$0) }) })
    #expect(error.code == .invalidOption && error.modelFault == nil, "\(error)")
  }

}
