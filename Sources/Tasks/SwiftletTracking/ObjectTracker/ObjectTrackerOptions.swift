/// How objects are found, followed and named.
public struct ObjectTrackerOptions: Sendable, Hashable {
  /// The most objects that can be asked for.
  public static let maxObjectCountRange = 1...100

  /// How a stream's objects are followed unless another way is asked for: as `TrackingOptions` says, but with
  /// thresholds for models that find objects of any kind, whose scores are lower than those of a detector that knows
  /// its classes.
  public static var defaultTracking: TrackingOptions { tracking(from: 0.4) }

  /// Tracks begin at `score`. Detections down to a tenth below it are matched with all tracks; weaker ones only keep
  /// tracks alive.
  ///
  /// - Parameter score: 0…1. Detections below 0.1, or below `score` if that is less, are ignored.
  public static func tracking(from score: Double) -> TrackingOptions {
    var options = TrackingOptions()
    options.newTrackThreshold = score
    options.lowThreshold = min(options.lowThreshold, score)
    options.highThreshold = max(options.lowThreshold, score - 0.1)
    return options
  }

  /// The model that finds objects; `nil` for ``DefaultLocalizer``.
  public var localizer: ObjectLocalizerOptions?
  /// The model that names them; `nil` for objects without labels.
  public var classifier: ObjectClassifierOptions?
  /// Whether several objects are reported, and not only the most prominent one.
  public var allowsMultipleObjects: Bool
  /// The most objects reported when several are, 1…100. Each costs a run of the classifier, in a stream about one in
  /// half a second.
  public var maxObjectCount: Int
  /// When a stream's frames are searched.
  public var streamPolicy: StreamPolicy
  /// How a stream's objects are followed. `maxObjectCount` says how many are reported.
  public var tracking: TrackingOptions

  /// Options of a tracker; those that are not given have the values above.
  public init(
    localizer: ObjectLocalizerOptions? = nil, classifier: ObjectClassifierOptions? = nil,
    allowsMultipleObjects: Bool = false, maxObjectCount: Int = 5, streamPolicy: StreamPolicy = .synchronous(every: 1),
    tracking: TrackingOptions = ObjectTrackerOptions.defaultTracking
  ) {
    self.localizer = localizer
    self.classifier = classifier
    self.allowsMultipleObjects = allowsMultipleObjects
    self.maxObjectCount = maxObjectCount
    self.streamPolicy = streamPolicy
    self.tracking = tracking
  }

  func validate() throws(TaskError) {
    guard Self.maxObjectCountRange.contains(maxObjectCount) else {
      throw .invalidOption("maxObjectCount must be from 1 to 100, got \(maxObjectCount)")
    }
    try localizer?.validate()
    try streamPolicy.validate()
    try boxTracking.validate()
  }

  /// The most objects that a picture's result has.
  var objectLimit: Int { allowsMultipleObjects ? maxObjectCount : 1 }

  /// The tracker's options with room for the objects asked for. Where one is reported, it is chosen here among all.
  var boxTracking: TrackingOptions {
    var options = tracking
    options.maxTracks = max(options.maxTracks, 2 * objectLimit)
    options.maxReportedTracks = allowsMultipleObjects ? maxObjectCount : options.maxTracks
    return options
  }
}

extension ObjectTrackerOptions {
  /// The time that loading the models, and one call, may take: the shorter of what is said for the two models.
  var timeout: Duration? {
    [localizer?.baseOptions.timeout, classifier?.baseOptions.timeout].compactMap(\.self).min()
  }
}
