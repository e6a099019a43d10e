/// When a tracker takes up an object, how it keeps it, and when it gives it up.
///
/// The defaults suit a detector whose scores lie in 0…1 and camera images at 5 to 60 frames a second. `validate()`
/// says what is wrong with a value; `BoxTracker` calls it.
public struct TrackingOptions: Sendable, Hashable {
  /// Detections with at least this score are matched first, to every track; 0…1.
  public var highThreshold = 0.45
  /// Detections below this score are not looked at; 0…`highThreshold`. Those between the two thresholds hold tracks,
  /// but start none.
  public var lowThreshold = 0.10
  /// A detection without a track starts one when its score is at least this and `highThreshold`; 0…1.
  public var newTrackThreshold = 0.55
  /// The number of consecutive detections that confirm a track, which gives it its ID and has it reported; 1…1000. On
  /// the first frame, and on the first one after a reset, one is enough.
  public var minHits = 2
  /// After how many missed detections in a row a track dies that is not confirmed yet; 1…1000.
  public var tentativeMisses = 1
  /// For how long a confirmed track that is not seen can still be found again; up to an hour.
  public var maxLost = Duration.seconds(1)
  /// For how long a track that is not seen is still reported, at its predicted place; up to `maxLost`.
  public var maxCoast = Duration.milliseconds(200)
  /// Boxes that overlap by more, as intersection over union, stand for one object; 0…1.
  public var duplicateIoU = 0.85
  /// By how much the colors of an object may change from one searched frame to the next, 0…1; 1 lets boxes alone
  /// decide. Beyond it a pair of track and detection counts as ever less likely.
  public var appearanceTolerance = 0.3
  /// The most objects that are followed, reported or not; 1…1000. When there are more, those that are lost go first,
  /// then those that are not confirmed, the least prominent ones first.
  public var maxTracks = 20
  /// The most objects that are reported; 1…`maxTracks`. One that is reported stays so until it is lost; free places go
  /// to the most prominent.
  public var maxReportedTracks = 5
  /// With what time constant an object that is not seen comes to rest: after this time its speed is 37 %. More than 0,
  /// up to an hour; `nil` lets it keep its speed.
  public var velocityDecay: Duration? = .milliseconds(500)
  /// When no frame, or no detection, comes for longer than this, all tracks die; more than 0, up to an hour.
  public var resetGap = Duration.seconds(2)

  /// Creates the options that suit most streams.
  public init() {}

  /// Checks every value.
  ///
  /// - Throws: `TaskError` (`invalidOption`), naming the first option that is out of its range or contradicts
  ///   another.
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

  /// ``velocityDecay`` in seconds; infinity for speeds that are kept.
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
