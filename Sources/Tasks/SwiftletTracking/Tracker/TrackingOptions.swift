/// Options for the start, continuation, and end of tracks.
///
/// The defaults suit a detector whose scores lie in 0…1 and camera images at 5 to 60 frames per second. `BoxTracker`
/// checks the values with `validate()`.
public struct TrackingOptions: Sendable, Hashable {
  /// The score from which detections are matched first, with every track; 0…1.
  public var highThreshold = 0.45
  /// The minimum score of a detection; 0…`highThreshold`. Detections between the two thresholds continue tracks, but
  /// don't start new ones.
  public var lowThreshold = 0.10
  /// The minimum score for starting a track, in addition to `highThreshold`; 0…1. Only unmatched detections start
  /// tracks.
  public var newTrackThreshold = 0.55
  /// The number of consecutive detections that confirm a track; 1…1000. A confirmed track has an ID and is reported. In
  /// the first frame, and in the first one after a reset, one detection is enough.
  public var minHits = 2
  /// The number of consecutive missed detections that end an unconfirmed track; 1…1000.
  public var tentativeMisses = 1
  /// The time for which a confirmed track without detections can be found again; up to an hour.
  public var maxLost = Duration.seconds(1)
  /// The time for which a track without detections is reported at its predicted position; up to `maxLost`.
  public var maxCoast = Duration.milliseconds(200)
  /// The intersection over union above which two boxes count as the same object; 0…1.
  public var duplicateIoU = 0.85
  /// The tolerated change of an object's colors from one searched frame to the next, 0…1. Larger changes increasingly
  /// prevent a match. With 1, only boxes count.
  public var appearanceTolerance = 0.3
  /// The maximum number of tracks, reported or not; 1…1000. If there are more, lost tracks are removed first, then
  /// unconfirmed ones, the least prominent first.
  public var maxTracks = 20
  /// The maximum number of objects to report; 1…`maxTracks`. A reported object stays reported until it is lost; free
  /// slots go to the most prominent objects.
  public var maxReportedTracks = 5
  /// The time constant with which the velocity of an undetected object decays: after this time, it is 37 %. More than
  /// 0, up to an hour; `nil` for constant velocity.
  public var velocityDecay: Duration? = .milliseconds(500)
  /// The time without frames, or without detections, after which all tracks end; more than 0, up to an hour.
  public var resetGap = Duration.seconds(2)

  /// Creates options with the defaults, which suit most streams.
  public init() {}

  /// Checks every value.
  ///
  /// - Throws: `TaskError` (`invalidOption`) with the first option that is out of its range or contradicts another.
  public func validate() throws(TaskError) {
    try Self.check(highThreshold, "highThreshold", in: 0...1)
    try Self.check(lowThreshold, "lowThreshold", in: 0...highThreshold, "highThreshold")
    try Self.check(newTrackThreshold, "newTrackThreshold", in: 0...1)
    try Self.check(minHits, "minHits", in: 1...1000)
    try Self.check(tentativeMisses, "tentativeMisses", in: 1...1000)
    try Self.check(maxLost, "maxLost", in: .zero...Self.longest)
    try Self.check(maxCoast, "maxCoast", in: .zero...maxLost, "maxLost")
    try Self.check(duplicateIoU, "duplicateIoU", in: 0...1)
    try Self.check(appearanceTolerance, "appearanceTolerance", in: 0...1)
    try Self.check(maxTracks, "maxTracks", in: 1...1000)
    try Self.check(maxReportedTracks, "maxReportedTracks", in: 1...maxTracks, "maxTracks")
    if let velocityDecay { try Self.check(velocityDecay, "velocityDecay", in: Self.shortest...Self.longest) }
    try Self.check(resetGap, "resetGap", in: Self.shortest...Self.longest)
  }

  private static let shortest = Duration(secondsComponent: 0, attosecondsComponent: 1)
  private static let longest = Duration.seconds(3600)

  /// ``velocityDecay`` in seconds; infinity for constant velocity.
  var decaySeconds: Double { velocityDecay?.inSeconds ?? .infinity }

  private static func check<Value: Comparable>(
    _ value: Value, _ name: String, in range: ClosedRange<Value>, _ boundName: String? = nil
  ) throws(TaskError) {
    guard range.contains(value) else {
      let bound = boundName.map { ", the value of \($0)" } ?? ""
      throw TaskError(
        .invalidOption,
        "TrackingOptions.\(name) is \(value); expected \(range.lowerBound)…\(range.upperBound)\(bound); set a value in that range"
      )
    }
  }
}
