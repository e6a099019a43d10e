import Foundation
import SwiftletTestSupport
import SwiftletVision
import Testing

@testable import SwiftletTracking

/// Checks that any argument produces a result, an error, or the documented behavior, and never ends the process.
@Suite("Tracking arguments")
struct TrackingArgumentTests {
  static let integers: [Int] = [.min, -1, 0, 1, 2, 1000, 1001, 1 << 40, .max]
  static let doubles: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 1e308,
    -1e308, -1, 0, 0.5, 1, 1e6,
  ]

  @Test("integer options", arguments: integers)
  func integerOptions(number: Int) throws {
    let changes: [(inout TrackingOptions) -> Void] = [
      { $0.minHits = number }, { $0.tentativeMisses = number }, { $0.maxTracks = number },
      { $0.maxReportedTracks = number },
      {
        $0.maxTracks = number
        $0.maxReportedTracks = number
      },
    ]
    for change in changes {
      var options = TrackingOptions()
      change(&options)
      guard var tracker = try? BoxTracker(options: options, frameWidth: 100, frameHeight: 100) else { continue }
      for frame in 0..<5 {
        _ = tracker.update(
          detections: [BoxDetection(box: PixelRect(x: 1, y: 1, width: 9, height: 9), score: 0.9)],
          at: .seconds(frame))
      }
    }
    let base = BaseOptions(model: .bytes(BoxReadingModel.bytes), threads: number)
    for options in [
      ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: base), allowsMultipleObjects: true, maxObjectCount: number),
      ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: base), streamPolicy: .synchronous(every: number)),
      ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: base),
        classifier: ObjectClassifierOptions(
          baseOptions: BaseOptions(model: .bytes(Self.colors.bytes)), maxLabelCount: number)),
    ] {
      guard let video = try? ObjectTracker(options: options).video() else { continue }
      let image = try Self.image()
      for time in [Duration.zero, .seconds(1), .seconds(Int64.max), .seconds(Int64.min)] {
        _ = try? video.objects(in: image, at: time)
      }
    }
    _ = Appearance(pixels: [1, 2, 3], light: number).difference(from: Appearance(pixels: [], light: number))
  }

  private static let colors = PassingModel(
    type: .uint8, scale: 1 / 255, width: 1, height: 1,
    outputs: [.init(shape: [1, 3], labels: ["red", "green", "blue"])])

  private static func image() throws -> InputImage {
    try InputImage(
      rgb: BoxReadingModel.pixels(
        [.init(left: 10, top: 10, right: 90, bottom: 90, score: 200)], width: 50, height: 50), width: 50, height: 50)
  }

  @Test("floating-point options", arguments: doubles)
  func numberOptions(number: Double) throws {
    let changes: [(inout TrackingOptions) -> Void] = [
      { $0.highThreshold = number }, { $0.lowThreshold = number }, { $0.newTrackThreshold = number },
      { $0.maxLost = Duration(holding: number) }, { $0.maxCoast = Duration(holding: number) },
      { $0.duplicateIoU = number }, { $0.appearanceTolerance = number },
      { $0.velocityDecay = Duration(holding: number) }, { $0.resetGap = Duration(holding: number) },
    ]
    let boxes = [BoxDetection(box: PixelRect(x: 1, y: 1, width: 9, height: 9), score: 0.9)]
    for change in changes {
      var options = TrackingOptions()
      change(&options)
      guard var tracker = try? BoxTracker(options: options, frameWidth: 100, frameHeight: 100) else { continue }
      for frame in 0..<4 { _ = tracker.update(detections: frame == 2 ? [] : boxes, at: .seconds(Double(frame) / 10)) }
    }
    let base = BaseOptions(model: .bytes(BoxReadingModel.bytes))
    _ = try? ObjectTracker(
      options: ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(
          baseOptions: base, scoreThreshold: Float(number), overlapThreshold: Float(number)))
    ).objects(in: try Self.image())
    _ = try? ObjectTracker(
      options: ObjectTrackerOptions(
        localizer: ObjectLocalizerOptions(baseOptions: base),
        classifier: ObjectClassifierOptions(
          baseOptions: BaseOptions(model: .bytes(Self.colors.bytes)), confidenceThreshold: Float(number),
          cropMargin: number),
        tracking: ObjectTrackerOptions.tracking(from: number))
    ).objects(in: try Self.image())
  }

  @Test("frames, boxes, scores, and times", arguments: doubles)
  func boxes(number: Double) {
    for (width, height) in [(number, 100), (100, number), (100, 100)] as [(Double, Double)] {
      guard var tracker = try? BoxTracker(frameWidth: width, frameHeight: height) else { continue }
      for value in Self.doubles {
        let box = PixelRect(x: number, y: value, width: value, height: number)
        let detections = [
          BoxDetection(box: box, score: value),
          BoxDetection(box: PixelRect(x: 1, y: 1, width: 9, height: 9), score: number),
          BoxDetection(box: PixelRect(x: 0, y: 0, width: 50, height: 50), score: 0.9),
        ]
        for time in [0, 0.1, value, number] {
          let time = Duration(holding: time)
          for track in tracker.update(detections: detections, at: time) { #expect(track.box.isUsable) }
          _ = tracker.predict(to: Duration(holding: number))
          _ = tracker.update(detections: detections, from: Duration(holding: value), at: time)
        }
        _ = box.prominence(score: number, frameWidth: value, frameHeight: number)
        _ = box.clipped(width: value, height: number).intersectionOverUnion(with: box)
        tracker.resize(frameWidth: value, frameHeight: number)
      }
    }
  }
}
