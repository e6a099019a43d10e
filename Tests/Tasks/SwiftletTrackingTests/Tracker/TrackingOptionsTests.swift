import SwiftletTasks
import Testing

@testable import SwiftletTracking

@Suite("Tracking options")
struct TrackingOptionsTests {
  @Test("have the documented defaults, which are valid")
  func defaults() throws {
    let options = TrackingOptions()
    #expect(options.highThreshold == 0.45 && options.lowThreshold == 0.10 && options.newTrackThreshold == 0.55)
    #expect(options.minHits == 2 && options.tentativeMisses == 1)
    #expect(options.maxLost == .seconds(1) && options.maxCoast == .milliseconds(200))
    #expect(options.duplicateIoU == 0.85)
    #expect(options.maxTracks == 20 && options.maxReportedTracks == 5)
    #expect(options.appearanceTolerance == 0.3)
    #expect(options.velocityDecay == .milliseconds(500) && options.resetGap == .seconds(2))
    try options.validate()
  }

  static let faults: [(name: String, change: @Sendable (inout TrackingOptions) -> Void)] = [
    ("highThreshold", { $0.highThreshold = 1.01 }), ("highThreshold", { $0.highThreshold = .nan }),
    ("lowThreshold", { $0.lowThreshold = 0.5 }),
    ("lowThreshold", { $0.lowThreshold = -0.1 }), ("newTrackThreshold", { $0.newTrackThreshold = -1 }),
    ("newTrackThreshold", { $0.newTrackThreshold = .infinity }), ("minHits", { $0.minHits = 0 }),
    ("minHits", { $0.minHits = .max }),
    ("tentativeMisses", { $0.tentativeMisses = 0 }), ("maxLost", { $0.maxLost = .seconds(-1) }),
    ("maxLost", { $0.maxLost = .seconds(3601) }), ("maxCoast", { $0.maxCoast = .milliseconds(1100) }),
    ("maxCoast", { $0.maxCoast = .seconds(-1) }),
    ("duplicateIoU", { $0.duplicateIoU = 2 }), ("maxTracks", { $0.maxTracks = 0 }),
    ("maxTracks", { $0.maxTracks = 1001 }),
    ("appearanceTolerance", { $0.appearanceTolerance = 1.1 }),
    ("appearanceTolerance", { $0.appearanceTolerance = -0.1 }),
    ("maxReportedTracks", { $0.maxReportedTracks = 21 }), ("maxReportedTracks", { $0.maxReportedTracks = 0 }),
    ("velocityDecay", { $0.velocityDecay = .zero }), ("velocityDecay", { $0.velocityDecay = .seconds(3601) }),
    ("resetGap", { $0.resetGap = .zero }), ("resetGap", { $0.resetGap = .seconds(3601) }),
  ]

  @Test("out of range are reported with the value and the expected range", arguments: faults.indices)
  func rejectsFaults(index: Int) throws {
    var options = TrackingOptions()
    Self.faults[index].change(&options)
    let error = try #require(throws: TaskError.self) { try options.validate() }
    #expect(error.code == .invalidOption)
    #expect(error.message.contains("TrackingOptions.\(Self.faults[index].name) is "))
    #expect(error.message.contains("expected"))
    #expect(throws: error) { _ = try BoxTracker(options: options, frameWidth: 640, frameHeight: 480) }
  }

  @Test(
    "require a frame size", arguments: [(0.0, 480.0), (640, -1), (.nan, 480), (640, .infinity), (2e6, 480), (0.5, 480)])
  func rejectsFrames(width: Double, height: Double) throws {
    let error = try #require(throws: TaskError.self) { _ = try BoxTracker(frameWidth: width, frameHeight: height) }
    #expect(error.code == .invalidArgument)
    #expect(error.message.contains("\(width) × \(height)"))
  }
}
